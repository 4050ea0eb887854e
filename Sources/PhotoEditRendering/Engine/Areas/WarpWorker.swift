// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

/// Samples an image along a projection.
struct WarpWorker: AreaWorker {
  /// The number of positions between two pixels with precomputed weights; weights in between are
  /// interpolated linearly.
  private static let phases = 1024

  private let warp: Warp
  private let hasAlpha: Bool
  /// The weights of all taps, for each phase and for the one after the last.
  private let weights: [Float]

  init(_ warp: Warp, hasAlpha: Bool) {
    self.warp = warp
    self.hasAlpha = hasAlpha
    let (taps, kernel) = (warp.taps, warp.kernel)
    weights = (0...Self.phases).flatMap { phase -> [Float] in
      if taps == 1 { return [1] }
      let share = Double(phase) / Double(Self.phases)
      let raw = (0..<taps).map { kernel.weight(Double($0 - taps / 2 + 1) - share) }
      let sum = raw.reduce(0, +)
      return raw.map { Float($0 / sum) }
    }
  }

  func fill(_ output: PlaneStrip, planes: Range<Int>, from input: PlaneRows) {
    let rows = warp.inputRows(for: output.rows, input: input.size)
    let pointers = rows.map { Optional(input.row($0, plane: planes.lowerBound)) }
    let surround = planes.map { plane in
      warp.surround?.level(
        ofPlane: plane - planes.lowerBound, count: planes.count, hasAlpha: hasAlpha) ?? 0
    }
    for y in output.rows {
      pointers.withUnsafeBufferPointer { pointers in
        var how = pe_warp(
          rows: pointers.baseAddress, first_row: rows.lowerBound, row_count: rows.count,
          width: input.size.width, height: input.size.height, planes: planes.count,
          weights: nil, taps: warp.taps, phases: Self.phases,
          surround: nil, m: (0, 0, 0, 0, 0, 0, 0, 0, 0))
        let m = warp.projection.m
        how.m = (m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8])
        weights.withUnsafeBufferPointer { weights in
          how.weights = weights.baseAddress
          surround.withUnsafeBufferPointer { surround in
            how.surround = warp.surround == nil ? nil : surround.baseAddress
            pe_warp_row(
              &how, y, output.width, output.row(y, plane: planes.lowerBound), output.width)
          }
        }
      }
    }
  }
}
