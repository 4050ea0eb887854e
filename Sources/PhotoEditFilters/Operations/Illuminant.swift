// SPDX-License-Identifier: Apache-2.0

/// The color of an illuminant, by correlated color temperature and tint.
struct Illuminant: Sendable, Hashable {
  /// Chromaticity of CIE 1931.
  let x: Double
  let y: Double

  /// Creates an illuminant with chromaticity x, y.
  init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

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
    let reciprocal = 1e6 / temperature
    let table = Self.isotherms
    let index = table.dropFirst().firstIndex { reciprocal <= $0.reciprocal } ?? table.count - 1
    let (left, right) = (table[index - 1], table[index])
    let share = (reciprocal - left.reciprocal) / (right.reciprocal - left.reciprocal)
    func mixed(_ a: Double, _ b: Double) -> Double { a + share * (b - a) }
    let (du, dv) = Self.unit(
      mixed(left.direction.u, right.direction.u), mixed(left.direction.v, right.direction.v))
    let u = mixed(left.u, right.u) - du * tint / 3000
    let v = mixed(left.v, right.v) - dv * tint / 3000
    let sum = 2 * u - 8 * v + 4
    self.init(x: 3 * u / sum, y: 2 * v / sum)
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
      self.reciprocal = reciprocal
      self.u = u
      self.v = v
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
