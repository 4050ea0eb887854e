// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// The list of a result after some commits, and its differences from the old list.
struct UpdatedMembers {
  let rows: ChunkedRowList
  /// Nil if it requires more operations than details may contain.
  let difference: ListDifference?
  /// Indexes in the new list, ascending, of members of both lists that a commit touched.
  let changed: [Int]
}

/// Follows the members of a query from one commit to a later one.
///
/// Reads the assets that the commits touched and, to find their indexes, some of the other members:
/// k assets in a list of n take O(k·log n) reads. For many assets, a single scan of all rows is
/// cheaper and is used instead.
struct MemberUpdater {
  let library: LibraryReader
  let query: MemberQuery
  let before: ChunkedRowList
  let from: Int64
  let through: Int64

  /// The maximum number of members that are searched individually; above it, all rows are scanned.
  private static let fewMembers = 48

  private typealias SortPositions = [Int64: MemberQuery.SortPosition]

  /// An element to insert between the members that stay.
  private struct Entry {
    let row: Int64
    let sortPosition: MemberQuery.SortPosition
    /// The number of staying members before it.
    var rank = 0
  }

  /// Returns the list after the commits; nil if the old list does not match its query.
  func follow() throws(LibraryError) -> UpdatedMembers? {
    let (content, touched) = try touchedAssets()
    let (old, indexes) = try membersBefore(touched)
    guard let indexes else { return nil }
    return try library.read(asOf: through) { session throws(LibraryError) in
      let new = try query.sortPositions(of: touched, session)
      var extracted: [(row: Int64, index: Int)] = []
      var staying: [(row: Int64, index: Int)] = []
      for (row, index) in indexes {
        if let now = new[row], let then = old[row], now.values == then.values {
          staying.append((row, index))
        } else {
          extracted.append((row, index))
        }
      }
      extracted.sort { $0.index < $1.index }
      let retained = RetainedElements(count: before.count, extracted: extracted.map(\.index))
      let stayingRows = Set(staying.map(\.row))
      let entries = try ranked(
        new.filter { !stayingRows.contains($0.key) }.map {
          Entry(row: $0.key, sortPosition: $0.value)
        },
        retained, session)
      return followed(
        extracted, entries, staying.filter { content.contains($0.row) }, retained, content)
    }
  }

  // MARK: Touched assets and their indexes before

  /// Returns the assets whose own values the commits touched, and these together with those that
  /// moved in the album.
  private func touchedAssets() throws(LibraryError) -> (content: Set<Int64>, all: Set<Int64>) {
    try library.read { database throws(LibraryError) in
      let content = Set(
        try database.integers(
          "SELECT object FROM changedObject WHERE change > ? AND change <= ? AND class = 1",
          [.integer(from), .integer(through)]))
      guard let album = query.album else { return (content, content) }
      let moved = try database.integers(
        "SELECT asset FROM memberHistory WHERE album = ? AND change > ? AND change <= ?",
        [.integer(album), .integer(from), .integer(through)])
      return (content, content.union(moved))
    }
  }

  /// Returns the sort keys of touched assets that were members, and their indexes.
  private func membersBefore(
    _ touched: Set<Int64>
  ) throws(LibraryError) -> (SortPositions, [(row: Int64, index: Int)]?) {
    try library.read(asOf: from) { session throws(LibraryError) in
      let old = try query.sortPositions(of: touched, session)
      var indexes: [(row: Int64, index: Int)] = []
      if old.count > Self.fewMembers {
        indexes = before.indexes(of: old.keys).map { (row: $0.key, index: $0.value) }
      } else {
        let retained = RetainedElements(count: before.count, extracted: [])
        for (row, sortPosition) in old {
          let rank = try rank(of: sortPosition, in: retained, from: 0, session)
          if rank < before.count, before[rank] == row { indexes.append((row, rank)) }
        }
      }
      return (old, indexes.count == old.count ? indexes : nil)
    }
  }

  // MARK: Indexes afterwards

  /// Returns the entries in order, each with the number of staying members before it.
  private func ranked(
    _ entries: [Entry], _ retained: RetainedElements, _ session: FetchSession
  ) throws(LibraryError) -> [Entry] {
    let order = query.order
    var ranked = entries.sorted { order.precedes($0.sortPosition, $1.sortPosition) }
    let known = try ranksBySuccessor(ranked, retained, session)
    var least = 0
    for i in ranked.indices {
      if let rank = known[ranked[i].row] {
        least = rank
      } else {
        least = try rank(of: ranked[i].sortPosition, in: retained, from: least, session)
      }
      ranked[i].rank = least
    }
    return ranked
  }

  /// Returns the ranks of many entries at once, if a database index can find their successors.
  private func ranksBySuccessor(
    _ entries: [Entry], _ retained: RetainedElements, _ session: FetchSession
  ) throws(LibraryError) -> [Int64: Int] {
    guard entries.count > Self.fewMembers, session.isNewest else { return [:] }
    var successors: [Int64: Int64] = [:]
    for entry in entries {
      successors[entry.row] = try query.successor(of: entry.sortPosition, session)
    }
    let indexes = before.indexes(of: Set(successors.values))
    return successors.compactMapValues { row in
      // A successor that was taken out, or is an entry itself, does not give a rank.
      indexes[row].flatMap { retained.contains($0) ? retained.rank(of: $0) : nil }
    }
  }

