// SPDX-License-Identifier: Apache-2.0

/// What became of a fetch result, for whoever shows it and wants to follow.
///
/// Three lists have indexes:
///
/// | list | what it is | what counts in it |
/// |---|---|---|
/// | before | `fetchResultBeforeChanges` | `removedIndexes`; `from` of `batchMoves` |
/// | between | before, without what was removed, with what was inserted | `from` of `moves` |
/// | after | `fetchResultAfterChanges` | `insertedIndexes`, `changedIndexes`; `to` of moves |
///
/// In between, inserted members have their final index already, and the others still follow each
/// other as before. Without moves, between and after are the same.
///
/// `applying(to:making:)` carries everything out on an array. Who does it by hand keeps this order:
///
/// 1. Remove `removedIndexes`, the highest first.
/// 2. Insert at `insertedIndexes`, the lowest first.
/// 3. Take out everything that `moves` name, the highest `from` first; then put it back, the lowest
///    `to` first. One by one they are wrong; `sequentialMoves` are right one by one.
/// 4. Refresh `changedIndexes`. They count in the list after, so they hold only when all of the
///    rest is done.
///
/// A B C D E becomes A C D E F, and D is changed: removed is 1, inserted 4, changed 2. Before the
/// changes, index 2 was C, and D was at 3; who refreshes first refreshes the wrong one.
///
/// A B C D E F becomes F X B A D: removed are 2 and 4, inserted is 1, and in between is A X B D F.
/// `moves` are 0→3 and 4→0; `batchMoves` are 0→3 and 5→0, for F was at 5 before. `sequentialMoves`
/// are 4→0, 2→1 and 3→2.
///
/// The next details begin where these end: go on with `fetchResultAfterChanges` and do not fetch
/// again.
///
/// Details are not incremental when the result did not want them, when it holds an object twice, or
/// when more than 10,000 members would be removed, inserted and moved. Then indexes are nil, arrays
/// are empty, and `fetchResultAfterChanges` is all there is to show.
///
/// Objects are read from the two results when they are asked for.
public struct FetchResultChangeDetails<Object: FetchedObject>: Sendable {
  /// The result that the details were asked for.
  public let fetchResultBeforeChanges: FetchResult<Object>
  /// The result as a fetch would have given it after the changes.
  public let fetchResultAfterChanges: FetchResult<Object>
  /// Nil when the details are not incremental.
  let difference: ListDifference?
  /// Indexes of changed members in the result after, ascending.
  private let changed: [Int]

  /// Makes details of what is known about two results; without a difference, not incremental ones.
  ///
  /// - Parameter changed: Indexes in the result after, ascending, of members of both results.
  init(
    before: FetchResult<Object>, after: FetchResult<Object>, difference: ListDifference?,
    changed: [Int]
  ) {
    fetchResultBeforeChanges = before
    fetchResultAfterChanges = after
    // Results that nobody fetched have no say: nobody gives details of them unasked.
    let isWanted = before.recipe?.wantsDetails ?? true
    if let difference, isWanted, difference.operationCount <= ListDifference.budget {
      self.difference = difference
      self.changed = changed
    } else {
      self.difference = nil
      self.changed = []
    }
  }

  /// Whether it is known that nothing differs.
  var isEmpty: Bool { difference?.operationCount == 0 && changed.isEmpty }

  // MARK: Members

  /// Whether it is known, step by step, how the result before becomes the result after.
  public var hasIncrementalChanges: Bool { difference != nil }

  /// Indexes in the result before of members that are gone, ascending; nil when not incremental.
  public var removedIndexes: [Int]? { difference?.removed }

  /// Members that are gone, as they were before, in the order of `removedIndexes`.
  public var removedObjects: [Object] { fetchResultBeforeChanges.members(at: removedIndexes) }

  /// Indexes in the result after of members that are new, ascending; nil when not incremental.
  public var insertedIndexes: [Int]? { difference?.inserted }

  /// Members that are new, in the order of `insertedIndexes`.
  public var insertedObjects: [Object] { fetchResultAfterChanges.members(at: insertedIndexes) }

  /// Indexes in the result after of members of both whose properties or content changed, ascending.
  ///
  /// Nil when not incremental. Who only moved is not among them.
  public var changedIndexes: [Int]? { hasIncrementalChanges ? changed : nil }

  /// Members of both that changed, as they are after, in the order of `changedIndexes`.
  public var changedObjects: [Object] { fetchResultAfterChanges.members(at: changedIndexes) }

  // MARK: Moves

  /// Whether any member of both moved; false when not incremental.
  public var hasMoves: Bool { difference.map { $0.moveCount > 0 } ?? false }

  /// Moves from the list in between to the result after, ascending by `from`, to be made together.
  ///
  /// They are as few as can be when inserted members stay where they are.
  public var moves: [Move] { difference?.moves ?? [] }

  /// Hands the indexes of `moves` to a closure.
  public func enumerateMoves<Failure: Error>(
    _ body: (_ from: Int, _ to: Int) throws(Failure) -> Void
  ) throws(Failure) {
    for move in moves { try body(move.from, move.to) }
  }

  /// The same moves from the result before to the result after.
  ///
  /// Views that take all changes at once, deletions and sources of moves in the list before,
  /// insertions and targets in the list after, want these.
  public var batchMoves: [Move] { difference?.batchMoves ?? [] }

  /// Moves that lead from the list in between to the result after when made one by one.
  ///
  /// Index after index is settled from the front, so there may be as many as there are members, and
  /// inserted members may move as well.
  ///
  /// - Complexity: O(m + k log k), with m of these moves and k changes; each time it is asked.
  public var sequentialMoves: [Move] { difference?.sequentialMoves ?? [] }
}

extension FetchResult {
  /// The members at some indexes; none without indexes.
  fileprivate func members(at indexes: [Int]?) -> [Object] { (indexes ?? []).map { self[$0] } }
}
