// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditPlatform

/// Values for eight bands of hues, which blend into each other.
struct HueBands: Sendable, Hashable {
  /// The hues (Oklch) of red, orange, yellow, green, aqua, blue, purple and magenta in degrees, at
  /// which only one band counts.
  static let centers = [20.0, 55, 105, 142, 198, 252, 300, 345]

  /// The value of each band.
  let values: [Double]
  /// Degrees by which the centers are moved.
  var shift = 0.0

  /// Returns the hue to which a band's own hue moves: two thirds of the way to a neighbor at most,
  /// so that the hues between them keep their order.
  static func turn(of band: Int, by share: Double) -> Double {
    let count = centers.count
    let neighbor = centers[(band + (share > 0 ? 1 : count - 1)) % count]
    let distance = abs(neighbor - centers[band])
    return share * 2 / 3 * min(distance, 360 - distance)
  }

  /// Returns the value at a hue in degrees; the weights of two neighboring bands are a smoothstep
  /// and its complement.
  func callAsFunction(_ hue: Double) -> Double {
    let centers = Self.centers
    let rotated = hue - shift - 360 * ((hue - shift - centers[0]) / 360).rounded(.down)
    let band = centers.lastIndex { $0 <= rotated } ?? 0
    let next = (band + 1) % centers.count
    let end = next == 0 ? centers[0] + 360 : centers[next]
    let share = smoothStep(centers[band], end, rotated)
    return values[band] * (1 - share) + values[next] * share
  }
}

/// A map of cube roots of cone responses (Oklab) by hue.
///
/// With the values t, s and l of the bands, and a gate g, a smoothstep of the chroma: the hue is
/// rotated by g·t; the lightness rises by g·l·k·C/(C + c); and chroma is multiplied by 1 + s, or
/// above 0 by 1 + s·(1 − r²)·(1 − e^−u)/u with r = C/Cmax and u = s·r·(1 + r). That is the change
/// ΔC = C·s·(1 − r²), taken as (Cmax − C)·(1 − e^(−ΔC/(Cmax − C))), so that Cmax, the largest chroma
/// at the new hue and lightness, is never reached.
struct HueAdjustment: PixelMapping {
  /// The values of a hue.
  private struct Change {
    /// Radians.
    var turn = 0.0
    var saturation = 0.0
    var lightness = 0.0
  }

  private static let steps = Int(PE_HUE_STEPS)

  /// The turn in radians, the saturation and the lightness of each quarter of a degree.
  private let changes: [Float]
  /// The chroma at which the change of hue and lightness starts, and from which it is complete.
  private let gate: (low: Double, high: Double)
  /// The most that the lightness rises, and the chroma at which it is half of that.
  private let lightness: (most: Double, half: Double)
  private let space: WorkingSpace

  /// Creates the adjustment of a color mixer.
  ///
  /// - Parameters:
  ///   - turns: Degrees.
  ///   - saturations: −1 to 1; −1 is gray.
  ///   - lightnesses: −1 to 1.
  init(turns: HueBands, saturations: HueBands, lightnesses: HueBands, in space: WorkingSpace) {
    self.init(
      turns, saturations, lightnesses, gate: (0.01, 0.05), lightness: (0.35, 0.06), space)
  }

  /// Creates the adjustment that makes all colors gray, each hue as bright as its band demands.
  ///
  /// - Parameters:
  ///   - mix: −1 to 1.
  ///   - gate: The chroma at which the change of lightness starts, and from which it is complete.
  init(
    grayMixing mix: HueBands, gate: (low: Double, high: Double) = (-2, -1), in space: WorkingSpace
  ) {
    let (none, gray) = (mix.repeating(0), mix.repeating(-1))
    self.init(none, gray, mix, gate: gate, lightness: (0.5, 0.1), space)
  }

  private init(
    _ turns: HueBands, _ saturations: HueBands, _ lightnesses: HueBands,
    gate: (low: Double, high: Double), lightness: (most: Double, half: Double),
    _ space: WorkingSpace
  ) {
    changes = (0...Self.steps).flatMap { step in
      let hue = Double(step) * 360 / Double(Self.steps)
      return [turns(hue) * Double.pi / 180, saturations(hue), lightnesses(hue)].map { Float($0) }
    }
    (self.gate, self.lightness, self.space) = (gate, lightness, space)
  }

  static func == (one: HueAdjustment, other: HueAdjustment) -> Bool {
    one.changes == other.changes && one.gate == other.gate && one.lightness == other.lightness
      && one.space == other.space
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(changes)
    hasher.combine(space)
  }

  var preservesGray: Bool { true }

  /// Returns the interpolated change at a hue in degrees, 0 to 360.
  private func change(at hue: Double) -> Change {
    let position = hue * Double(Self.steps) / 360
    let left = min(max(Int(position), 0), Self.steps - 1)
    func mixed(_ value: Int) -> Double {
      let (a, b) = (Double(changes[3 * left + value]), Double(changes[3 * left + 3 + value]))
      return a + (b - a) * (position - Double(left))
    }
    return Change(turn: mixed(0), saturation: mixed(1), lightness: mixed(2))
  }

  func callAsFunction(_ color: SIMD3<Double>, x: Int, y: Int) -> SIMD3<Double> {
    let lab = Oklab.opponent.applied(to: color)
    let chroma = (lab.y * lab.y + lab.z * lab.z).squareRoot()
    let hue = Oklab.hue(lab)
    let change = change(at: hue)
    let share = smoothStep(gate.low, gate.high, chroma)
    let turn = share * change.turn
    let rise = share * change.lightness * lightness.most * chroma / (chroma + lightness.half)
    var factor = 1 + change.saturation
    if change.saturation > 0 {
      let rotated = (hue + turn * 180 / Double.pi + 360).truncatingRemainder(dividingBy: 360)
      let most = max(GamutTable.of(space)[lab.x + rise, rotated], 1e-6)
      let r = min(chroma / most, 1)
      let u = change.saturation * r * (1 + r)
      factor = 1 + change.saturation * (1 - r * r) * (u > 0 ? -expm1(-u) / u : 1)
    }
    let (c, s) = (cos(turn) * factor, sin(turn) * factor)
    let moved = SIMD3(rise, lab.y * c - lab.z * s - lab.y, lab.y * s + lab.z * c - lab.z)
    return color + Oklab.opponentInverse.applied(to: moved)
  }

  var kernel: PixelKernel { pe_hue_bands }

  func constants(in memory: any KernelMemory) -> UnsafeRawPointer {
    let how = pe_hue_adjustment(
      oklab: Oklab.constants, gate_low: Float(gate.low), gate_high: Float(gate.high),
      lightness: Float(lightness.most), half: Float(lightness.half),
      largest: memory.store(GamutTable.of(space).chroma), changes: memory.store(changes))
    return UnsafeRawPointer(memory.store([how]))
  }
}

extension HueBands {
  /// Returns bands at the same hues, all with one value.
  fileprivate func repeating(_ value: Double) -> HueBands {
    HueBands(values: values.map { _ in value }, shift: shift)
  }
}
