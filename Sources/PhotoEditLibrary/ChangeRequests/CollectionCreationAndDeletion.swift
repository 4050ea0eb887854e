// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// Creates an album or a folder at the end of the top level.
final class CollectionCreation: ChangeOperation {
  let placeholder: ObjectPlaceholder
  private let title: String

  convenience init(_ objectClass: ObjectClass, title: String) throws(LibraryError) {
    try self.init(LocalIdentifier(new: objectClass), title: title)
  }

  init(_ identifier: LocalIdentifier, title: String) throws(LibraryError) {
    try ObjectText.check(title, "title")
    placeholder = ObjectPlaceholder(identifier)
    self.title = title
  }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    let identifier = placeholder.identifier
    try commit.willChange(identifier)
    let change = try commit.change()
    let subtype =
      identifier.objectClass == .assetCollection
      ? AssetCollection.Subtype.albumRegular.rawValue
      : CollectionList.Subtype.regularFolder.rawValue
    try commit.database.run(
      """
      INSERT INTO collection (uuid, class, subtype, title, parent, position, creationDate,
        modificationDate, state, lastChange)
      VALUES (?, ?, ?, ?, NULL, ?, ?, ?, 0, ?)
      """,
      [
        .blob(identifier.bytes), .init(identifier.objectClass.rawValue), .init(subtype),
        .text(title), .integer(try commit.endPosition(ofFolder: nil)),
        .real(commit.date), .real(commit.date), .integer(change),
      ])
    try commit.touchCollection(
      identifier.objectClass, commit.database.connection.lastInsertedRow, .inserted)
  }
}

/// Changes the title of an album or a folder; does nothing if the title is equal.
final class CollectionTitle: ChangeOperation {
  private let identifier: LocalIdentifier
  private let title: String

  init(_ title: String, of identifier: LocalIdentifier) throws(LibraryError) {
    try ObjectText.check(title, "title")
    self.identifier = identifier
    self.title = title
  }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    try commit.willChange(identifier)
    guard let row = try commit.database.row(of: identifier) else {
      throw .noObject("\(identifier)")
    }
    let differs = try commit.database.first(
      "SELECT title IS NOT ? FROM collection WHERE id = ?", [.text(title), .integer(row)]
    ) { $0.bool(0) }
    guard differs == true else { return }
    try commit.touchCollection(identifier.objectClass, row)
    try commit.database.run(
      "UPDATE collection SET title = ? WHERE id = ?", [.text(title), .integer(row)])
    try commit.date(collection: row)
  }
}

/// Deletes albums and folders, the latter with everything in them except assets.
final class CollectionDeletion: DestructiveOperation {
  private let identifiers: [LocalIdentifier]

  init(_ identifiers: [LocalIdentifier]) { self.identifiers = identifiers }

  func describe(in deletion: inout PendingDeletion) {
    for identifier in identifiers {
      if identifier.objectClass == .collectionList {
        deletion.folders.append("\(identifier)")
      } else {
        deletion.albums.append("\(identifier)")
      }
    }
  }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    // A collection may be inside another one that was named before it.
    let children = try commit.all(identifiers.filter { !commit.deletes($0) }, commit.child)
    for child in children where !commit.deletes(child.identifier) {
      try commit.touchFolder(child.parent)
      try commit.delete(tree: child)
    }
  }
}

extension ChangeTransaction {
  /// Deletes an album or folder and everything below it; the identifiers are never reused.
  func delete(tree root: Child) throws(LibraryError) {
    var remaining = [root.row]
    var visited: Set<Int64> = []
    while let row = remaining.popLast() {
      // A damaged library may contain a cycle.
      guard visited.insert(row).inserted else { continue }
      remaining += try children(of: row).entries.map(\.row)
      for identifier in try identifiers(of: [row]) { try delete(row, identifier) }
    }
  }

  private func delete(_ row: Int64, _ identifier: LocalIdentifier) throws(LibraryError) {
    try willDelete(identifier)
    // This marks the manifest as stale, which leads to its removal.
    try touchCollection(identifier.objectClass, row, .deleted)
    memberLists[row] = nil
    try database.run(
      """
      INSERT INTO memberHistory (change, album, asset, before, after)
      SELECT ?, album, asset, position, NULL FROM member WHERE album = ?
      ON CONFLICT (album, change, asset) DO UPDATE SET after = NULL
      """, [.integer(try change()), .integer(row)])
    for table in ["member", "trashedMember"] {
      try database.run("DELETE FROM \(table) WHERE album = ?", [.integer(row)])
    }
    try database.run(
      "UPDATE collection SET state = 2, modificationDate = ? WHERE id = ?",
      [.real(date), .integer(row)])
  }
}

extension ChangeContext {
  /// Deletes albums; their assets stay in the library.
  ///
  /// - Throws: `changeNotSupported` if one of them is not user-created; then none is deleted.
  public func delete(_ albums: some Sequence<AssetCollection>) throws(LibraryError) {
    try add(CollectionDeletion(LocalIdentifier.collections(albums)))
  }

  /// Deletes folders with all albums and folders in them; the assets stay in the library.
  ///
  /// - Throws: `changeNotSupported` if one of them is not user-created.
  public func delete(_ folders: some Sequence<CollectionList>) throws(LibraryError) {
    try add(CollectionDeletion(LocalIdentifier.collections(folders)))
  }

  /// Deletes albums and folders; see the other overloads.
  public func delete(_ collections: some Sequence<PhotoCollection>) throws(LibraryError) {
    try add(CollectionDeletion(LocalIdentifier.collections(collections)))
  }
}
