// SPDX-License-Identifier: Apache-2.0

/// How a list of distinct elements becomes another one: what goes, what comes, what moves.
///
/// Three lists have indexes. *Before* and *after* are the lists themselves. *Between* is the list
/// before without what was removed and with what was inserted: inserted elements have their final
/// index there, and survivors still follow each other as before. Moves lead from between to after.
///
/// Survivors are known as runs, so a long list costs what its changes cost: making a difference with
/// k changes takes O(k log k), whatever the lengths of the lists.
struct ListDifference: Hashable, Sendable {
  /// Survivors that lie one after the other in both lists.
  struct Run: Hashable, Sendable {
    /// The index of the first one in the list before.
    var before: Int
    /// The index of the first one in the list after.
    var after: Int
    /// How many there are.
    var count: Int
  }

  /// The most operations with which details are incremental.
  ///
  /// Whoever shows a list is quicker to fill it again than to carry out more, and a list that was
  /// sorted by another key would cost as many moves as it has members.
  static let budget = 10_000

  /// How long the list before is.
  let beforeCount: Int
  /// How long the list after is.
  let afterCount: Int
  /// Indexes in the list before of what is not in the list after, ascending.
  let removed: [Int]
  /// Indexes in the list after of what is not in the list before, ascending; the same in between.
  let inserted: [Int]
  /// The survivors, in the order of the list before.
  let pieces: [Piece]

  /// Makes a difference of what is known already.
  ///
  /// `removed` and `inserted` ascend; `runs` hold every survivor and ascend by `before`. Runs that
  /// continue each other count as one.
  init(beforeCount: Int, afterCount: Int, removed: [Int], inserted: [Int], runs: [Run]) {
    let survivors = runs.reduce(0) { $0 + $1.count }
    precondition(
      removed.count + survivors == beforeCount && inserted.count + survivors == afterCount,
      "\(survivors) survivors, \(removed.count) removed and \(inserted.count) inserted elements "
        + "do not make \(beforeCount) elements into \(afterCount)")
    self.beforeCount = beforeCount
    self.afterCount = afterCount
    self.removed = removed
    self.inserted = inserted
    pieces = Piece.settled(
      Piece.cut(runs.joined(), removed: removed, inserted: inserted), inserted: inserted)
  }

  /// Makes a difference of what is known already, or nil when it takes more than some operations.
  ///
  /// Far too many runs are noticed before any work is done.
  init?(
    beforeCount: Int, afterCount: Int, removed: [Int], inserted: [Int], runs: [Run], budget: Int
  ) {
    let runs = runs.joined()
    let parts = removed.count + inserted.count
    // A removal or an insertion cuts a run in two. A move cuts one where it begins and one where it
    // ends, and is a run itself. Whatever runs are left over tell the least number of moves.
    let moves = max(0, (runs.count - 1 - parts + 2) / 3)
    guard parts + moves <= budget else { return nil }
    self.init(
      beforeCount: beforeCount, afterCount: afterCount, removed: removed, inserted: inserted,
      runs: runs)
    guard operationCount <= budget else { return nil }
  }

  /// How many elements are removed, inserted and moved.
  var operationCount: Int { removed.count + inserted.count + moveCount }

  /// How many elements are moved.
  var moveCount: Int { pieces.reduce(0) { $0 + ($1.isMoved ? $1.count : 0) } }

  /// Moves from the list in between to the list after, ascending by `from`.
  ///
  /// They are as few as can be when inserted elements stay where they are. An element that a move
  /// pushes past an insertion moves as well, so there may be more than somebody made.
  ///
  /// They are meant together: first all are taken out, then all are put back, the lowest index first.
  var moves: [Move] { moves(from: \.between) }

  /// The same moves from the list before to the list after.
  var batchMoves: [Move] { moves(from: \.before) }

  private func moves(from start: KeyPath<Piece, Int>) -> [Move] {
    pieces.lazy.filter(\.isMoved).flatMap { piece in
      (0..<piece.count).map { Move(from: piece[keyPath: start] + $0, to: piece.after + $0) }
    }
  }
}

extension [ListDifference.Run] {
  /// Adds a run, to the last one when it continues that.
  mutating func join(_ run: Element) {
    guard run.count > 0 else { return }
    if let last, last.before + last.count == run.before, last.after + last.count == run.after {
      self[count - 1].count += run.count
    } else {
      append(run)
    }
  }

  /// The same survivors in as few runs as can be.
  func joined() -> [Element] { reduce(into: []) { $0.join($1) } }
}

extension ListDifference {
  /// Makes any array that stands for the list before into one that stands for the list after.
  ///
  /// Removes, inserts what the closure gives for an index of the list after, and moves in two
  /// phases: everything that moves is taken out before anything is put back. An array of another
  /// length than the list before is a programmer's error.
  ///
  /// - Complexity: O(n + k log k), with n elements and k operations.
  func applying<Element, Failure: Error>(
    to array: [Element], inserting element: (_ index: Int) throws(Failure) -> Element
  ) throws(Failure) -> [Element] {
    precondition(
      array.count == beforeCount,
      "the array has \(array.count) elements, the list before the changes \(beforeCount)")
    let between = array.removing(at: removed).inserting(try inserted.map(element), at: inserted)
    let moves = self.moves
    guard !moves.isEmpty else { return between }
    let ordered = moves.sorted { $0.to < $1.to }
    return between.removing(at: moves.map(\.from))
      .inserting(ordered.map { between[$0.from] }, at: ordered.map(\.to))
  }
}
