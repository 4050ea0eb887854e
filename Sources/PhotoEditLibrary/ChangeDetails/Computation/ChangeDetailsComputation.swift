// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// Finds the changes to a result by the commits since it was fetched.
struct ChangeDetailsComputation<Object: FetchedObject> {
  let library: LibraryReader
  let query: FetchQuery<Object>
  let before: FetchResult<Object>
  let through: Int64

  /// Returns the details; nil if nothing that the result shows has changed.
  func details() throws(LibraryError) -> FetchResultChangeDetails<Object>? {
    let grant = library.access.grant
    let isSameGrant = grant == before.grant
    guard !isSameGrant || (grant.canRead && before.version < through) else { return nil }
    if grant.canRead, before.grant.canRead, before.version <= through {
      do throws(LibraryError) {
        return isSameGrant ? try followed() : try comparison(with: try found(asOf: through))
      } catch {
        // The history does not reach back that far, or was pruned just now.
        guard error.code == .persistentChangeDetailsUnavailable else { throw error }
      }
    }
    // A late change must not return to a state before the one that the result shows.
    let version = max(through, before.version)
    let after = try library.reading(asOf: version) { session throws(LibraryError) in
      try query.find(library, session)
    }
    if before.isEmpty, after.isEmpty { return nil }
    return details(after: after, difference: nil, changed: [])
  }

  /// Returns the details if the program's access is the same as when the result was fetched.
  private func followed() throws(LibraryError) -> FetchResultChangeDetails<Object>? {
    if let members = query.members, members.canFollow, query.wantsDetails,
      let followed = try MemberUpdater(
        library: library, query: members, before: before.rows, from: before.version,
        through: through
      ).follow()
    {
      let after = FetchResult(
        followed.rows, at: through, in: library, grant: before.grant, query: query)
      return details(
        after: after, difference: followed.difference,
        changed: try changed(followed.changed, in: after))
    }
    return try comparison(with: try found(asOf: through))
  }

  private func found(asOf version: Int64) throws(LibraryError) -> FetchResult<Object> {
    let isKnown = try library.read { database throws(LibraryError) in
      try database.retains(before.version)
    }
    guard isKnown else { throw .expired(before.version) }
    return try library.read(asOf: version) { session throws(LibraryError) in
      try query.find(library, session)
    }
  }

  private func details(
    after: FetchResult<Object>, difference: ListDifference?, changed: [Int]
  ) -> FetchResultChangeDetails<Object>? {
    let details = FetchResultChangeDetails(
      before: before, after: after, difference: difference, changed: changed)
    return details.isEmpty ? nil : details
  }

  // MARK: Comparing

  private func comparison(
    with after: FetchResult<Object>
  ) throws(LibraryError) -> FetchResultChangeDetails<Object>? {
    let difference =
      switch query.finder {
      case .rows:
        ListDifference(from: before.rows, to: after.rows, budget: ListDifference.budget)
      case .objects:
        ListDifference(
          from: before.map(\.localIdentifier), to: after.map(\.localIdentifier),
          budget: ListDifference.budget)
      }
    guard let difference else { return details(after: after, difference: nil, changed: []) }
    let changed =
      switch query.finder {
      case .rows: try changedRows(after, difference)
      case .objects: try changedObjects(after)
      }
    if !query.wantsDetails, difference.operationCount == 0, changed.isEmpty { return nil }
    return details(after: after, difference: difference, changed: changed)
  }

  /// Returns the indexes of members of both results whose values differ, for results that contain
  /// objects.
  private func changedObjects(_ after: FetchResult<Object>) throws(LibraryError) -> [Int] {
    let old = Dictionary(before.map { ($0.localIdentifier, $0) }, uniquingKeysWith: { $1 })
    let filled = try touched().refilled
    return after.indices.filter { index in
      let object = after[index]
      guard let old = old[object.localIdentifier] else { return false }
      return Object.source.differs(old, object) || filled.contains(after.rows[index])
    }
  }

  /// Returns the indexes of members of both results that the commits touched, and of collections
  /// whose counts or dates they changed.
  private func changedRows(
    _ after: FetchResult<Object>, _ difference: ListDifference
  ) throws(LibraryError) -> [Int] {
    let inserted = Set(difference.inserted)
    let indexes = after.rows.indexes(of: try touched().all).values
    return try changed(indexes.filter { !inserted.contains($0) }.sorted(), in: after)
  }

  /// Returns those of the touched members that differ in the end.
  private func changed(
    _ indexes: [Int], in after: FetchResult<Object>
  ) throws(LibraryError) -> [Int] {
    // A single commit never touches an asset without changing it; several may cancel each other
    // out.
    if Object.source.classes == [.asset], through == before.version.addingSaturated(1) {
      return indexes
    }
    let filled = try touched().refilled
    let unsure = indexes.filter { !filled.contains(after.rows[$0]) }
    let rows = unsure.map { after.rows[$0] }[...]
    let old = try Object.objects(rows, at: before.version, in: library)
    let new = try Object.objects(rows, at: through, in: library)
    let same = Set(
      zip(unsure, zip(old, new)).lazy.filter { !Object.source.differs($1.0, $1.1) }.map(\.0))
    return same.isEmpty ? indexes : indexes.filter { !same.contains($0) }
  }

  /// Returns the rows of objects that the commits touched or may have changed, and the rows of
  /// albums whose members they changed, which an album's own values do not fully show.
  private func touched() throws(LibraryError) -> (all: Set<Int64>, refilled: Set<Int64>) {
    let isOfAssets = Object.source.classes == [.asset]
    return try library.read(asOf: through) { session throws(LibraryError) in
      func rows(_ sql: String) throws(LibraryError) -> Set<Int64> {
        Set(
          try session.database.integers(sql, [.integer(before.version), .integer(through)]))
      }
      let direct = try rows(
        """
        SELECT object FROM changedObject
        WHERE change > ? AND change <= ? AND class \(isOfAssets ? "=" : "<>") 1
        """)
      if isOfAssets { return (direct, []) }
      let refilled = try rows(
        """
        SELECT DISTINCT album FROM memberHistory INDEXED BY memberHistoryByChange
        WHERE change > ? AND change <= ?
        """)
      let ofMembers = try rows(
        """
        SELECT DISTINCT album FROM changedObject CROSS JOIN member ON asset = object
        WHERE change > ? AND change <= ? AND class = 1
        """)
      return (direct.union(refilled).union(ofMembers), refilled)
    }
  }
}
