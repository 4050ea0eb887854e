// SPDX-License-Identifier: Apache-2.0

/// The difference between two lists of distinct elements: removals, insertions and moves.
///
/// Three lists have indexes. *Old* and *new* are the lists themselves. *Intermediate* is the old
/// list without the removed and with the inserted elements: inserted elements have their final
/// index there, and retained elements are still in their previous order. Moves lead from the
/// intermediate list to the new list.
///
/// Retained elements are stored as runs, so the cost for a long list depends only on its changes:
/// creating a difference with k changes takes O(k log k), regardless of the lengths of the lists.
struct ListDifference: Hashable, Sendable {
  /// Retained elements that are adjacent in both lists.
  struct Run: Hashable, Sendable {
    /// The index of the first element in the old list.
    var before: Int
    /// The index of the first element in the new list.
    var after: Int
    /// The number of elements.
    var count: Int
  }

  /// The maximum number of operations in incremental details.
  ///
  /// With more operations, refilling a view is faster than applying them, and a list sorted by
  /// another key would take as many moves as it has members.
  static let budget = 10_000

  let beforeCount: Int
  let afterCount: Int
  /// Indexes in the old list of elements that are not in the new list, ascending.
  let removed: [Int]
  /// Indexes in the new list of elements that are not in the old list, ascending; the same in the
  /// intermediate list.
  let inserted: [Int]
  /// The retained elements, in the order of the old list.
  let segments: [Segment]

  /// Creates a difference from known parts.
  ///
  /// `removed` and `inserted` are ascending; `runs` contain every retained element, ascending by
  /// `before`. Contiguous runs are joined.
  init(beforeCount: Int, afterCount: Int, removed: [Int], inserted: [Int], runs: [Run]) {
    let retainedCount = runs.reduce(0) { $0 + $1.count }
    precondition(
      removed.count + retainedCount == beforeCount && inserted.count + retainedCount == afterCount,
      "\(retainedCount) retained, \(removed.count) removed and \(inserted.count) inserted elements "
        + "do not match counts of \(beforeCount) before and \(afterCount) after")
    self.beforeCount = beforeCount
    self.afterCount = afterCount
    self.removed = removed
    self.inserted = inserted
    segments = Segment.resolved(
      Segment.split(runs.joined(), removed: removed, inserted: inserted), inserted: inserted)
  }

  /// Creates a difference from known parts, or nil if it takes more operations than the budget.
  ///
  /// If there are far too many runs, returns nil before doing any work.
  init?(
    beforeCount: Int, afterCount: Int, removed: [Int], inserted: [Int], runs: [Run], budget: Int
  ) {
    let runs = runs.joined()
    let parts = removed.count + inserted.count
    // A removal or an insertion splits a run in two. A move splits one run at its source and one at
    // its target, and is a run itself. The remaining runs give the minimum number of moves.
    let moves = max(0, (runs.count - 1 - parts + 2) / 3)
    guard parts + moves <= budget else { return nil }
    self.init(
      beforeCount: beforeCount, afterCount: afterCount, removed: removed, inserted: inserted,
      runs: runs)
    guard operationCount <= budget else { return nil }
  }

  /// The number of elements that are removed, inserted or moved.
  var operationCount: Int { removed.count + inserted.count + moveCount }

  /// The number of elements that are moved.
  var moveCount: Int { segments.reduce(0) { $0 + ($1.isMoved ? $1.count : 0) } }

  /// Moves from the intermediate list to the new list, ascending by `from`.
  ///
  /// Their number is minimal provided that inserted elements stay where they are. An element that
  /// is pushed past an insertion by a move moves as well, so there may be more moves than were
  /// originally made.
  ///
  /// They are applied together: all elements are removed first, then reinserted, the lowest index
  /// first.
  var moves: [Move] { moves(from: \.between) }

  /// The same moves from the old list to the new list.
  var batchMoves: [Move] { moves(from: \.before) }

