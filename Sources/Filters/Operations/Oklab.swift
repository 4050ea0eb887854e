// SPDX-License-Identifier: Apache-2.0

/// The matrices between linear sRGB and Oklab.
///
/// - Source: Björn Ottosson, "A perceptual color space for image processing", 2020.
enum Oklab {
  /// Linear sRGB to cone responses.
  static let coneResponse = ColorTransform(rows: [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
  ])

  /// Cube roots of cone responses to lightness and the two opponent axes.
  static let opponent = ColorTransform(rows: [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
  ])

  static let coneResponseInverse = coneResponse.inverse
  static let opponentInverse = opponent.inverse

  /// A matrix on Oklab, from encoded sRGB to encoded sRGB.
  static func applying(_ change: ColorTransform) -> [FilterOperation] {
    [
      .matrix(coneResponse), .curves(.init(.init([.power(1.0 / 3)]))),
      .matrix(opponent.followed(by: change).followed(by: opponentInverse)),
      .curves(.init(.init([.power(3)]))), .matrix(coneResponseInverse),
    ].inLight(.linear)
  }
}
