// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditPlatform
import PhotoEditStorage

/// A map of cube roots of cone responses (Oklab) that changes muted colors more than saturated ones.
///
/// With r = C/Cmax, the share of the largest chroma that the color space has at the hue and the
/// lightness, p = 2·amount·(1 − 0.6·skin)·(1 − r) and t = max(0, p)·r, chroma is multiplied by
/// 1 + p·(1 − r)·(1 − e^−t)/t, but not below 0. That is the change ΔC = C·p·(1 − r), taken as
/// (Cmax − C)·(1 − e^(−ΔC/(Cmax − C))) if it is an increase, so that Cmax is never reached.
struct ChromaBoost: PixelMapping {
  /// The strength, −1 to 1.
  let amount: Double
  let space: WorkingSpace

  var preservesGray: Bool { true }

  func callAsFunction(_ color: SIMD3<Double>, x: Int, y: Int) -> SIMD3<Double> {
    let lab = Oklab.opponent.applied(to: color)
    let chroma = (lab.y * lab.y + lab.z * lab.z).squareRoot()
    let hue = Oklab.hue(lab)
    let share = min(chroma / max(GamutTable.of(space)[lab.x, hue], 1e-6), 1)
    let skin =
      smoothStep(5, 18, hue) * (1 - smoothStep(62, 80, hue)) * smoothStep(0.015, 0.035, chroma)
      * (1 - smoothStep(0.10, 0.14, chroma))
    let pull = 2 * amount * (1 - 0.6 * skin) * (1 - share)
    let t = max(0, pull) * share
    let more = max(pull * (1 - share) * (t > 0 ? -expm1(-t) / t : 1), -1)
    let change = SIMD3(0, lab.y * more, lab.z * more)
    return color + Oklab.opponentInverse.applied(to: change)
  }

  var kernel: PixelKernel { pe_chroma_boost }

  func constants(in memory: any KernelMemory) -> UnsafeRawPointer {
    let change = pe_chroma_change(
      oklab: Oklab.constants, amount: Float(amount),
      largest: memory.store(GamutTable.of(space).chroma))
    return UnsafeRawPointer(memory.store([change]))
  }
}

extension Oklab {
  /// The hue of lightness and opponent axes in degrees, 0 to 360.
  static func hue(_ lab: SIMD3<Double>) -> Double {
    let hue = atan2(lab.z, lab.y) * 180 / Double.pi
    return hue < 0 ? hue + 360 : hue
  }

  /// The matrices in the form that kernels take.
  static var constants: pe_oklab {
    let m = opponent.rows.map { $0.map { Float($0) } }
    let n = opponentInverse.rows.map { $0.map { Float($0) } }
    return pe_oklab(
      opponent: (
        m[0][0], m[0][1], m[0][2], m[1][0], m[1][1], m[1][2], m[2][0], m[2][1], m[2][2]
      ),
      inverse: (n[0][1], n[0][2], n[1][1], n[1][2], n[2][1], n[2][2]))
  }
}

/// The largest chroma (Oklch) of the colors of a space, by lightness and hue.
struct GamutTable: Sendable {
  private static let rows = Int(PE_GAMUT_ROWS)
  private static let columns = Int(PE_GAMUT_COLUMNS)
  private static let known = LockedValue<[WorkingSpace: GamutTable]>([:])

  /// Rows of equal lightness from 0 to 1, each with the hues from 0° to 360°.
  let chroma: [Float]

  /// Returns the table of a color space, which is computed once.
  static func of(_ space: WorkingSpace) -> GamutTable {
    if let table = known.withLock({ $0[space] }) { return table }
    let table = GamutTable(space)
    known.withLock { known in
      // Photos have few color spaces; damaged profiles could have any.
      if known.count >= 16 { known = [:] }
      known[space] = table
    }
    return table
  }

  private init(_ space: WorkingSpace) {
    let toLinear = Oklab.coneResponse(of: space).inverse
    let white = toLinear.applied(to: SIMD3(1, 1, 1))
    var chroma = [Float](repeating: 0, count: Self.rows * Self.columns)
    for column in 0..<Self.columns - 1 {
      let hue = Double(column) * Double.pi / 180
      let direction = Oklab.opponentInverse.applied(to: SIMD3(0, cos(hue), sin(hue)))
      // The linear color is that of cubes: a polynomial of the chroma.
      let first = toLinear.applied(to: 3 * direction)
      let second = toLinear.applied(to: 3 * direction * direction)
      let third = toLinear.applied(to: direction * direction * direction)
      for row in 1..<Self.rows - 1 {
        let lightness = Double(row) / Double(Self.rows - 1)
        let square = lightness * lightness
        var (inside, outside) = (0.0, 1.0)
        for _ in 0..<24 {
          let middle = (inside + outside) / 2
          let linear =
            white * (square * lightness)
            + (first * square + (second * lightness + third * middle) * middle) * middle
          if linear.min() >= 0 && linear.max() <= 1 { inside = middle } else { outside = middle }
        }
        chroma[row * Self.columns + column] = Float(inside)
      }
    }
    for row in 0..<Self.rows {
      chroma[(row + 1) * Self.columns - 1] = chroma[row * Self.columns]
    }
    self.chroma = chroma
  }

  /// The interpolated chroma at a lightness and a hue in degrees, 0 to 360.
  subscript(lightness: Double, hue: Double) -> Double {
    let row = min(max(lightness, 0), 1) * Double(Self.rows - 1)
    let (top, left) = (min(Int(row), Self.rows - 2), min(max(Int(hue), 0), Self.columns - 2))
    let (down, across) = (row - Double(top), hue - Double(left))
    func mixed(_ row: Int) -> Double {
      let first = row * Self.columns + left
      let (a, b) = (Double(chroma[first]), Double(chroma[first + 1]))
      return a + (b - a) * across
    }
    return mixed(top) + (mixed(top + 1) - mixed(top)) * down
  }
}
