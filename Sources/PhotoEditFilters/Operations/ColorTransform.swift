// SPDX-License-Identifier: Apache-2.0

/// A 3×3 matrix with an offset for each channel.
public struct ColorTransform: Sendable, Hashable {
  /// Three rows of three coefficients, for the output red, green and blue.
  public var rows: [[Double]]
  /// The offset added to each channel.
  public var bias: [Double]

  /// Creates a matrix; each row and the bias have three numbers.
  public init(rows: [[Double]], bias: [Double] = [0, 0, 0]) {
    precondition(rows.count == 3 && rows.allSatisfy { $0.count == 3 } && bias.count == 3)
    (self.rows, self.bias) = (rows, bias)
  }

  /// The identity matrix.
  public static let identity = ColorTransform(rows: [[1, 0, 0], [0, 1, 0], [0, 0, 1]])

  /// Returns the matrix that writes one weighted sum to every channel.
  public static func sum(_ weights: [Double]) -> ColorTransform {
    ColorTransform(rows: [weights, weights, weights])
  }

  /// Returns an interpolation between identity and this matrix: share 0 is identity, 1 is this one.
  public func scaled(by share: Double) -> ColorTransform {
    if share == 1 { return self }
    var result = self
    for i in 0..<3 {
      for j in 0..<3 {
        result.rows[i][j] = rows[i][j] * share + (i == j ? 1 - share : 0)
      }
      result.bias[i] = bias[i] * share
    }
    return result
  }

  /// Returns the product of this matrix followed by another one.
  public func followed(by next: ColorTransform) -> ColorTransform {
    var result = ColorTransform.identity
    for i in 0..<3 {
      for j in 0..<3 {
        result.rows[i][j] = (0..<3).reduce(0) { $0 + next.rows[i][$1] * rows[$1][j] }
      }
      result.bias[i] = (0..<3).reduce(next.bias[i]) { $0 + next.rows[i][$1] * bias[$1] }
    }
    return result
  }

  /// Returns the transformed color in double precision.
  func applied(to color: SIMD3<Double>) -> SIMD3<Double> {
    func sum(_ row: Int) -> Double {
      rows[row][0] * color.x + rows[row][1] * color.y + rows[row][2] * color.z + bias[row]
    }
    return SIMD3(sum(0), sum(1), sum(2))
  }

  /// Indicates whether every pixel becomes gray.
  public var producesGray: Bool {
    rows[0] == rows[1] && rows[1] == rows[2] && bias[0] == bias[1] && bias[1] == bias[2]
  }

  /// The scale and offset applied to gray pixels; nil if they do not stay gray.
  ///
  /// Row sums that differ by rounding errors of the coefficients count as equal; those of Oklab,
  /// published with ten digits, differ by 4·10⁻⁸, far less than a sample can represent.
  public var onGray: (scale: Double, offset: Double)? {
    let sums = rows.map { $0[0] + $0[1] + $0[2] }
    guard abs(sums[0] - sums[1]) < 1e-6, abs(sums[1] - sums[2]) < 1e-6, bias[0] == bias[1],
      bias[1] == bias[2]
    else { return nil }
    // Published coefficients that sum to one up to rounding must keep white unchanged.
    return (abs(sums[0] - 1) < 1e-6 ? 1 : sums[0], bias[0])
  }

  /// The inverse of this matrix, which must be invertible; the bias is ignored.
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

/// The weights of the channels in luma; each set adds up to one.
public enum LumaWeights {
  /// ITU-R BT.601, the Y of a JPEG.
  public static let rec601 = [0.299, 0.587, 0.114]
  /// ITU-R BT.709, the primaries of sRGB.
  public static let rec709 = [0.2126, 0.7152, 0.0722]
}

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

  /// Returns the steps that apply a map of cube roots of cone responses to gamma-encoded values.
  static func mapping(_ map: some PixelMapping, in space: WorkingSpace) -> [FilterOperation] {
    applying(.map(PixelMap(map)), in: space)
  }

  /// Returns the steps that apply a step to the cube roots of cone responses of gamma-encoded values.
  static func applying(_ step: FilterOperation, in space: WorkingSpace) -> [FilterOperation] {
    let cones = coneResponse(of: space)
    return [
      .matrix(cones), .curves(.init(.init([.power(1.0 / 3)]))), step,
      .curves(.init(.init([.power(3)]))), .matrix(cones.inverse),
    ].inEncoding(.linear)
  }

  /// Returns the steps that map gamma-encoded values to what a map computes from the cube roots of
  /// their cone responses.
  static func measuring(_ map: some PixelMapping, in space: WorkingSpace) -> [FilterOperation] {
    [
      .curves(.init(.init([.decode]))), .matrix(coneResponse(of: space)),
      .curves(.init(.init([.power(1.0 / 3)]))), .map(PixelMap(map)),
    ]
  }
}
