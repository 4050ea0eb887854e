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
    try all(identifiers) { identifier throws(LibraryError) in
      try willChange(identifier)
      return try database.row(of: identifier)
    }
  }

  /// Returns the object of each identifier.
  ///
  /// - Throws: `identifierNotFound` with all identifiers for which nothing is found.
  func all<Found>(
    _ identifiers: [LocalIdentifier],
    _ find: (LocalIdentifier) throws(LibraryError) -> Found?
  ) throws(LibraryError) -> [Found] {
    var missing: [String] = []
    let all = try identifiers.map { identifier throws(LibraryError) in
      let found = try find(identifier)
      if found == nil { missing.append("\(identifier)") }
      return found
    }
    guard missing.isEmpty else { throw .noObjects(missing) }
    return all.compactMap(\.self)
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

  func date(collection row: Int64) throws(LibraryError) {
    try database.run(
      "UPDATE collection SET modificationDate = ? WHERE id = ?", [.real(date), .integer(row)])
  }

  // MARK: The rows of folders and their contents during a commit

  /// A user-created album or folder.
  struct Child {
    let identifier: LocalIdentifier
    let row: Int64
    /// The folder that contains it; nil for the top level.
    let parent: Int64?
  }

  /// Returns an album or folder; nil if it does not exist or is not user-created.
  func child(_ identifier: LocalIdentifier) throws(LibraryError) -> Child? {
    try database.first(
      """
      SELECT id, parent FROM collection
      WHERE uuid = ? AND class = ? AND state = 0 AND (class, subtype) IN (VALUES (2, 2), (3, 100))
      """, [.blob(identifier.bytes), .init(identifier.objectClass.rawValue)]
    ) { Child(identifier: identifier, row: $0.int(0), parent: $0.optionalInt(1)) }
  }

  /// Returns the row of an album or folder, deleted or not.
  func row(ofAny identifier: LocalIdentifier) throws(LibraryError) -> Int64? {
    try database.first(
      "SELECT id FROM collection WHERE uuid = ? AND class = ?",
      [.blob(identifier.bytes), .init(identifier.objectClass.rawValue)]
    ) { $0.int(0) }
  }

  /// Returns the contents of a folder, or of the top level if nil, in order.
  func children(of folder: Int64?) throws(LibraryError) -> PositionedList {
    PositionedList(
      try database.all(
        """
        SELECT id, position FROM collection WHERE state = 0 AND parent IS ? ORDER BY position, id
        """, [.init(folder)]
      ) { PositionedList.Entry(row: $0.int(0), stored: $0.int(1), position: $0.int(1)) })
  }

  /// Writes the changed positions in a folder, or at the top level if nil.
  ///
  /// - Returns: Whether any position changed.
  @discardableResult
  func write(
    _ list: PositionedList, toFolder folder: Int64?
  ) throws(LibraryError) -> Bool {
    var list = list
    list.assignPositions()
    var isChanged = false
    for entry in list.entries where entry.stored != entry.position {
      guard let position = entry.position,
        let objectClass = try database.first(
          "SELECT class FROM collection WHERE id = ?", [.integer(entry.row)],
          { ObjectClass(rawValue: Int($0.int(0))) }), let objectClass
      else { continue }
      try touchCollection(objectClass, entry.row)
      try database.run(
        "UPDATE collection SET parent = ?, position = ? WHERE id = ?",
        [.init(folder), .integer(position), .integer(entry.row)])
      isChanged = true
    }
    return isChanged
  }

  /// Returns a position after all contents of a folder, or of the top level if nil.
  func endPosition(ofFolder folder: Int64?) throws(LibraryError) -> Int64 {
    let last = try database.first(
      "SELECT max(position) FROM collection WHERE state = 0 AND parent IS ?", [.init(folder)]
    ) { $0.optionalInt(0) }
    let end = PositionedList.spread(1, between: last ?? nil, and: nil, least: 1)
    if let position = end?.first { return position }
    // No positions are left: the others are moved, with row 0 as a placeholder for the new entry.
    var list = try children(of: folder)
    list.append([0])
    list.assignPositions()
    try write(list, toFolder: folder)
    return list.entries.last?.position ?? PositionedList.gap
  }

  func identifiers(of rows: [Int64]) throws(LibraryError) -> [LocalIdentifier] {
    var result: [LocalIdentifier] = []
    for row in rows {
      let identifier = try database.first(
        "SELECT uuid, class FROM collection WHERE id = ?", [.integer(row)]
      ) { row in
        ObjectClass(rawValue: Int(row.int(1))).flatMap {
          LocalIdentifier(bytes: row.blob(0), $0)
        }
      }
      if let identifier, let identifier { result.append(identifier) }
    }
    return result
  }

  /// Saves a folder's previous row and sets its modification date; does nothing for the top level.
  func touchFolder(_ folder: Int64?) throws(LibraryError) {
    guard let folder else { return }
    try touchCollection(.collectionList, folder)
    try date(collection: folder)
  }

  /// Returns the folders from the given one up to the top level, starting with itself.
  func ancestry(of folder: Int64?) throws(LibraryError) -> [Int64] {
    var result: [Int64] = []
    var next = folder
    // A damaged library may contain a cycle.
    while let row = next, !result.contains(row) {
      result.append(row)
      next =
        try database.first(
          "SELECT parent FROM collection WHERE id = ?", [.integer(row)], { $0.optionalInt(0) })
        ?? nil
    }
    return result
  }
}
