// SPDX-License-Identifier: Apache-2.0

extension ColorTransform {
  /// The matrix that undoes this one, which must have one; the bias is left out.
  var inverse: ColorTransform {
    let m = rows
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
