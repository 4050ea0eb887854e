// SPDX-License-Identifier: Apache-2.0

/// The strips that one producer makes: which are wanted, begun, done, and still to be read.
///
/// Strips are begun in order from the top.
struct StripLevel {
  let stripHeight: Int
  /// The rows that anybody wants; the others are never made.
  let rows: Range<Int>
  /// Whether two strips must not be in work at once.
  let isSequential: Bool
  private(set) var strips: [Strip?]
  private var isDone: [Bool]
  private var readers: [Int]
  private(set) var begun = 0
  private(set) var done = 0

  init(rows: Range<Int>, stripHeight: Int, isSequential: Bool) {
    self.stripHeight = stripHeight
    self.rows = rows
    self.isSequential = isSequential
    let count = (rows.count + stripHeight - 1) / stripHeight
    strips = Array(repeating: nil, count: count)
    isDone = Array(repeating: false, count: count)
    readers = Array(repeating: 0, count: count)
  }

  var count: Int { strips.count }
  var isFinished: Bool { done == count }
  /// Whether the next strip may be begun, as far as this level is concerned.
  var isReady: Bool { begun < count && !(isSequential && begun > done) }

  func rows(ofStrip index: Int) -> Range<Int> {
    let first = rows.lowerBound + index * stripHeight
    return first..<min(first + stripHeight, rows.upperBound)
  }

  /// The strips that hold some rows.
  func strips(for wanted: Range<Int>) -> Range<Int> {
    if wanted.isEmpty { return 0..<0 }
    return (wanted.lowerBound - rows.lowerBound)
      / stripHeight..<(wanted.upperBound - 1 - rows.lowerBound) / stripHeight + 1
  }

  /// Notes that a later task will read some strips.
  mutating func expectReader(of indices: Range<Int>) {
    for index in indices { readers[index] += 1 }
  }

  func areDone(_ indices: Range<Int>) -> Bool { isDone[indices].allSatisfy { $0 } }

  mutating func begin() -> Int {
    begun += 1
    return begun - 1
  }

  /// Stores a strip that is written; the last level has none to keep.
  ///
  /// A decoder cannot leave out the rows above a crop, and nearest pixels skip some: nobody reads
  /// those strips, so nobody would give them back.
  mutating func finish(_ index: Int, _ strip: Strip?) {
    if readers[index] > 0 { strips[index] = strip }
    isDone[index] = true
    done += 1
  }

  /// Notes that a reader is through; strips without readers give their memory back.
  mutating func release(_ indices: Range<Int>) {
    for index in indices {
      readers[index] -= 1
      if readers[index] == 0 { strips[index] = nil }
    }
  }
}
