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

  static let coneResponseInverse = inverse(of: coneResponse)
  static let opponentInverse = inverse(of: opponent)

  private static func inverse(of transform: ColorTransform) -> ColorTransform {
    let m = transform.rows
    func minor(_ r: Int, _ c: Int) -> Double {
      let (r1, r2) = ((r + 1) % 3, (r + 2) % 3)
      let (c1, c2) = ((c + 1) % 3, (c + 2) % 3)
      return m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]
    }
    let determinant = m[0][0] * minor(0, 0) + m[0][1] * minor(0, 1) + m[0][2] * minor(0, 2)
    return ColorTransform(
      rows: (0..<3).map { i in (0..<3).map { j in minor(j, i) / determinant } })
  }
}
