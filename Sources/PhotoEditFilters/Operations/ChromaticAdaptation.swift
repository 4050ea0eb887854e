// SPDX-License-Identifier: Apache-2.0

/// The transform of colors from one illuminant to another.
enum ChromaticAdaptation {
  /// Returns the matrix on linear values of a color space that adapts colors from one illuminant to
  /// another.
  ///
  /// - Source: Lam, 1985, the linearized Bradford transform of ICC.1.
  static func matrix(
    from source: Illuminant, to target: Illuminant, in space: WorkingSpace
  ) -> ColorTransform {
    let sourceResponse = response(to: source)
    let targetResponse = response(to: target)
    let gains = ColorTransform(
      rows: (0..<3).map { i in (0..<3).map { $0 == i ? targetResponse[i] / sourceResponse[i] : 0 } }
    )
    let toCones = space.toXYZ.followed(by: bradford)
    return toCones.followed(by: gains).followed(by: toCones.inverse)
  }

  private static let bradford = ColorTransform(rows: [
    [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296],
  ])

  private static func response(to illuminant: Illuminant) -> [Double] {
    product(bradford, xyz(of: illuminant))
  }

  /// Returns X, Y and Z with Y = 1.
  private static func xyz(of illuminant: Illuminant) -> [Double] {
    [illuminant.x / illuminant.y, 1, (1 - illuminant.x - illuminant.y) / illuminant.y]
  }

  /// Linear sRGB to XYZ, from the primaries and the white point of IEC 61966-2-1.
  static let sRGBToXYZ: ColorTransform = {
    let primaries = [
      Illuminant(x: 0.64, y: 0.33), Illuminant(x: 0.3, y: 0.6), Illuminant(x: 0.15, y: 0.06),
    ].map(xyz)
    let columns = ColorTransform(rows: (0..<3).map { row in primaries.map { $0[row] } })
    let shares = product(columns.inverse, xyz(of: Illuminant(x: 0.3127, y: 0.3290)))
    return ColorTransform(
      rows: columns.rows.map { row in (0..<3).map { row[$0] * shares[$0] } })
  }()

  private static func product(_ matrix: ColorTransform, _ vector: [Double]) -> [Double] {
    matrix.rows.map { $0[0] * vector[0] + $0[1] * vector[1] + $0[2] * vector[2] }
  }
}
