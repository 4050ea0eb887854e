// SPDX-License-Identifier: Apache-2.0
package import PhotoEditSQLite

/// The database record of an asset's file.
struct ResourceRecord: Sendable, Hashable {
  var type: AssetResourceType
  /// The path relative to the library.
  var file: String
  var digest: [UInt8]
  /// The size in bytes.
  var size: Int
  /// The uniform type identifier, such as "public.jpeg".
  var uniformType: String
  /// The name of the file at import.
  var filename: String

  /// Indicates whether it is an image that a copy can be made of.
  var isStill: Bool { [.photo, .fullSizePhoto].contains(type) }
}

extension ChangeTransaction {
  static let insertAsset = {
    let columns = Asset.storedColumns
    return """
      INSERT INTO asset (\(columns.joined(separator: ", ")), lastChange)
      VALUES (\(Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")))
      """
  }()

  func insert(
    _ properties: PhotoProperties, as identifier: LocalIdentifier = LocalIdentifier(new: .asset)
  ) throws(LibraryError) -> Int64 {
    let change = try change()
    var properties = properties
    if properties.place == nil { properties.place = place(at: properties.location) }
    try database.run(
      Self.insertAsset, [.blob(identifier.bytes)] + properties.values + [.integer(change)])
    let row = database.connection.lastInsertedRow
    try touchAsset(row, .inserted)
    return row
  }

  func put(_ resource: ResourceRecord, of asset: Int64) throws(LibraryError) {
    try database.run(
      """
      INSERT OR REPLACE INTO resource (asset, type, file, digest, size, uniformType, filename)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(asset), .init(resource.type.rawValue), .text(resource.file),
        .blob(resource.digest), .init(resource.size), .text(resource.uniformType),
        .text(resource.filename),
      ])
  }
}

/// Inserts rows of assets without files, to generate large libraries.
final class RowInsertion: ChangeOperation {
  private let all: [PhotoProperties]
  let identifiers: [LocalIdentifier]

  init(_ all: [PhotoProperties]) {
    self.all = all
    identifiers = all.map { _ in LocalIdentifier(new: .asset) }
  }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    for (properties, identifier) in zip(all, identifiers) {
      _ = try commit.insert(properties, as: identifier)
    }
  }
}

extension PhotoLibrary {
  /// Adds assets without files in one commit, using the same code path as other commits; returns
  /// their identifiers.
  @discardableResult
  package func insertRows(_ all: [PhotoProperties]) throws -> [String] {
    let insertion = RowInsertion(all)
    try performChangesAndWait { try $0.add(insertion) }
    return insertion.identifiers.map(\.description)
  }

  /// The columns of an asset that are kept in the history, to generate long histories.
  package static let historyColumns =
    (Asset.storedColumns + ["state"]).joined(separator: ", ")

  /// Returns the statement that inserts an asset and its bound values, for comparison with plain
  /// SQLite.
  package static func insertion(
    _ properties: PhotoProperties
  ) -> (sql: String, values: [DatabaseValue]) {
    let identifier = DatabaseValue.blob(LocalIdentifier(new: .asset).bytes)
    return (ChangeTransaction.insertAsset, [identifier] + properties.values + [.integer(1)])
  }
}
