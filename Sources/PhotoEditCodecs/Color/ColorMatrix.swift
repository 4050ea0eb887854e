// SPDX-License-Identifier: Apache-2.0

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
