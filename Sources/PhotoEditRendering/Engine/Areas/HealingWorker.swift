// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform

/// Replaces discs by other discs; alpha is treated as a color.
struct HealingWorker: AreaWorker {
  private let healing: Healing

  init(_ healing: Healing) { self.healing = healing }

  func fill(_ output: PlaneStrip, planes: Range<Int>, from input: PlaneRows) {
    for y in output.rows {
      for plane in planes {
        output.row(y, plane: plane).update(from: input.row(y, plane: plane), count: output.width)
      }
    }
    for spot in healing.spots where spot.rows.overlaps(output.rows) {
      for plane in planes {
        let membrane = healing.isSeamless ? Membrane(spot, input, plane: plane) : nil
        for y in spot.rows.clamped(to: output.rows) {
          replace(
            spot, membrane, y, output.row(y, plane: plane),
            by: input.row(y + spot.offset.y, plane: plane), width: output.width)
        }
      }
    }
  }

  private func replace(
    _ spot: Healing.Spot, _ membrane: Membrane?, _ y: Int, _ row: UnsafeMutablePointer<Float>,
    by source: UnsafePointer<Float>, width: Int
  ) {
    let v = (Double(y) + 0.5 - spot.center.y) / spot.radius
    for x in spot.columns(of: y).clamped(to: 0..<width) {
      let u = (Double(x) + 0.5 - spot.center.x) / spot.radius
      let distance = (u * u + v * v).squareRoot()
      let share = 1 - smoothStep(1 - healing.feather, 1, distance)
      let copied = Double(source[min(max(x + spot.offset.x, 0), width - 1)])
      let target = copied + (membrane?.value(at: SIMD2(u, v)) ?? 0)
      row[x] += Float(share * (target - Double(row[x])))
    }
  }
}

/// The harmonic function in a disc with given values on its rim, as the real part of a power series.
private struct Membrane {
  /// The coefficients, real and imaginary, from the constant on.
  private let coefficients: [SIMD2<Double>]
  /// Finer structures of the rim reach only the pixels next to it.
  private static let mostHarmonics = 256

  /// Takes the difference of the image from the source on the rim of a spot.
  init(_ spot: Healing.Spot, _ input: PlaneRows, plane: Int) {
    // At least one value for every pixel of the rim.
    let count = max(16, 2 * Int((.pi * spot.radius).rounded(.up)))
    let turns = (0..<count).map { index -> SIMD2<Double> in
      let angle = 2 * .pi * Double(index) / Double(count)
      return SIMD2(cos(angle), sin(angle))
    }
    let shift = SIMD2(Double(spot.offset.x), Double(spot.offset.y))
    let values = turns.map { turn -> Double in
      let point = spot.center + spot.radius * turn
      return input.value(at: point, plane: plane) - input.value(at: point + shift, plane: plane)
    }
    coefficients = (0...min(count / 2 - 1, Self.mostHarmonics)).map { harmonic in
      var (sum, turn) = (SIMD2<Double>.zero, 0)
      for value in values {
        sum += value * SIMD2(turns[turn].x, -turns[turn].y)
        turn += harmonic
        if turn >= count { turn -= count }
      }
      return sum * ((harmonic == 0 ? 1 : 2) / Double(count))
    }
  }

  /// Returns the value at a position in units of the radius.
  func value(at z: SIMD2<Double>) -> Double {
    let square = (z * z).sum()
    // The terms that are left out are below a hundred-thousandth of the values on the rim.
    let needed = square > 0 ? log(1e-10) / log(min(square, 1 - 1e-12)) : 0
    var sum = SIMD2<Double>.zero
    for index in stride(from: min(Int(needed) + 1, coefficients.count - 1), through: 0, by: -1) {
      sum = SIMD2(sum.x * z.x - sum.y * z.y, sum.x * z.y + sum.y * z.x) + coefficients[index]
    }
    return sum.x
  }
}

extension PlaneRows {
  /// Returns a value between pixels, interpolated linearly.
  fileprivate func value(at point: SIMD2<Double>, plane: Int) -> Double {
    let corner = point - 0.5
    let (left, top) = (corner.x.rounded(.down), corner.y.rounded(.down))
    func column(_ x: Double) -> Int { min(max(Int(x), 0), size.width - 1) }
    func across(_ y: Double) -> Double {
      let row = row(Int(y), plane: plane)
      let (a, b) = (Double(row[column(left)]), Double(row[column(left + 1)]))
      return a + (b - a) * (corner.x - left)
    }
    let (above, below) = (across(top), across(top + 1))
    return above + (below - above) * (corner.y - top)
  }
}
