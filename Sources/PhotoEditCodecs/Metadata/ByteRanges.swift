// SPDX-License-Identifier: Apache-2.0

/// Ranges of offsets, sorted, disjoint and non-empty.
struct ByteRanges {
  private(set) var ranges: [Range<Int>]

  /// Sorts ranges and joins those that overlap.
  init(_ unsorted: [Range<Int>]) {
    var joined: [Range<Int>] = []
    for range in unsorted.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = joined.last, range.lowerBound <= last.upperBound {
        joined[joined.count - 1] =
          last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    ranges = joined
  }

  /// Returns the parts of these ranges that are in none of the others.
  func subtracting(_ other: ByteRanges) -> ByteRanges {
    var remaining: [Range<Int>] = []
    var next = other.ranges.startIndex
    for range in ranges {
      var start = range.lowerBound
      while next < other.ranges.endIndex, other.ranges[next].upperBound <= start { next += 1 }
      var hole = next
      while hole < other.ranges.endIndex, other.ranges[hole].lowerBound < range.upperBound {
        if other.ranges[hole].lowerBound > start {
          remaining.append(start..<other.ranges[hole].lowerBound)
        }
        start = Swift.max(start, other.ranges[hole].upperBound)
        hole += 1
      }
      if start < range.upperBound { remaining.append(start..<range.upperBound) }
      // The last hole may reach into the next range.
      next = Swift.max(next, hole - 1)
    }
    return ByteRanges(remaining)
  }

  /// Returns whether any byte of the range is in these ranges.
  func overlaps(_ range: Range<Int>) -> Bool {
    ranges.contains { $0.overlaps(range) }
  }
}