  /// Returns the number of staying members before a sort key, at least the known minimum.
  private func rank(
    of sortPosition: MemberQuery.SortPosition, in retained: RetainedElements, from least: Int,
    _ session: FetchSession
  ) throws(LibraryError) -> Int {
    let order = query.order
    func precedes(_ rank: Int) throws(LibraryError) -> Bool {
      let row = before[retained.index(of: rank)]
      if row == sortPosition.tiebreaker { return false }
      guard let other = try query.sortPosition(of: row, session) else { throw .lostRow(row) }
      return order.precedes(other, sortPosition)
    }
    // Most insertions are at the end.
    if least >= retained.count { return least }
    if try precedes(retained.count - 1) { return retained.count }
    return try (least..<retained.count).partitionPoint { rank throws(LibraryError) in
      try !precedes(rank)
    }
  }

  // MARK: The resulting list

  private func followed(
    _ extracted: [(row: Int64, index: Int)], _ entries: [Entry],
    _ staying: [(row: Int64, index: Int)], _ retained: RetainedElements, _ content: Set<Int64>
  ) -> UpdatedMembers {
    let targets = Dictionary(
      uniqueKeysWithValues: entries.enumerated().map { i, entry in (entry.row, entry.rank + i) })
    let origins = Set(extracted.map(\.row))
    let difference = ListDifference(
      beforeCount: before.count, afterCount: retained.count + entries.count,
      removed: extracted.filter { targets[$0.row] == nil }.map(\.index),
      inserted: entries.enumerated().filter { !origins.contains($0.element.row) }
        .map { $0.element.rank + $0.offset },
      runs: runs(extracted, entries, targets), budget: ListDifference.budget)
    let moved = extracted.compactMap { content.contains($0.row) ? targets[$0.row] : nil }
    let ranks = entries.map(\.rank)
    let stayed = staying.map { member in
      let rank = retained.rank(of: member.index)
      return rank + ranks.partitionPoint { $0 > rank }
    }
    let rows = before.editing(
      removing: extracted.map(\.index),
      inserting: entries.map {
        ChunkedRowList.Insertion(index: retained.index(of: $0.rank), row: $0.row)
      })
    return UpdatedMembers(rows: rows, difference: difference, changed: (moved + stayed).sorted())
  }

  /// Returns the members of both lists, in runs that stay together.
  private func runs(
    _ extracted: [(row: Int64, index: Int)], _ entries: [Entry], _ targets: [Int64: Int]
  ) -> [ListDifference.Run] {
    var runs: [ListDifference.Run] = []
    var (nextExtracted, nextEntry, index) = (0, 0, 0)
    while index < before.count {
      if nextExtracted < extracted.count, extracted[nextExtracted].index == index {
        if let target = targets[extracted[nextExtracted].row] {
          runs.join(ListDifference.Run(before: index, after: target, count: 1))
        }
        nextExtracted += 1
        index += 1
        continue
      }
      let rank = index - nextExtracted
      while nextEntry < entries.count, entries[nextEntry].rank <= rank { nextEntry += 1 }
      let untilExtracted =
        nextExtracted < extracted.count ? extracted[nextExtracted].index : before.count
      let untilEntry =
        nextEntry < entries.count ? index + entries[nextEntry].rank - rank : before.count
      let end = min(untilExtracted, untilEntry)
      runs.join(ListDifference.Run(before: index, after: rank + nextEntry, count: end - index))
      index = end
    }
    return runs
  }
}

/// The members that stay in a list when some are removed.
struct RetainedElements {
  private let before: Int
  /// Ascending.
  private let extracted: [Int]

  init(count: Int, extracted: [Int]) {
    before = count
    self.extracted = extracted
  }

  /// The number of members that stay.
  var count: Int { before - extracted.count }

  /// Returns the index in the list of the member with the given number of other staying members
  /// before it; for the number of all members, returns the end of the list.
  func index(of rank: Int) -> Int {
    if rank >= count { return before }
    // The first removed member with more than `rank` staying members before it.
    return rank + extracted.indices.partitionPoint { extracted[$0] - $0 > rank }
  }

  /// Returns the number of staying members before an index.
  func rank(of index: Int) -> Int { index - extracted.partitionPoint { $0 >= index } }

  /// Returns whether the member at an index stays.
  func contains(_ index: Int) -> Bool {
    let next = extracted.partitionPoint { $0 >= index }
    return next == extracted.count || extracted[next] != index
  }
}

extension RandomAccessCollection where Index == Int {
  /// Returns the first index whose element meets a condition that also holds for all elements after
  /// it.
  func partitionPoint<Failure>(
    _ condition: (Element) throws(Failure) -> Bool
  ) throws(Failure) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if try condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
