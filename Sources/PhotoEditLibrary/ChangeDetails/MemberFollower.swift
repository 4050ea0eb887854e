// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// The list of a result after some commits, and its differences from the old list.
struct FollowedList {
  let rows: RowList
  /// Nil if it takes more operations than details may have.
  let difference: ListDifference?
  /// Indexes in the new list, ascending, of members of both lists that a commit touched.
  let changed: [Int]
}

/// Follows the members of a query from one commit to a later one.
///
/// Reads the assets that the commits touched and, to find their indexes, some of the other members:
/// k assets in a list of n take O(k·log n) reads. For many assets, a single scan of all rows is
/// cheaper and is used instead.
struct MemberFollower {
  let library: LibraryReader
  let query: MemberQuery
  let before: RowList
  let from: Int64
  let through: Int64

  /// The maximum number of members that are searched individually; above it, all rows are scanned.
  private static let fewMembers = 48

  private typealias Standings = [Int64: MemberQuery.Standing]

  /// An element to insert between the members that stay.
  private struct Entry {
    let row: Int64
    let standing: MemberQuery.Standing
    /// The number of staying members before it.
    var rank = 0
  }

  /// Returns the list after the commits; nil if the old list does not match its query.
  func follow() throws(LibraryError) -> FollowedList? {
    let (content, touched) = try touchedAssets()
    let (old, places) = try membersBefore(touched)
    guard let places else { return nil }
    return try library.read(asOf: through) { session throws(LibraryError) in
      let new = try query.standings(of: touched, session)
      var taken: [(row: Int64, index: Int)] = []
      var staying: [(row: Int64, index: Int)] = []
      for (row, index) in places {
        if let now = new[row], let then = old[row], now.values == then.values {
          staying.append((row, index))
        } else {
          taken.append((row, index))
        }
      }
      taken.sort { $0.index < $1.index }
      let survivors = Survivors(count: before.count, taken: taken.map(\.index))
      let stayingRows = Set(staying.map(\.row))
      let entries = try placed(
        new.filter { !stayingRows.contains($0.key) }.map { Entry(row: $0.key, standing: $0.value) },
        survivors, session)
      return followed(
        taken, entries, staying.filter { content.contains($0.row) }, survivors, content)
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
  ) throws(LibraryError) -> (Standings, [(row: Int64, index: Int)]?) {
    try library.read(asOf: from) { session throws(LibraryError) in
      let old = try query.standings(of: touched, session)
      var places: [(row: Int64, index: Int)] = []
      if old.count > Self.fewMembers {
        places = before.indexes(of: old.keys).map { (row: $0.key, index: $0.value) }
      } else {
        let survivors = Survivors(count: before.count, taken: [])
        for (row, standing) in old {
          let rank = try rank(of: standing, in: survivors, from: 0, session)
          if rank < before.count, before[rank] == row { places.append((row, rank)) }
        }
      }
      return (old, places.count == old.count ? places : nil)
    }
  }

  // MARK: Indexes afterwards

  /// Returns the entries in order, each with the number of staying members before it.
  private func placed(
    _ entries: [Entry], _ survivors: Survivors, _ session: FetchSession
  ) throws(LibraryError) -> [Entry] {
    let order = query.order
    var placed = entries.sorted { order.precedes($0.standing, $1.standing) }
    let known = try ranksBySuccessor(placed, survivors, session)
    var least = 0
    for i in placed.indices {
      if let rank = known[placed[i].row] {
        least = rank
      } else {
        least = try rank(of: placed[i].standing, in: survivors, from: least, session)
      }
      placed[i].rank = least
    }
    return placed
  }

  /// Returns the ranks of many entries at once, if a database index can find their successors.
  private func ranksBySuccessor(
    _ entries: [Entry], _ survivors: Survivors, _ session: FetchSession
  ) throws(LibraryError) -> [Int64: Int] {
    guard entries.count > Self.fewMembers, session.isNewest else { return [:] }
    var successors: [Int64: Int64] = [:]
    for entry in entries {
      successors[entry.row] = try query.successor(of: entry.standing, session)
    }
    let places = before.indexes(of: Set(successors.values))
    return successors.compactMapValues { row in
      // A successor that was taken out, or is an entry itself, does not give a rank.
      places[row].flatMap { survivors.holds($0) ? survivors.rank(of: $0) : nil }
    }
  }

  /// Returns the number of staying members before a sort key, at least the known minimum.
  private func rank(
    of standing: MemberQuery.Standing, in survivors: Survivors, from least: Int,
    _ session: FetchSession
  ) throws(LibraryError) -> Int {
    let order = query.order
    func precedes(_ rank: Int) throws(LibraryError) -> Bool {
      let row = before[survivors.index(of: rank)]
      if row == standing.tie { return false }
      guard let other = try query.standing(of: row, session) else { throw .lostRow(row) }
      return order.precedes(other, standing)
    }
    var (low, high) = (least, survivors.count)
    // Most insertions are at the end.
    if low < high, try precedes(high - 1) { return high }
    while low < high {
      let middle = (low + high) / 2
      if try precedes(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: The resulting list

  private func followed(
    _ taken: [(row: Int64, index: Int)], _ entries: [Entry],
    _ staying: [(row: Int64, index: Int)], _ survivors: Survivors, _ content: Set<Int64>
  ) -> FollowedList {
    let targets = Dictionary(
      uniqueKeysWithValues: entries.enumerated().map { i, entry in (entry.row, entry.rank + i) })
    let origins = Set(taken.map(\.row))
    let difference = ListDifference(
      beforeCount: before.count, afterCount: survivors.count + entries.count,
      removed: taken.filter { targets[$0.row] == nil }.map(\.index),
      inserted: entries.enumerated().filter { !origins.contains($0.element.row) }
        .map { $0.element.rank + $0.offset },
      runs: runs(taken, entries, targets), budget: ListDifference.budget)
    let moved = taken.compactMap { content.contains($0.row) ? targets[$0.row] : nil }
    let ranks = entries.map(\.rank)
    let stayed = staying.map { member in
      let rank = survivors.rank(of: member.index)
      return rank + ranks.partitionPoint { $0 > rank }
    }
    let rows = before.editing(
      removing: taken.map(\.index),
      inserting: entries.map {
        RowList.Insertion(index: survivors.index(of: $0.rank), row: $0.row)
      })
    return FollowedList(rows: rows, difference: difference, changed: (moved + stayed).sorted())
  }

  /// Returns the members of both lists, in runs that stay together.
  private func runs(
    _ taken: [(row: Int64, index: Int)], _ entries: [Entry], _ targets: [Int64: Int]
  ) -> [ListDifference.Run] {
    var runs: [ListDifference.Run] = []
    var (nextTaken, nextEntry, index) = (0, 0, 0)
    while index < before.count {
      if nextTaken < taken.count, taken[nextTaken].index == index {
        if let target = targets[taken[nextTaken].row] {
          runs.join(ListDifference.Run(before: index, after: target, count: 1))
        }
        nextTaken += 1
        index += 1
        continue
      }
      let rank = index - nextTaken
      while nextEntry < entries.count, entries[nextEntry].rank <= rank { nextEntry += 1 }
      let untilTaken = nextTaken < taken.count ? taken[nextTaken].index : before.count
      let untilEntry =
        nextEntry < entries.count ? index + entries[nextEntry].rank - rank : before.count
      let end = min(untilTaken, untilEntry)
      runs.join(ListDifference.Run(before: index, after: rank + nextEntry, count: end - index))
      index = end
    }
    return runs
  }
}
