// SPDX-License-Identifier: Apache-2.0
@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

/// The visible state of a library or of its model, in a common form.
struct LibraryView: Equatable {
  struct AssetView: Equatable {
    var state = 2
    var title: String?
    var isFavorite = false
    var isHidden = false
    var represents = false
  }

  struct CollectionView: Equatable {
    var title: String
    var parent: Int?
  }

  var assets: [Int: AssetView] = [:]
  /// The existing collections.
  var collections: [Int: CollectionView] = [:]
  /// The objects of each list, in order.
  var lists: [Int: [Int]] = [:]
}

extension LibraryView {
  /// - Parameter withTrashed: True to include the positions of assets in the trash.
  init(_ model: LibraryModel, withTrashed: Bool) {
    for (asset, state) in model.assets {
      assets[asset] =
        state.state == 2
        ? AssetView()
        : AssetView(
          state: state.state, title: state.title, isFavorite: state.isFavorite,
          isHidden: state.isHidden, represents: state.represents)
    }
    for (object, state) in model.collections where state.itemExists {
      collections[object] = CollectionView(title: state.title, parent: state.parent)
    }
    for (list, slots) in model.lists {
      let seen = slots.filter { withTrashed || !$0.isTrashed }.map(\.object)
      if !seen.isEmpty { lists[list] = seen }
    }
  }

  /// Returns an earlier view after the purges of a later model, which clear properties.
  func cleared(by model: LibraryModel) -> LibraryView {
    var view = self
    for (asset, state) in model.assets where state.state == 2 { view.assets[asset]?.title = nil }
    return view
  }

  /// Reads the current tables, or reconstructs their state after a commit from the history.
  ///
  /// - Parameters:
  ///   - numbers: The model's numbers by row.
  ///   - version: A commit, or nil for the current state, with positions of trashed assets.
  init(
    _ database: LibraryDatabase, assets assetNumbers: [Int64: Int],
    collections collectionNumbers: [Int64: Int], at version: Int64?
  ) throws(LibraryError) {
    let limit: DatabaseValue = .integer(version ?? Int64.max)
    let assetRows = try database.all(Self.assetQuery, [limit]) { row in
      (
        id: row.int(0), state: Int(row.int(1)), title: row.optionalText(2),
        isFavorite: row.bool(3), isHidden: row.bool(4), represents: row.bool(5)
      )
    }
    for row in assetRows {
      guard let number = assetNumbers[row.id] else { continue }
      assets[number] =
        row.state == 2
        ? AssetView()
        : AssetView(
          state: row.state, title: row.title, isFavorite: row.isFavorite, isHidden: row.isHidden,
          represents: row.represents)
    }
    let collectionRows = try database.all(Self.collectionQuery, [limit]) { row in
      (
        id: row.int(0), state: row.int(1), title: row.text(2), parent: row.optionalInt(3),
        position: row.int(4), objectClass: row.int(5)
      )
    }
    for row in collectionRows.sorted(by: { $0.position < $1.position }) where row.state == 0 {
      guard let number = collectionNumbers[row.id] else { continue }
      let parent = row.parent.map { collectionNumbers[$0] ?? -99 }
      collections[number] = CollectionView(title: row.title, parent: parent)
      lists[parent ?? LibraryModel.top, default: []].append(number)
      guard row.objectClass == 2 else { continue }
      let members = try Self.members(of: row.id, database, at: version)
      if !members.isEmpty { lists[number] = members.map { assetNumbers[$0] ?? -99 } }
    }
  }

  private static func members(
    of album: Int64, _ database: LibraryDatabase, at version: Int64?
  ) throws(LibraryError) -> [Int64] {
    var positions: [Int64: Int64] = [:]
    let trashed =
      version == nil
      ? " UNION ALL SELECT asset, position FROM trashedMember WHERE album = ?1" : ""
    for (asset, position) in try database.all(
      "SELECT asset, position FROM member WHERE album = ?1" + trashed, [.integer(album)],
      { ($0.int(0), $0.int(1)) })
    {
      positions[asset] = position
    }
    guard let version else { return positions.keys.sorted { positions[$0]! < positions[$1]! } }
    // The first change after the version contains the member's position at that version.
    for (asset, before) in try database.all(
      """
      SELECT asset, before, min(change) FROM memberHistory WHERE album = ? AND change > ?
      GROUP BY asset
      """, [.integer(album), .integer(version)], { ($0.int(0), $0.optionalInt(1)) })
    {
      positions[asset] = before
    }
    return positions.keys.sorted { positions[$0]! < positions[$1]! }
  }

  private static func choice(_ columns: [String]) -> String {
    columns.map { "CASE WHEN h.id IS NULL THEN o.\($0) ELSE h.\($0) END" }
      .joined(separator: ", ")
  }

  private static let assetQuery =
    """
    SELECT o.id, \(choice(["state", "title", "isFavorite", "isHidden", "representsBurst"]))
    FROM asset o LEFT JOIN assetHistory h ON h.id = o.id AND h.change =
      (SELECT min(change) FROM assetHistory WHERE id = o.id AND change > ?1)
    """

  private static let collectionQuery =
    """
    SELECT o.id, \(choice(["state", "title", "parent", "position"])), o.class
    FROM collection o LEFT JOIN collectionHistory h ON h.id = o.id AND h.change =
      (SELECT min(change) FROM collectionHistory WHERE id = o.id AND change > ?1)
    """
}
