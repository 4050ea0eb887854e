// SPDX-License-Identifier: Apache-2.0

/// The color space in which filters work: the primaries and the white point of the source, with the
/// transfer curve of sRGB.
///
/// It is used wherever colors have an absolute meaning: linear luminance, Oklab, the white balance,
/// colors written as `#rrggbb`, and composited images. White is the same in every color space, so a
/// gray has the same meaning in all of them.
public struct WorkingSpace: Sendable, Hashable {
  /// The matrix from linear red, green and blue to X, Y and Z under D65; white has Y = 1.
  public let toXYZ: ColorTransform

  /// Creates a color space from the matrix from its linear values to X, Y and Z.
  ///
  /// - Parameter toXYZ: An invertible matrix that maps (1, 1, 1) to D65.
  public init(toXYZ: ColorTransform) { self.toXYZ = toXYZ }

  /// The color space of images that specify none.
  public static let sRGB = WorkingSpace(toXYZ: ChromaticAdaptation.sRGBToXYZ)

  /// The weights of red, green and blue in linear luminance.
  var luminance: [Double] { toXYZ.rows[1] }

  /// Returns the matrix from linear values of another color space to this one; nil if they are the
  /// same.
  ///
  /// Relative colorimetric: nothing is clamped.
  package func matrix(from other: WorkingSpace) -> ColorTransform? {
    other == self ? nil : other.toXYZ.followed(by: toXYZ.inverse)
  }

  /// Returns the values of an sRGB color; colors outside the color space are below 0 or above 1.
  public func numbers(of color: SIMD3<Double>) -> SIMD3<Double> {
    guard !color.hasEqualChannels, let matrix = matrix(from: .sRGB) else {
      return color
    }
    let linear = matrix.applied(
      to: SIMD3(
        SRGBTransfer.decode(color.x), SRGBTransfer.decode(color.y), SRGBTransfer.decode(color.z)))
    return SIMD3(
      SRGBTransfer.encode(linear.x), SRGBTransfer.encode(linear.y), SRGBTransfer.encode(linear.z))
  }
}

extension Background {
  /// The levels as fractions of the maximum, red, green and blue.
  public var levels: SIMD3<Double> { SIMD3(Double(red), Double(green), Double(blue)) / 255 }
}

extension LoweringContext {
  /// Returns the values of an sRGB color in the current image.
  func numbers(of color: Background) -> SIMD3<Double> {
    space?.numbers(of: color.levels) ?? color.levels
  }
}

/// The color of an illuminant, by correlated color temperature and tint.
struct Illuminant: Sendable, Hashable {
  /// Chromaticity of CIE 1931.
  let x: Double
  let y: Double

  /// Creates an illuminant with chromaticity x, y.
  init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

  /// Creates an illuminant on an isotherm of Robertson's table.
  ///
  /// Between two isotherms, the points on the Planckian locus and the directions of the isotherms
  /// are weighted by reciprocal temperature.
  ///
  /// - Source: Robertson, "Computation of correlated color temperature and distribution
  ///   temperature", 1968; points and directions weighted as in the Adobe DNG SDK.
  /// - Parameters:
  ///   - temperature: Kelvin, at least 1667.
  ///   - tint: Units of 1/3000 along the isotherm in the CIE 1960 plane; above zero the light is
  ///     green, so that an image corrected for it shifts toward magenta.
  init(temperature: Double, tint: Double) {
    let (point, direction) = Self.locus(at: 1e6 / temperature)
    let u = point.u - direction.u * tint / 3000
    let v = point.v - direction.v * tint / 3000
    self.init(u: u, v: v)
  }

  /// Creates an illuminant with a chromaticity in the CIE 1960 plane.
  init(u: Double, v: Double) {
    let sum = 2 * u - 8 * v + 4
    self.init(x: 3 * u / sum, y: 2 * v / sum)
  }

  /// The chromaticity in the CIE 1960 plane.
  var uv: (u: Double, v: Double) {
    let sum = -2 * x + 12 * y + 3
    return (4 * x / sum, 6 * y / sum)
  }

  /// The temperature, at most 25,000 K, and the tint from which `init(temperature:tint:)` creates
  /// this illuminant.
  var temperatureAndTint: (temperature: Double, tint: Double) {
    let (u, v) = uv
    // The side of the isotherm on which the illuminant is changes where that isotherm is its own.
    func isPast(_ reciprocal: Double) -> Bool {
      let (point, direction) = Self.locus(at: reciprocal)
      return (u - point.u) * direction.v - (v - point.v) * direction.u < 0
    }
    var (low, high) = (40.0, 600.0)
    for _ in 0..<50 {
      let middle = (low + high) / 2
      if isPast(middle) { low = middle } else { high = middle }
    }
    let (point, direction) = Self.locus(at: low)
    let tint = -3000 * ((u - point.u) * direction.u + (v - point.v) * direction.v)
    return (1e6 / low, tint)
  }

