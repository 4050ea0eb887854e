// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// The rows of albums during a commit.
extension ChangeTransaction {
  /// Returns the row of a user-created album; nil if it does not exist.
  func album(_ identifier: LocalIdentifier) throws(LibraryError) -> Int64? {
    try database.first(
      "SELECT id FROM collection WHERE uuid = ? AND class = ? AND subtype = ? AND state = 0",
      [
        .blob(identifier.bytes), .init(ObjectClass.assetCollection.rawValue),
        .init(AssetCollection.Subtype.albumRegular.rawValue),
      ]
    ) { $0.int(0) }
  }

  /// Returns the rows of assets to add to an album.
  ///
  /// - Throws: `identifierNotFound` with all identifiers that are not in the library.
  func assets(toAdd identifiers: [LocalIdentifier]) throws(LibraryError) -> [Int64] {
    var rows: [Int64] = []
    var missing: [String] = []
    for identifier in identifiers {
      try willChange(identifier)
      if let row = try database.row(of: identifier) {
        rows.append(row)
      } else {
        missing.append("\(identifier)")
      }
    }
    guard missing.isEmpty else { throw .noObjects(missing) }
    return rows
  }

  /// Returns the position of an asset in an album; nil if it is not a member.
  func position(of asset: Int64, in album: Int64) throws(LibraryError) -> Int64? {
    try database.first(
      "SELECT position FROM member WHERE asset = ? AND album = ?",
      [.integer(asset), .integer(album)]
    ) { $0.int(0) }
  }

  /// Returns the members of an album, in order; read once per commit.
  func members(of album: Int64) throws(LibraryError) -> PositionedList {
    if let known = memberLists[album] { return known }
    let list = PositionedList(
      try database.all(
        """
        SELECT position, asset, 0 FROM member WHERE album = ?1
        UNION ALL SELECT position, asset, 1 FROM trashedMember WHERE album = ?1
        ORDER BY position
        """, [.integer(album)]
      ) {
        PositionedList.Entry(
          row: $0.int(1), stored: $0.int(0), position: $0.int(0), isTrashed: $0.bool(2))
      })
    memberLists[album] = list
    return list
  }

  /// Writes the changes to an album: removed entries, and entries with new positions.
  func write(
    _ list: PositionedList, removed: [PositionedList.Entry], to album: Int64
  ) throws(LibraryError) {
    var list = list
    list.assignPositions()
    let moved = list.entries.filter { $0.stored != $0.position }
    guard !removed.isEmpty || !moved.isEmpty else { return }
    try touchAlbum(album)
    // All old positions are freed before new ones are used: a position belongs to one member.
    for entry in removed + moved {
      guard let stored = entry.stored else { continue }
      try database.run(
        entry.isTrashed
          ? "DELETE FROM trashedMember WHERE asset = ? AND album = ?"
          : "DELETE FROM member WHERE asset = ? AND album = ?",
        [.integer(entry.row), .integer(album)])
      if !entry.isTrashed {
        try noteMember(album: album, asset: entry.row, before: stored, after: nil)
      }
    }
    for entry in moved {
      guard let position = entry.position else { continue }
      try database.run(
        entry.isTrashed
          ? "INSERT INTO trashedMember (album, position, asset) VALUES (?, ?, ?)"
          : "INSERT INTO member (album, position, asset) VALUES (?, ?, ?)",
        [.integer(album), .integer(position), .integer(entry.row)])
      if !entry.isTrashed {
        try noteMember(album: album, asset: entry.row, before: nil, after: position)
      }
    }
    list.markStored()
    memberLists[album] = list
  }

  /// Appends assets to an album without reading all its members, if possible.
  func append(_ assets: [Int64], to album: Int64) throws(LibraryError) {
    guard !assets.isEmpty else { return }
    var positions: [Int64]?
    // A list that is already in memory must be kept up to date.
    if memberLists[album] == nil {
      let last = try database.first(
        """
        SELECT max(last) FROM (
          SELECT max(position) AS last FROM member WHERE album = ?1
          UNION ALL SELECT max(position) FROM trashedMember WHERE album = ?1)
        """, [.integer(album)]
      ) { $0.optionalInt(0) }
      positions = PositionedList.spread(assets.count, between: last ?? nil, and: nil, least: 1)
    }
    guard let positions else {
      var list = try members(of: album)
      list.append(assets)
      return try write(list, removed: [], to: album)
    }
    try touchAlbum(album)
    for (asset, position) in zip(assets, positions) {
      try database.run(
        "INSERT INTO member (album, position, asset) VALUES (?, ?, ?)",
        [.integer(album), .integer(position), .integer(asset)])
      try noteMember(album: album, asset: asset, before: nil, after: position)
    }
  }

  /// Saves an album's previous row and sets its modification date.
  func touchAlbum(_ album: Int64) throws(LibraryError) {
    try touchCollection(.assetCollection, album)
    try date(collection: album)
  }

  /// Sets the modification date of an album or folder.
  func date(collection row: Int64) throws(LibraryError) {
    try database.run(
      "UPDATE collection SET modificationDate = ? WHERE id = ?", [.real(date), .integer(row)])
  }
}
