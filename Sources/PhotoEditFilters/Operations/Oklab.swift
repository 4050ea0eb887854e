// SPDX-License-Identifier: Apache-2.0

/// The matrices between linear values and Oklab.
///
/// - Source: Björn Ottosson, "A perceptual color space for image processing", 2020.
enum Oklab {
  /// Linear sRGB to cone responses, as published.
  static let coneResponse = ColorTransform(rows: [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
  ])

  /// X, Y and Z under D65 to cone responses.
  static let coneResponseOfXYZ = ColorTransform(rows: [
    [0.8189330101, 0.3618667424, -0.1288597137],
    [0.0329845436, 0.9293118715, 0.0361456387],
    [0.0482003018, 0.2643662691, 0.6338517070],
  ])

  /// Cube roots of cone responses to lightness and the two opponent axes.
  static let opponent = ColorTransform(rows: [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
  ])

  static let opponentInverse = opponent.inverse

  /// Returns the matrix from linear values of a color space to cone responses.
  ///
  /// With the published coefficients, the responses to D65 white differ by half a thousandth, which
  /// would tint grays; each row is therefore normalized to sum to one, as in the published matrix
  /// of sRGB.
  static func coneResponse(of space: WorkingSpace) -> ColorTransform {
    let responses = space.toXYZ.followed(by: coneResponseOfXYZ)
    return ColorTransform(
      rows: responses.rows.map { row in row.map { $0 / (row[0] + row[1] + row[2]) } })
  }

  /// Returns the steps that apply a matrix in Oklab to gamma-encoded values.
  ///
  /// - Parameter space: The color space of the values; nil assumes sRGB and uses the published
  ///   matrix.
  static func applying(_ change: ColorTransform, in space: WorkingSpace?) -> [FilterOperation] {
    let cones = space.map { coneResponse(of: $0) } ?? coneResponse
    return [
      .matrix(cones), .curves(.init(.init([.power(1.0 / 3)]))),
      .matrix(opponent.followed(by: change).followed(by: opponentInverse)),
      .curves(.init(.init([.power(3)]))), .matrix(cones.inverse),
    ].inEncoding(.linear)
  }
}
