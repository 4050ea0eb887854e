// SPDX-License-Identifier: Apache-2.0

/// The chromaticities of the primaries and the white point of a color space.
///
/// - Source: ITU-T H.273 (07/2024), table 2; IEC 61966-2-1; SMPTE RP 431-2 and EG 432-1.
package struct ColorPrimaries: Sendable, Hashable {
  /// A point in the CIE 1931 chromaticity diagram.
  package struct Chromaticity: Sendable, Hashable {
    /// The share of X.
    package let x: Double
    /// The share of Y; must not be zero if used for a matrix.
    package let y: Double

    /// Creates a point.
    package init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }

    /// X, Y, Z with Y = 1.
    var tristimulus: [Double] { [x / y, 1, (1 - x - y) / y] }
  }

  /// The red primary.
  package let red: Chromaticity
  /// The green primary.
  package let green: Chromaticity
  /// The blue primary.
  package let blue: Chromaticity
  /// The white point.
  package let white: Chromaticity

  /// Creates primaries.
  package init(
    red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity
  ) {
    (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
  }

  /// Creates the primaries of a `ColourPrimaries` code; nil for reserved codes.
  ///
  /// Code 2, "unspecified", is treated as sRGB, the default for files without color information.
  package init?(codePoint: Int) {
    switch codePoint {
    case 1, 2: self = .sRGB
    case 4:
      self.init((0.67, 0.33), (0.21, 0.71), (0.14, 0.08), white: Self.illuminantC)
    case 5: self.init((0.64, 0.33), (0.29, 0.60), (0.15, 0.06))
    case 6, 7: self.init((0.630, 0.340), (0.310, 0.595), (0.155, 0.070))
    case 8:
      self.init((0.681, 0.319), (0.243, 0.692), (0.145, 0.049), white: Self.illuminantC)
    case 9: self.init((0.708, 0.292), (0.170, 0.797), (0.131, 0.046))
    case 11:
      self.init((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), white: Chromaticity(0.314, 0.351))
    case 12: self = .displayP3
    case 22: self.init((0.630, 0.340), (0.295, 0.605), (0.155, 0.077))
    default: return nil
    }
  }

  /// The primaries of BT.709 and sRGB.
  package static let sRGB = Self((0.64, 0.33), (0.30, 0.60), (0.15, 0.06))
  /// The primaries of digital cinema with the white point of displays.
  package static let displayP3 = Self((0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
  /// The primaries of Adobe RGB (1998).
  package static let adobeRGB = Self((0.64, 0.33), (0.21, 0.71), (0.15, 0.06))

  private static let illuminantC = Chromaticity(0.310, 0.316)

  private init(
    _ red: (Double, Double), _ green: (Double, Double), _ blue: (Double, Double),
    white: Chromaticity = Chromaticity(0.3127, 0.3290)
  ) {
    self.init(
      red: Chromaticity(red.0, red.1), green: Chromaticity(green.0, green.1),
      blue: Chromaticity(blue.0, blue.1), white: white)
  }

  /// The matrix from linear RGB to X, Y, Z relative to D65; nil for the sRGB primaries, and if
  /// there is no matrix.
  package var matrixToD65XYZ: [[Double]]? {
    guard self != .sRGB, let matrix else { return nil }
    return ColorMatrix.underD65(matrix, white: white.tristimulus)
  }

  /// The matrix from linear RGB to X, Y, Z with white at Y = 1; nil if undefined.
  ///
  /// It is undefined for collinear primaries, and if white would need a negative amount of a
  /// primary.
  package var matrix: [[Double]]? {
    let points = [red, green, blue, white]
    guard points.allSatisfy({ $0.x.isFinite && $0.y.isFinite && $0.y > 1e-6 && $0.x >= 0 }) else {
      return nil
    }
    let primaries = [red, green, blue].map(\.tristimulus)
    let columns = (0..<3).map { row in primaries.map { $0[row] } }
    guard let inverse = ColorMatrix.inverse(columns) else { return nil }
    let strengths = ColorMatrix.product(inverse, white.tristimulus)
    guard strengths.allSatisfy({ $0 > 0 && $0 < 1e3 }) else { return nil }
    return columns.map { row in zip(row, strengths).map { $0 * $1 } }
  }
}

/// Arithmetic on 3×3 matrices and column vectors of three values.
package enum ColorMatrix {
  /// Returns the product of a matrix and a column vector.
  package static func product(_ rows: [[Double]], _ column: [Double]) -> [Double] {
    rows.map { row in row[0] * column[0] + row[1] * column[1] + row[2] * column[2] }
  }

  /// Returns the product of two matrices; the second one is applied first.
  package static func product(_ left: [[Double]], _ right: [[Double]]) -> [[Double]] {
    let columns = (0..<3).map { index in product(left, right.map { $0[index] }) }
    return (0..<3).map { row in columns.map { $0[row] } }
  }

  /// Returns the inverse of a matrix, or nil if the matrix is singular or nearly so.
  package static func inverse(_ m: [[Double]]) -> [[Double]]? {
    func cofactor(_ row: Int, _ column: Int) -> Double {
      let (r0, r1) = ((row + 1) % 3, (row + 2) % 3)
      let (c0, c1) = ((column + 1) % 3, (column + 2) % 3)
      return m[r0][c0] * m[r1][c1] - m[r0][c1] * m[r1][c0]
    }
    let determinant = (0..<3).reduce(0) { $0 + m[0][$1] * cofactor(0, $1) }
    guard abs(determinant) > 1e-9 else { return nil }
    return (0..<3).map { row in (0..<3).map { cofactor($0, row) / determinant } }
  }

  /// X, Y and Z of the reference white of profiles.
  ///
  /// - Source: ICC.1:2022, 7.2.16.
  package static let d50 = [0.9642, 1, 0.8249]

  /// Returns the matrix from linear RGB of a color space to X, Y and Z relative to D65.
  ///
  /// The columns are scaled so that red, green and blue add up to exactly D65, regardless of the
  /// rounding in a profile.
  ///
  /// - Parameters:
  ///   - colorants: The matrix from linear RGB to X, Y and Z relative to the white point of the
  ///     color space.
  ///   - white: X, Y and Z of that white point.
  /// - Returns: Nil for primaries that cannot produce this white point.
  package static func underD65(_ colorants: [[Double]], white: [Double]) -> [[Double]]? {
    let target = ColorPrimaries.sRGB.white.tristimulus
    guard let adaptation = adaptation(from: white, to: target) else { return nil }
    let adapted = product(adaptation, colorants)
    guard let inverse = inverse(adapted) else { return nil }
    let strengths = product(inverse, target)
    guard strengths.allSatisfy({ $0 > 0.1 && $0 < 10 }) else { return nil }
    return adapted.map { row in zip(row, strengths).map { $0 * $1 } }
  }

  /// Returns the matrix that adapts colors from one white to another.
  ///
  /// - Source: Bradford's cone responses, as used in ICC.1:2022, annex E.
  package static func adaptation(from white: [Double], to other: [Double]) -> [[Double]]? {
    let cones = [
      [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296],
    ]
    let (before, after) = (product(cones, white), product(cones, other))
    guard before.allSatisfy({ $0 > 1e-6 }), let inverse = inverse(cones) else { return nil }
    let scaled = (0..<3).map { row in cones[row].map { $0 * after[row] / before[row] } }
    return product(inverse, scaled)
  }
}
