// SPDX-License-Identifier: Apache-2.0

/// The strips of one producer with their state: needed, started, done, or still to be read.
///
/// Strips are started in order from the top.
struct StripStage {
  let stripHeight: Int
  /// The rows that are needed; the others are never computed.
  let rows: Range<Int>
  /// The number of strips that may be in progress at the same time.
  let mostAtOnce: Int
  private(set) var strips: [Strip?]
  private var isDone: [Bool]
  private var readers: [Int]
  private(set) var started = 0
  private(set) var done = 0

  init(rows: Range<Int>, stripHeight: Int, mostAtOnce: Int) {
    self.stripHeight = stripHeight
    self.rows = rows
    self.mostAtOnce = mostAtOnce
    let count = (rows.count + stripHeight - 1) / stripHeight
    strips = Array(repeating: nil, count: count)
    isDone = Array(repeating: false, count: count)
    readers = Array(repeating: 0, count: count)
  }

  var count: Int { strips.count }
  var isFinished: Bool { done == count }
  /// Indicates whether the next strip can be started, as far as this level is concerned.
  var isReady: Bool { started < count && started - done < mostAtOnce }

  func rows(ofStrip index: Int) -> Range<Int> {
    let first = rows.lowerBound + index * stripHeight
    return first..<min(first + stripHeight, rows.upperBound)
  }

  /// Returns the strips that hold some rows.
  func strips(for requested: Range<Int>) -> Range<Int> {
    if requested.isEmpty { return 0..<0 }
    return (requested.lowerBound - rows.lowerBound)
      / stripHeight..<(requested.upperBound - 1 - rows.lowerBound) / stripHeight + 1
  }

  /// Records that a later task will read some strips.
  mutating func expectReader(of indices: Range<Int>) {
    for index in indices { readers[index] += 1 }
  }

  func areDone(_ indices: Range<Int>) -> Bool { isDone[indices].allSatisfy { $0 } }

  mutating func begin() -> Int {
    started += 1
    return started - 1
  }

  /// Stores a finished strip; the last level has no strip to keep.
  ///
  /// A decoder cannot skip the rows above a crop, and nearest-neighbor sampling skips some rows:
  /// strips without readers are dropped here, because no reader would release them.
  mutating func finish(_ index: Int, _ strip: Strip?) {
    if readers[index] > 0 { strips[index] = strip }
    isDone[index] = true
    done += 1
  }

  /// Records that a reader is done; strips without readers release their memory.
  mutating func release(_ indices: Range<Int>) {
    for index in indices {
      readers[index] -= 1
      if readers[index] == 0 { strips[index] = nil }
    }
  }
}
