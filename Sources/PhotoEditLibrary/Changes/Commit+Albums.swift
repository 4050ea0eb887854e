// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// The rows of albums while a commit changes them.
extension Commit {
  /// The row of an album that a person made; nil when there is none.
  func album(_ identifier: LocalIdentifier) throws(LibraryError) -> Int64? {
    try database.first(
      "SELECT id FROM collection WHERE uuid = ? AND class = ? AND subtype = ? AND state = 0",
      [
        .blob(identifier.bytes), .init(ObjectClass.assetCollection.rawValue),
        .init(AssetCollection.Subtype.albumRegular.rawValue),
      ]
    ) { $0.int(0) }
  }

  /// The rows of assets that are to come into an album.
  ///
  /// - Throws: `identifierNotFound` with all that are not in the library.
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

  /// Where an asset is in an album; nil when it is not.
  func position(of asset: Int64, in album: Int64) throws(LibraryError) -> Int64? {
    try database.first(
      "SELECT position FROM member WHERE asset = ? AND album = ?",
      [.integer(asset), .integer(album)]
    ) { $0.int(0) }
  }

  /// What an album holds, in order; read once for the commit.
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
          row: $0.int(1), stored: $0.int(0), position: $0.int(0), isGhost: $0.bool(2))
      })
    memberLists[album] = list
    return list
  }

  /// Writes what changed in an album: the entries that are gone and those with other positions.
  func write(
    _ list: PositionedList, removed: [PositionedList.Entry], to album: Int64
  ) throws(LibraryError) {
    var list = list
    list.fillGaps()
    let placed = list.entries.filter { $0.stored != $0.position }
    guard !removed.isEmpty || !placed.isEmpty else { return }
    try touchAlbum(album)
    // All old places are given up before new ones are taken: a position belongs to one member.
    for entry in removed + placed {
      guard let stored = entry.stored else { continue }
      try database.run(
        entry.isGhost
          ? "DELETE FROM trashedMember WHERE asset = ? AND album = ?"
          : "DELETE FROM member WHERE asset = ? AND album = ?",
        [.integer(entry.row), .integer(album)])
      if !entry.isGhost {
        try noteMember(album: album, asset: entry.row, before: stored, after: nil)
      }
    }
    for entry in placed {
      guard let position = entry.position else { continue }
      try database.run(
        entry.isGhost
          ? "INSERT INTO trashedMember (album, position, asset) VALUES (?, ?, ?)"
          : "INSERT INTO member (album, position, asset) VALUES (?, ?, ?)",
        [.integer(album), .integer(position), .integer(entry.row)])
      if !entry.isGhost {
        try noteMember(album: album, asset: entry.row, before: nil, after: position)
      }
    }
    list.markStored()
    memberLists[album] = list
  }

  /// Puts assets behind everything that an album holds, and never reads it whole.
  func append(_ assets: [Int64], to album: Int64) throws(LibraryError) {
    guard !assets.isEmpty else { return }
    var positions: [Int64]?
    // An order that is in memory already must not be left behind.
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

  /// Keeps an album as it was and dates its change.
  func touchAlbum(_ album: Int64) throws(LibraryError) {
    try touchCollection(.assetCollection, album)
    try date(collection: album)
  }

  /// Dates the change of an album or folder.
  func date(collection row: Int64) throws(LibraryError) {
    try database.run(
      "UPDATE collection SET modificationDate = ? WHERE id = ?", [.real(date), .integer(row)])
  }
}
