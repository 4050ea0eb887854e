// SPDX-License-Identifier: Apache-2.0

/// The differences between two versions of a fetch result.
///
/// Three lists have indexes:
///
/// | list | contents | used by |
/// |---|---|---|
/// | old | `fetchResultBeforeChanges` | `removedIndexes`; `from` of `batchMoves` |
/// | intermediate | old, without the removed and with the inserted members | `from` of `moves` |
/// | new | `fetchResultAfterChanges` | `insertedIndexes`, `changedIndexes`; `to` of all moves |
///
/// In the intermediate list, inserted members already have their final index, and the others are
/// still in their previous order. Without moves, the intermediate and the new list are the same.
///
/// `applying(to:making:)` applies all changes to an array. To apply them manually, keep this order:
///
/// 1. Remove `removedIndexes`, the highest first.
/// 2. Insert at `insertedIndexes`, the lowest first.
/// 3. Remove all members at the `from` of `moves`, the highest first; then insert them at `to`,
///    the lowest first. `moves` are wrong if applied one by one; use `sequentialMoves` for that.
/// 4. Refresh `changedIndexes`. They are indexes in the new list, so they are valid only
///    after all other steps.
///
/// Example 1: A B C D E becomes A C D E F, and D is changed: removed is 1, inserted 4, changed 2.
/// Before the changes, index 2 was C, and D was at 3; refreshing first refreshes the wrong member.
///
/// Example 2: A B C D E F becomes F X B A D: removed are 2 and 4, inserted is 1, and the
/// intermediate list is A X B D F. `moves` are 0→3 and 4→0; `batchMoves` are 0→3 and 5→0, because F
/// was at 5 before. `sequentialMoves` are 4→0, 2→1 and 3→2.
///
/// The next details start where these end: continue with `fetchResultAfterChanges` and do not fetch
/// again.
///
/// Details are not incremental if the result was fetched without change details, if it contains an
/// object twice, or if more than 10,000 members would be removed, inserted and moved. Then indexes
/// are nil, arrays are empty, and only `fetchResultAfterChanges` is available.
///
/// Objects are read from the two results on access.
public struct FetchResultChangeDetails<Object: FetchedObject>: Sendable {
  /// The result that the details were requested for.
  public let fetchResultBeforeChanges: FetchResult<Object>
  /// The result that the same fetch would return after the changes.
  public let fetchResultAfterChanges: FetchResult<Object>
  /// Nil if the details are not incremental.
  let difference: ListDifference?
  /// Indexes of changed members in the new result, ascending.
  private let changed: [Int]

  /// Creates details from known differences; without a difference, they are not incremental.
  ///
  /// - Parameter changed: Indexes in the new result, ascending, of members of both results.
  init(
    before: FetchResult<Object>, after: FetchResult<Object>, difference: ListDifference?,
    changed: [Int]
  ) {
    fetchResultBeforeChanges = before
    fetchResultAfterChanges = after
    // Results that were not fetched have no setting: their details are always requested explicitly.
    let isRequested = before.query?.wantsDetails ?? true
    if let difference, isRequested, difference.operationCount <= ListDifference.budget {
      self.difference = difference
      self.changed = changed
    } else {
      self.difference = nil
      self.changed = []
    }
  }

  var isEmpty: Bool { difference?.operationCount == 0 && changed.isEmpty }

  // MARK: Members

  /// Indicates whether the details contain the steps from the old result to the new result.
  public var hasIncrementalChanges: Bool { difference != nil }

  /// Indexes in the old result of removed members, ascending; nil if not incremental.
  public var removedIndexes: [Int]? { difference?.removed }

  /// Removed members in their state before the changes, in the order of `removedIndexes`.
  public var removedObjects: [Object] { fetchResultBeforeChanges.members(at: removedIndexes) }

  /// Indexes in the new result of inserted members, ascending; nil if not incremental.
  public var insertedIndexes: [Int]? { difference?.inserted }

  /// Inserted members, in the order of `insertedIndexes`.
  public var insertedObjects: [Object] { fetchResultAfterChanges.members(at: insertedIndexes) }

  /// Indexes in the new result of members of both results whose properties or content changed,
  /// ascending.
  ///
  /// Nil if not incremental. Members that only moved are not included.
  public var changedIndexes: [Int]? { hasIncrementalChanges ? changed : nil }

  /// Changed members of both results in their state after the changes, in the order of
  /// `changedIndexes`.
  public var changedObjects: [Object] { fetchResultAfterChanges.members(at: changedIndexes) }

  // MARK: Moves

  /// Indicates whether any member of both results moved; false if not incremental.
  public var hasMoves: Bool { difference.map { $0.moveCount > 0 } ?? false }

  /// Moves from the intermediate list to the new result, ascending by `from`, to be applied
  /// together.
  ///
  /// Their number is minimal provided that inserted members stay where they are.
  public var moves: [Move] { difference?.moves ?? [] }

  /// Calls a closure with the indexes of each of `moves`.
  public func enumerateMoves<Failure: Error>(
    _ body: (_ from: Int, _ to: Int) throws(Failure) -> Void
  ) throws(Failure) {
    for move in moves { try body(move.from, move.to) }
  }

  /// The same moves from the old result to the new result.
  ///
  /// These are for views that take all changes at once, with deletions and sources of moves in the
  /// old list, and insertions and targets in the new list.
  public var batchMoves: [Move] { difference?.batchMoves ?? [] }

  /// Moves from the intermediate list to the new result, to be applied one by one.
  ///
  /// Indexes are completed one by one, starting at the front, so there may be as many moves as
  /// members, and inserted members may move as well.
  ///
  /// - Complexity: O(m + k log k), with m of these moves and k changes; computed on each access.
  public var sequentialMoves: [Move] { difference?.sequentialMoves ?? [] }
}

extension FetchResult {
  /// Returns the members at the given indexes; an empty array without indexes.
  fileprivate func members(at indexes: [Int]?) -> [Object] { (indexes ?? []).map { self[$0] } }
}

/// The indexes of a member before and after a move.
///
/// The lists that the indexes refer to depend on the source of the move; see
/// `FetchResultChangeDetails`.
public struct Move: Hashable, Sendable, Codable {
  /// The previous index of the member.
  public let from: Int
  /// The new index of the member.
  public let to: Int

  /// Creates a move.
  public init(from: Int, to: Int) {
    self.from = from
    self.to = to
  }
}