  /// Returns the point of the Planckian locus with a reciprocal temperature in mired, and the
  /// direction of its isotherm.
  private static func locus(
    at reciprocal: Double
  ) -> (point: (u: Double, v: Double), direction: (u: Double, v: Double)) {
    let table = Self.isotherms
    let index = table.dropFirst().firstIndex { reciprocal <= $0.reciprocal } ?? table.count - 1
    let (left, right) = (table[index - 1], table[index])
    let share = (reciprocal - left.reciprocal) / (right.reciprocal - left.reciprocal)
    func mixed(_ a: Double, _ b: Double) -> Double { a + share * (b - a) }
    let direction = unit(
      mixed(left.direction.u, right.direction.u), mixed(left.direction.v, right.direction.v))
    return ((mixed(left.u, right.u), mixed(left.v, right.v)), direction)
  }

  private static func unit(_ u: Double, _ v: Double) -> (u: Double, v: Double) {
    let length = (u * u + v * v).squareRoot()
    return (u / length, v / length)
  }

  /// A point on the Planckian locus in the CIE 1960 plane, and the slope of its isotherm there.
  private struct Isotherm {
    let reciprocal: Double
    let u: Double
    let v: Double
    /// A unit vector toward the magenta side.
    let direction: (u: Double, v: Double)

    init(_ reciprocal: Double, _ u: Double, _ v: Double, slope: Double) {
      (self.reciprocal, self.u, self.v) = (reciprocal, u, v)
      direction = Illuminant.unit(1, slope)
    }
  }

  /// By reciprocal megakelvins (mired); u at 325 is 0.24792, misprinted as 0.24702 in older tables.
  private static let isotherms: [Isotherm] = [
    Isotherm(0, 0.18006, 0.26352, slope: -0.24341),
    Isotherm(10, 0.18066, 0.26589, slope: -0.25479),
    Isotherm(20, 0.18133, 0.26846, slope: -0.26876),
    Isotherm(30, 0.18208, 0.27119, slope: -0.28539),
    Isotherm(40, 0.18293, 0.27407, slope: -0.30470),
    Isotherm(50, 0.18388, 0.27709, slope: -0.32675),
    Isotherm(60, 0.18494, 0.28021, slope: -0.35156),
    Isotherm(70, 0.18611, 0.28342, slope: -0.37915),
    Isotherm(80, 0.18740, 0.28668, slope: -0.40955),
    Isotherm(90, 0.18880, 0.28997, slope: -0.44278),
    Isotherm(100, 0.19032, 0.29326, slope: -0.47888),
    Isotherm(125, 0.19462, 0.30141, slope: -0.58204),
    Isotherm(150, 0.19962, 0.30921, slope: -0.70471),
    Isotherm(175, 0.20525, 0.31647, slope: -0.84901),
    Isotherm(200, 0.21142, 0.32312, slope: -1.0182),
    Isotherm(225, 0.21807, 0.32909, slope: -1.2168),
    Isotherm(250, 0.22511, 0.33439, slope: -1.4512),
    Isotherm(275, 0.23247, 0.33904, slope: -1.7298),
    Isotherm(300, 0.24010, 0.34308, slope: -2.0637),
    Isotherm(325, 0.24792, 0.34655, slope: -2.4681),
    Isotherm(350, 0.25591, 0.34951, slope: -2.9641),
    Isotherm(375, 0.26400, 0.35200, slope: -3.5814),
    Isotherm(400, 0.27218, 0.35407, slope: -4.3633),
    Isotherm(425, 0.28039, 0.35577, slope: -5.3762),
    Isotherm(450, 0.28863, 0.35714, slope: -6.7262),
    Isotherm(475, 0.29685, 0.35823, slope: -8.5955),
    Isotherm(500, 0.30505, 0.35907, slope: -11.324),
    Isotherm(525, 0.31320, 0.35968, slope: -15.628),
    Isotherm(550, 0.32129, 0.36011, slope: -23.325),
    Isotherm(575, 0.32931, 0.36038, slope: -40.770),
    Isotherm(600, 0.33724, 0.36051, slope: -116.45),
  ]
}

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
