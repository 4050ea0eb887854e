// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// Creates an album or a folder at the end of the top level.
final class CollectionCreation: ChangeOperation {
  let placeholder: ObjectPlaceholder
  private let title: String

  init(_ objectClass: ObjectClass, title: String) throws(LibraryError) {
    try ObjectText.check(title, "title")
    placeholder = ObjectPlaceholder(LocalIdentifier(new: objectClass))
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