  private func moves(from start: KeyPath<Segment, Int>) -> [Move] {
    segments.lazy.filter(\.isMoved).flatMap { segment in
      (0..<segment.count).map { Move(from: segment[keyPath: start] + $0, to: segment.after + $0) }
    }
  }

  /// Returns an array that corresponds to the old list, updated to correspond to the new list.
  ///
  /// Removes, inserts the closure's result for an index of the new list, and moves in two phases:
  /// all moved elements are removed before any of them is reinserted. Passing an array whose length
  /// differs from that of the old list is a programming error.
  ///
  /// - Complexity: O(n + k log k), with n elements and k operations.
  func applying<Element, Failure: Error>(
    to array: [Element], inserting element: (_ index: Int) throws(Failure) -> Element
  ) throws(Failure) -> [Element] {
    precondition(
      array.count == beforeCount,
      "the array has \(array.count) elements; the list before the changes has \(beforeCount)")
    let between = array.removing(at: removed).inserting(try inserted.map(element), at: inserted)
    let moves = self.moves
    guard !moves.isEmpty else { return between }
    let ordered = moves.sorted { $0.to < $1.to }
    return between.removing(at: moves.map(\.from))
      .inserting(ordered.map { between[$0.from] }, at: ordered.map(\.to))
  }

  /// Creates the difference of two lists by comparing their elements.
  ///
  /// Nil if a list contains an element twice, so that its moves would be ambiguous, or if the
  /// difference takes more operations than the budget.
  ///
  /// - Complexity: O(n log n), where n is the length of both lists.
  init?<Before: Collection, After: Collection>(
    from before: Before, to after: After, budget: Int = .max
  ) where Before.Element: Hashable, After.Element == Before.Element {
    var origins: [Before.Element: Int] = [:]
    origins.reserveCapacity(before.count)
    for (index, element) in before.enumerated() {
      guard origins.updateValue(index, forKey: element) == nil else { return nil }
    }
    var targets: [Int?] = Array(repeating: nil, count: before.count)
    var inserted: [Int] = []
    var insertions: Set<Before.Element> = []
    for (index, element) in after.enumerated() {
      if let origin = origins[element] {
        guard targets[origin] == nil else { return nil }
        targets[origin] = index
      } else {
        guard insertions.insert(element).inserted else { return nil }
        inserted.append(index)
      }
    }
    var removed: [Int] = []
    var runs: [Run] = []
    for (index, target) in targets.enumerated() {
      if let target {
        runs.join(Run(before: index, after: target, count: 1))
      } else {
        removed.append(index)
      }
    }
    self.init(
      beforeCount: before.count, afterCount: after.count, removed: removed, inserted: inserted,
      runs: runs, budget: budget)
  }
}

extension [ListDifference.Run] {
  /// Appends a run, or extends the last one if the run continues it.
  mutating func join(_ run: Element) {
    guard run.count > 0 else { return }
    if let last, last.before + last.count == run.before, last.after + last.count == run.after {
      self[count - 1].count += run.count
    } else {
      append(run)
    }
  }

  /// Returns the same retained elements in the fewest possible runs.
  func joined() -> [Element] { reduce(into: []) { $0.join($1) } }
}

extension Array {
  /// Returns the elements except those at the given ascending indexes.
  func removing(at indexes: [Int]) -> [Element] {
    var result: [Element] = []
    result.reserveCapacity(count - indexes.count)
    var start = 0
    for index in indexes {
      result += self[start..<index]
      start = index + 1
    }
    return result + self[start...]
  }

  /// Returns the elements with others inserted at the given ascending indexes of the result.
  func inserting(_ elements: [Element], at indexes: [Int]) -> [Element] {
    var result: [Element] = []
    result.reserveCapacity(count + elements.count)
    var rest = self[...]
    for (element, index) in zip(elements, indexes) {
      let count = index - result.count
      result += rest.prefix(count)
      rest = rest.dropFirst(count)
      result.append(element)
    }
    return result + rest
  }
}
