// SPDX-License-Identifier: Apache-2.0

extension ListDifference {
  /// Retained elements that are adjacent in all three lists, between the same two insertions.
  ///
  /// They move together or not at all.
  struct Segment: Hashable, Sendable {
    /// The index of the first element in the old list.
    let before: Int
    /// The index of the first element in the intermediate list.
    let between: Int
    /// The index of the first element in the new list.
    let after: Int
    /// The number of elements.
    let count: Int
    /// The number of insertions before them in the intermediate list.
    let insertions: Int
    var isMoved = true
  }

  /// Moves from the intermediate list to the new list, to be applied one by one.
  ///
  /// Indexes are completed one by one, starting at the front: each move brings the element
  /// of that index forward. Moving the first element to the end takes one move for
  /// each of the other elements; `moves` takes fewer.
  ///
  /// - Complexity: O(m + p log p), with m moves and p pieces and insertions; computed on each
  ///   access.
  var sequentialMoves: [Move] {
    guard segments.contains(where: \.isMoved) else { return [] }
    let parts =
      (segments.map { Part(between: $0.between, after: $0.after, count: $0.count) }
      + inserted.map { Part(between: $0, after: $0, count: 1) })
      .sorted { $0.between < $1.between }
    var moves: [Move] = []
    // The number of completed elements in each part.
    var resolved = FenwickTree(count: parts.count, identity: 0, combine: +)
    for index in parts.indices.sorted(by: { parts[$0].after < parts[$1].after }) {
      let part = parts[index]
      // Incomplete elements that were before the part are still before it.
      let ahead = part.between - resolved.total(before: index)
      if ahead > 0 {
        let targets = part.after..<part.after + part.count
        moves += targets.map { Move(from: $0 + ahead, to: $0) }
      }
      resolved.add(part.count, at: index)
    }
    return moves
  }

  /// Elements that are adjacent in the intermediate and in the new list.
  private struct Part {
    let between: Int
    let after: Int
    let count: Int
  }
}

extension ListDifference.Segment {
  /// Splits runs at insertions in the intermediate list; ascending by `between`.
  static func split(
    _ runs: [ListDifference.Run], removed: [Int], inserted: [Int]
  ) -> [Self] {
    var segments: [Self] = []
    // The number of each before the current position.
    var (removals, insertions) = (0, 0)
    for run in runs {
      while removals < removed.count, removed[removals] < run.before { removals += 1 }
      var done = 0
      while done < run.count {
        // The index among the retained elements.
        let rank = run.before + done - removals
        while insertions < inserted.count, inserted[insertions] <= rank + insertions {
          insertions += 1
        }
        let limit = insertions < inserted.count ? inserted[insertions] - insertions - rank : .max
        let count = min(run.count - done, limit)
        segments.append(
          Self(
            before: run.before + done, between: rank + insertions, after: run.after + done,
            count: count, insertions: insertions))
        done += count
      }
    }
    return segments
  }

  /// Marks the pieces that stay: the largest number of elements that have the same order in both
  /// lists.
  ///
  /// Inserted elements stay, so a retained element that is before one of them in the intermediate
  /// list and after it in the new list must move; the others do not depend on the insertions. Of
  /// several equally long choices, this is the one that patience sorting makes, element by element:
  /// it follows the chain that most recently became the longest.
  static func resolved(_ segments: [Self], inserted: [Int]) -> [Self] {
    let order = segments.indices.sorted { segments[$0].after < segments[$1].after }
    var segments = segments
    // The index in the new list of each piece that may stay.
    var positions: [Int?] = Array(repeating: nil, count: segments.count)
    var insertions = 0
    for (position, index) in order.enumerated() {
      let segment = segments[index]
      while insertions < inserted.count, inserted[insertions] < segment.after { insertions += 1 }
      if insertions == segment.insertions { positions[index] = position }
    }
    var chains = FenwickTree(count: segments.count, identity: Chain(length: 0, last: nil)) {
      $0.precedes($1) ? $1 : $0
    }
    var previous: [Int?] = Array(repeating: nil, count: segments.count)
    for (index, position) in positions.enumerated() {
      guard let position else { continue }
      let chain = chains.total(before: position)
      previous[index] = chain.last
      chains.add(Chain(length: chain.length + segments[index].count, last: index), at: position)
    }
    var next = chains.total(before: segments.count).last
    while let index = next {
      segments[index].isMoved = false
      next = previous[index]
    }
    return segments
  }
}

/// Pieces that follow each other in both lists.
private struct Chain {
  /// The total number of their elements.
  let length: Int
  /// The index of the last piece; nil for an empty chain.
  let last: Int?

  /// Returns whether another chain is preferred: a longer one, or one of the same length found
  /// later.
  func precedes(_ other: Chain) -> Bool {
    (length, last ?? -1) < (other.length, other.last ?? -1)
  }
}

/// Values at indexes; combining all values before an index takes O(log n).
///
/// A Fenwick tree: the lowest set bit of i is the number of indexes, up to i, that slot i covers.
struct FenwickTree<Value> {
  private var slots: [Value]
  private let identity: Value
  private let combine: (Value, Value) -> Value

  /// Creates a tree of identity values; `combine` must be commutative.
  init(count: Int, identity: Value, combine: @escaping (Value, Value) -> Value) {
    slots = Array(repeating: identity, count: count + 1)
    self.identity = identity
    self.combine = combine
  }

  /// Combines the value at an index with another one.
  mutating func add(_ value: Value, at index: Int) {
    var slot = index + 1
    while slot < slots.count {
      slots[slot] = combine(slots[slot], value)
      slot += slot & -slot
    }
  }

  /// Returns the combination of all values before an index; the identity value for index 0.
  func total(before index: Int) -> Value {
    var total = identity
    var slot = index
    while slot > 0 {
      total = combine(total, slots[slot])
      slot &= slot - 1
    }
    return total
  }
}
