// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage

/// Samples an image along a projection, and the rays of a lens.
struct WarpWorker: AreaWorker {
  /// The number of positions between two pixels with precomputed weights; weights in between are
  /// interpolated linearly.
  private static let phases = 1024

  private let warp: Warp
  private let hasAlpha: Bool
  /// The weights of all taps, for each phase and for the one after the last.
  private let weights: [Float]
  /// The weights of the kernels used so far; each thread of each rendering has a worker.
  private static let tables = LockedValue<[ResamplingKernel: [Float]]>([:])

  init(_ warp: Warp, hasAlpha: Bool) {
    self.warp = warp
    self.hasAlpha = hasAlpha
    weights = Self.tables.withLock { tables in
      if let table = tables[warp.kernel] { return table }
      let table = Self.weights(of: warp.kernel, taps: warp.taps)
      tables[warp.kernel] = table
      return table
    }
  }

  private static func weights(of kernel: ResamplingKernel, taps: Int) -> [Float] {
    (0...phases).flatMap { phase -> [Float] in
      if taps == 1 { return [1] }
      let share = Double(phase) / Double(phases)
      let raw = (0..<taps).map { kernel.weight(Double($0 - taps / 2 + 1) - share) }
      let sum = raw.reduce(0, +)
      return raw.map { Float($0 / sum) }
    }
  }

  func fill(_ output: PlaneStrip, planes: Range<Int>, from input: PlaneRows) {
    let rows = warp.inputRows(for: output.rows, input: input.size)
    let pointers = rows.map { Optional(input.row($0, plane: planes.lowerBound)) }
    let part = Region(x: 0, y: rows.lowerBound, width: input.size.width, height: rows.count)
    fill(
      output.rows, of: warp.region, from: pointers, showing: part, of: input.size,
      planes: planes.count
    ) { output.row($0, plane: planes.lowerBound) }
  }

  /// Writes rows of a part of the result.
  ///
  /// - Parameters:
  ///   - rows: The rows, counted from the top of the part.
  ///   - pointers: The rows of a part of the source, each with its planes one after the other.
  ///   - source: That part of the source, with all pixels that the rows depend on.
  ///   - size: The size of the whole source.
  ///   - output: Returns where to write a row, with its planes one after the other.
  func fill(
    _ rows: Range<Int>, of part: Region, from pointers: [UnsafePointer<Float>?],
    showing source: Region, of size: PixelSize, planes: Int,
    into output: (Int) -> UnsafeMutablePointer<Float>
  ) {
    let surround = (0..<planes).map { plane in
      warp.surround?.level(ofPlane: plane, count: planes, hasAlpha: hasAlpha) ?? 0
    }
    let m = warp.projection.m
    var radial = warp.radial.map { pe_radial_map($0) } ?? pe_radial_map()
    // Premultiplied colors belong to the alpha of their own place.
    if hasAlpha { radial.has_fringes = 0 }
    let isRadial = warp.radial != nil
    withUnsafePointer(to: &radial) { radial in
      pointers.withUnsafeBufferPointer { pointers in
        weights.withUnsafeBufferPointer { weights in
          surround.withUnsafeBufferPointer { surround in
            var how = pe_warp(
              rows: pointers.baseAddress, first_row: source.y, row_count: source.height,
              first_column: source.x, column_count: source.width, width: size.width,
              height: size.height, planes: planes, weights: weights.baseAddress, taps: warp.taps,
              phases: Self.phases, surround: warp.surround == nil ? nil : surround.baseAddress,
              m: (m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]),
              radial: isRadial ? radial : nil)
            for y in rows {
              pe_warp_row(&how, part.x, part.y + y, part.width, output(y), part.width)
            }
          }
        }
      }
    }
  }
}

extension pe_radial_map {
  /// A map in the form that the kernels expect.
  fileprivate init(_ map: RadialMap) {
    let (k, r, b) = (map.factors, map.red, map.blue)
    self.init(
      center_x: map.center.x, center_y: map.center.y, unit: map.unit,
      factors: (k[0], k[1], k[2], k[3], k[4]), fringes: ((r[0], r[1], r[2]), (b[0], b[1], b[2])),
      has_fringes: map.hasFringes ? 1 : 0)
  }
}
