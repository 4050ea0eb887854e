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
    /// Indicates whether they move.
    var isMoved = true
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
