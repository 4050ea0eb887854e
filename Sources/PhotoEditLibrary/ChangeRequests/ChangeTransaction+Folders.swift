// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// The rows of folders and their contents during a commit.
extension ChangeTransaction {
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

  /// Returns the identifiers of albums and folders.
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
