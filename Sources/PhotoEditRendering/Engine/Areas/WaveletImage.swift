// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage

/// The luma and the color differences of an image without noise.
final class WaveletImage: @unchecked Sendable {
  // Safe: the parts are written in `transform` and read after it.
  private let shrinkage: WaveletShrinkage
  private let size: PixelSize
  private let planes: Int
  private let work = SharedWork()
  private let memory: UnsafeMutableRawBufferPointer?
  private var parts: [WaveletRows] = []
  private var darkest: [Float] = []

  init(_ shrinkage: WaveletShrinkage, size: PixelSize, planes: Int, overwritesInput: Bool) {
    self.shrinkage = shrinkage
    self.size = size
    self.planes = planes
    let count = planes * size.width * size.height
    memory =
      overwritesInput
      ? nil : HugePageBuffer.allocate(byteCount: count * MemoryLayout<Float>.stride)
  }

  deinit { memory?.deallocate() }

  /// Computes all parts, together with the other threads that call this method.
  func transform(_ colors: Range<Int>, alpha: Int?, _ input: PlaneRows) {
    work.finish {
      let visible = VisibleColors(colors, alpha: alpha, input)
      let floats = memory?.bindMemory(to: Float.self).baseAddress
      parts = (0..<planes).map { part in
        WaveletRows(width: size.width, height: size.height) { y in
          floats.map { $0 + (part * size.height + y) * size.width }
            ?? input.mutableRow(y, plane: colors.lowerBound + part)
        }
      }
      mix(visible)
      let pyramid = WaveletPyramid(shrinkage, size: size)
      for (index, part) in parts.enumerated() {
        let offset = -darkest[index]
        work.forEachBlock(of: 0..<part.height) { rows in
          for y in rows { pe_affine(part.row(y), part.width, 1, offset, part.row(y)) }
        }
        // The variances of independent noise in three channels add up.
        let share = WaveletShrinkage.fromRGB[index].reduce(0) { $0 + $1 * $1 }.squareRoot()
        pyramid.shrink(part, noise: shrinkage.sigma.map { $0 * share }, work)
      }
    }
  }

  /// Computes the parts with their noise.
  private func mix(_ visible: VisibleColors) {
    // The luma of a gray image is its only channel.
    let mixes = planes == 3 ? WaveletShrinkage.fromRGB : [[1]]
    let (parts, width) = (parts, size.width)
    let least = LockedValue([Float](repeating: .infinity, count: planes))
    work.forEachBlock(of: 0..<size.height) { rows in
      var darkest = [Float](repeating: .infinity, count: parts.count)
      withUnsafeTemporaryAllocation(of: Float.self, capacity: parts.count * width) { mixed in
        guard let mixed = mixed.baseAddress else { return }
        for y in rows {
          for (index, weights) in mixes.enumerated() {
            visible.mix(weights, y: y, into: mixed + index * width)
          }
          // The parts may be in the memory of the colors.
          for (index, part) in parts.enumerated() {
            part.row(y).update(from: mixed + index * width, count: width)
            darkest[index] = min(darkest[index], (mixed + index * width).least(width))
          }
        }
      }
      least.withLock { least in
        for index in least.indices { least[index] = min(least[index], darkest[index]) }
      }
    }
    // The darkest samples carry no information about noise, because they may be clipped.
    darkest = least.withLock { $0 }
  }

  /// Writes a row of the colors.
  func write(_ y: Int, _ colors: Range<Int>, to output: PlaneStrip) {
    let width = size.width
    withUnsafeTemporaryAllocation(of: Float.self, capacity: planes * width) { rows in
      guard let rows = rows.baseAddress else { return }
      for (index, part) in parts.enumerated() {
        pe_affine(part.row(y), width, 1, darkest[index], rows + index * width)
      }
      let first = colors.lowerBound
      guard planes == 3 else {
        return output.row(y, plane: first).update(from: rows, count: width)
      }
      pe_matrix(
        rows, rows + width, rows + 2 * width, width, Self.toRGB, output.row(y, plane: first),
        output.row(y, plane: first + 1), output.row(y, plane: first + 2))
    }
  }

  private static let toRGB: [Float] =
    WaveletShrinkage.toRGB.flatMap { row in row.map { Float($0) } + [0] }
}

extension UnsafeMutablePointer<Float> {
  /// Returns the smallest of some samples.
  fileprivate func least(_ count: Int) -> Float {
    var lanes = SIMD16<Float>(repeating: .infinity)
    let whole = count / 16 * 16
    for index in stride(from: 0, to: whole, by: 16) {
      let samples = UnsafeRawPointer(self + index).loadUnaligned(as: SIMD16<Float>.self)
      lanes.replace(with: samples, where: samples .< lanes)
    }
    return (whole..<count).reduce(lanes.min()) { Swift.min($0, self[$1]) }
  }
}

/// Premultiplied colors divided by alpha again; the mean color where alpha is 0.
private struct VisibleColors: @unchecked Sendable {
  // Safe: a row is read by one thread, before it is overwritten.
  private let colors: Range<Int>
  private let alpha: Int?
  private let input: PlaneRows
  private let means: [Float]

  init(_ colors: Range<Int>, alpha: Int?, _ input: PlaneRows) {
    self.colors = colors
    self.alpha = alpha
    self.input = input
    guard let alpha else {
      means = []
      return
    }
    let planes = Array(colors) + [alpha]
    var sums = [Double](repeating: 0, count: planes.count)
    for y in 0..<input.size.height {
      for (index, plane) in planes.enumerated() {
        let row = input.row(y, plane: plane)
        for x in 0..<input.size.width { sums[index] += Double(row[x]) }
      }
    }
    let total = sums[colors.count]
    means = sums.dropLast().map { total > 0 ? Float($0 / total) : 0 }
  }

  /// Writes a weighted sum of the colors of a row.
  func mix(_ weights: [Double], y: Int, into out: UnsafeMutablePointer<Float>) {
    let width = input.size.width
    let rows = colors.map { input.row(y, plane: $0) }
    let weights = weights.map { Float($0) }
    if rows.count == 3 {
      pe_weighted_sum(rows[0], rows[1], rows[2], width, weights + [0], out)
    } else {
      out.update(from: rows[0], count: width)
    }
    guard let alpha else { return }
    let hidden = zip(weights, means).reduce(Float(0)) { $0 + $1.0 * $1.1 }
    let row = input.row(y, plane: alpha)
    for x in 0..<width { out[x] = row[x] > 0 ? out[x] / row[x] : hidden }
  }
}
