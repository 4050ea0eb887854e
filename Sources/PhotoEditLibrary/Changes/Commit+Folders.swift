// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// The rows of folders and of what is in them while a commit changes them.
extension Commit {
  /// An album or folder that a person made.
  struct Child {
    let identifier: LocalIdentifier
    let row: Int64
    /// The folder that holds it; nil for the top level.
    let parent: Int64?
  }

  /// An album or folder; nil when there is none, or no person made it.
  func child(_ identifier: LocalIdentifier) throws(LibraryError) -> Child? {
    try database.first(
      """
      SELECT id, parent FROM collection
      WHERE uuid = ? AND class = ? AND state = 0 AND (class, subtype) IN (VALUES (2, 2), (3, 100))
      """, [.blob(identifier.bytes), .init(identifier.objectClass.rawValue)]
    ) { Child(identifier: identifier, row: $0.int(0), parent: $0.optionalInt(1)) }
  }

  /// The row of an album or folder, deleted or not.
  func row(ofAny identifier: LocalIdentifier) throws(LibraryError) -> Int64? {
    try database.first(
      "SELECT id FROM collection WHERE uuid = ? AND class = ?",
      [.blob(identifier.bytes), .init(identifier.objectClass.rawValue)]
    ) { $0.int(0) }
  }

  /// What a folder holds, or the top level for nil, in order.
  func children(of folder: Int64?) throws(LibraryError) -> PositionedList {
    PositionedList(
      try database.all(
        """
        SELECT id, position FROM collection WHERE state = 0 AND parent IS ? ORDER BY position, id
        """, [.init(folder)]
      ) { PositionedList.Entry(row: $0.int(0), stored: $0.int(1), position: $0.int(1)) })
  }

  /// Writes the places that changed in a folder, or at the top level for nil.
  ///
  /// - Returns: Whether any did.
  @discardableResult
  func write(
    _ list: PositionedList, toFolder folder: Int64?
  ) throws(LibraryError) -> Bool {
    var list = list
    list.fillGaps()
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

  /// A position behind everything that a folder holds, or the top level for nil.
  func endPosition(ofFolder folder: Int64?) throws(LibraryError) -> Int64 {
    let last = try database.first(
      "SELECT max(position) FROM collection WHERE state = 0 AND parent IS ?", [.init(folder)]
    ) { $0.optionalInt(0) }
    let end = PositionedList.spread(1, between: last ?? nil, and: nil, least: 1)
    if let position = end?.first { return position }
    // Somebody used up the numbers: the others move, and no row has number 0.
    var list = try children(of: folder)
    list.append([0])
    list.fillGaps()
    try write(list, toFolder: folder)
    return list.entries.last?.position ?? PositionedList.gap
  }

  /// The names of albums and folders.
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

  /// Keeps a folder as it was and dates its change; the top level has neither.
  func touchFolder(_ folder: Int64?) throws(LibraryError) {
    guard let folder else { return }
    try touchCollection(.collectionList, folder)
    try date(collection: folder)
  }

  /// The folders from one up to the top level, itself first.
  func ancestry(of folder: Int64?) throws(LibraryError) -> [Int64] {
    var result: [Int64] = []
    var next = folder
    // A damaged library may have a circle.
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
