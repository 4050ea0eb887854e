// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditPlatform

/// Counts of the magnitudes of coefficients, from which their exact median is found.
///
/// All magnitudes are counted by the upper halves of their bits, and those near the expected median
/// by all bits.
final class MagnitudeCounts {
  private static let bins = 1 << Int(PE_MAGNITUDE_BITS)
  private let counts: UnsafeMutablePointer<UInt32>
  /// The first one of the three upper halves that are counted by all bits.
  private var first = 0
  /// The magnitudes known so far, by rank.
  private var known: [Int: Float] = [:]

  init() {
    counts = .allocate(capacity: 4 * Self.bins)
    clear()
  }

  deinit { counts.deallocate() }

  private func clear() { memset(counts, 0, 4 * Self.bins * MemoryLayout<UInt32>.stride) }

  /// Counts a row of coefficients.
  ///
  /// - Parameter low: The coefficients of the band that is low in both directions.
  func add(_ row: UnsafePointer<Float>, low: UnsafePointer<Float>, _ count: Int) {
    pe_count_magnitudes(row, low, count, UInt32(first), counts, counts + Self.bins)
  }

  /// Counts from the beginning, with the exact counts near the current median.
  func expectMedian() {
    let (bin, _) = position(of: total / 2, in: 0..<Self.bins)
    first = max(bin - 1, 0)
    clear()
  }

  /// Returns the median, or nil if the magnitudes must be counted again because it is not where it
  /// was expected.
  func median() -> Double? {
    let total = total
    if total == 0 { return 0 }
    let ranks = total % 2 == 0 ? [total / 2, total / 2 - 1] : [total / 2]
    var missing: Int?
    for rank in ranks where known[rank] == nil {
      let (bin, rest) = position(of: rank, in: 0..<Self.bins)
      guard first..<first + 3 ~= bin else {
        missing = bin
        continue
      }
      let start = (1 + bin - first) * Self.bins
      let (lower, _) = position(of: rest, in: start..<start + Self.bins)
      known[rank] = Float(bitPattern: UInt32(bin * Self.bins + lower - start))
    }
    if let missing {
      first = max(missing - 1, 0)
      clear()
      return nil
    }
    let values = ranks.compactMap { known[$0] }.map { Double($0) }
    return values.count == 2 ? (values[0] + values[1]) / 2 : values[0]
  }

  /// The number of counted magnitudes.
  private var total: Int {
    var (total, bin) = (0, 0)
    while bin < Self.bins {
      total += Int(counts[bin])
      bin += 1
    }
    return total
  }

  /// Returns the bin that contains a rank, and the rank within the bin.
  private func position(of rank: Int, in bins: Range<Int>) -> (bin: Int, rank: Int) {
    var (bin, rank) = (bins.lowerBound, rank)
    while bin + 1 < bins.upperBound, counts[bin] <= rank {
      rank -= Int(counts[bin])
      bin += 1
    }
    return (bin, rank)
  }
}
