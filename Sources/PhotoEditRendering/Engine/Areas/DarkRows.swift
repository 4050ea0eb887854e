// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

/// Rows of the dark channel: the smallest sample of all channels in a square around each pixel.
///
/// A minimum of n pixels is that of two overlapping minima of the largest power of two; those are
/// minima of two halves, so that the work grows with the logarithm of n. Squares end at the edges
/// of the image, and transparent pixels do not count.
final class DarkRows {
  private let reach: Int
  private let width: Int
  private let planes: Range<Int>
  private let hasAlpha: Bool
  /// The reciprocals of the samples that count as 1.
  private let scales: [Float]
  /// The number of powers of two up to the width of a square.
  private let powers: Int
  private let memory: UnsafeMutablePointer<Float>
  /// The row held at each index, for minima of 1, 2, 4, … rows from it downward; nil if empty.
  private var held: [[Int?]] = []

  /// Creates empty rows.
  ///
  /// - Parameter white: The color whose samples count as 1.
  init(reach: Int, width: Int, planes: Range<Int>, hasAlpha: Bool, white: SIMD3<Double>) {
    (self.reach, self.width, self.planes, self.hasAlpha) = (reach, width, planes, hasAlpha)
    scales = (0..<3).map { Float(1 / white[$0]) }
    powers = Int.bitWidth - (2 * reach + 1).leadingZeroBitCount
    // The rows, the result, and two rows with margins for minima across.
    let count = (powers * (2 * reach + 2) + 3) * width + 4 * reach
    memory = .allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
  }

  deinit { memory.deallocate() }

  /// Discards the stored rows, so that the next row can be anywhere.
  func reset() { held = Array(repeating: Array(repeating: nil, count: capacity), count: powers) }

  private var capacity: Int { 2 * reach + 2 }
  private var result: UnsafeMutablePointer<Float> { memory + powers * capacity * width }
  /// A row with margins.
  private var across: UnsafeMutablePointer<Float> { result + width }

  /// Returns a row; valid until the next row is requested.
  func row(_ y: Int, of input: PlaneRows) -> UnsafePointer<Float> {
    let last = 1 << (powers - 1)
    let (top, bottom) = (y - reach, y + reach + 1 - last)
    let (a, b) = (least(top, powers - 1, of: input), least(bottom, powers - 1, of: input))
    pe_minimum(a, b, b, width, result)
    return UnsafePointer(result)
  }

  /// Returns the minimum of 2^power rows from y on.
  private func least(_ y: Int, _ power: Int, of input: PlaneRows) -> UnsafePointer<Float> {
    let position = ((y % capacity) + capacity) % capacity
    let row = memory + (power * capacity + position) * width
    if held[power][position] != y {
      if power == 0 {
        least(y, of: input, into: row)
      } else {
        let a = least(y, power - 1, of: input)
        let b = least(y + 1 << (power - 1), power - 1, of: input)
        pe_minimum(a, b, b, width, row)
      }
      held[power][position] = y
    }
    return UnsafePointer(row)
  }

  /// Returns the smallest sample of the channels of each pixel in a row, valid until the next row is
  /// requested; very large where the image is transparent.
  func least(_ y: Int, of input: PlaneRows) -> UnsafePointer<Float> {
    let (darkest, other) = (across + reach, across + width + 2 * reach)
    for (index, plane) in planes.dropLast(hasAlpha ? 1 : 0).enumerated() {
      let scaled = index == 0 ? darkest : other
      pe_affine(input.row(y, plane: plane), width, scales[index], 0, scaled)
      if index > 0 { pe_minimum(darkest, other, other, width, darkest) }
    }
    if hasAlpha {
      let alpha = input.row(y, plane: planes.upperBound - 1)
      for x in 0..<width {
        darkest[x] = alpha[x] > 0 ? darkest[x] / alpha[x] : .greatestFiniteMagnitude
      }
    }
    return UnsafePointer(darkest)
  }

  /// Writes the minima of the channels and of the neighbors in a row.
  private func least(_ y: Int, of input: PlaneRows, into target: UnsafeMutablePointer<Float>) {
    _ = least(y, of: input)
    let count = width + 2 * reach
    var (from, to) = (across, across + count)
    let darkest = from + reach
    for k in 1..<reach + 1 {
      darkest[-k] = darkest[0]
      darkest[width - 1 + k] = darkest[width - 1]
    }
    for power in 0..<powers - 1 {
      let half = 1 << power
      pe_minimum(from, from + half, from + half, count - half, to)
      swap(&from, &to)
    }
    let last = from + (2 * reach + 1 - 1 << (powers - 1))
    pe_minimum(from, last, last, width, target)
  }
}
