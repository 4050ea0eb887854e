// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

/// Changes rows in an ordinary commit, for states without a change request.
final class RowEdit: ChangeOperation {
  private let body: (ChangeTransaction) throws(LibraryError) -> Void

  init(_ body: @escaping (ChangeTransaction) throws(LibraryError) -> Void) { self.body = body }

  func apply(to commit: ChangeTransaction) throws(LibraryError) { try body(commit) }
}

extension TestLibrary {
  func edit(_ body: @escaping (ChangeTransaction) throws(LibraryError) -> Void) throws {
    try library.performChangesAndWait { try $0.add(RowEdit(body)) }
  }

  /// Adds many assets in one commit.
  func addAssets(
    _ count: Int, _ change: (Int, inout PhotoProperties) -> Void = { _, _ in }
  ) throws -> [Asset] {
    let records = (0..<count).map { i in
      var record = PhotoProperties(
        originalFilename: "\(i).jpg", addedAt: library.configuration.clock())
      change(i, &record)
      return record
    }
    return Array(
      try library.fetchAssets(withLocalIdentifiers: try library.insertRows(records)))
  }

  /// Adds an album with members in the given order.
  func addAlbum(
    _ title: String, _ assets: [Asset] = [], in folder: CollectionList? = nil, position: Int = 0,
    subtype: Int = 2
  ) throws -> AssetCollection {
    let name = LocalIdentifier(new: .assetCollection)
    try addCollection(name, title, subtype, folder, position) { commit, row throws(LibraryError) in
      for (i, asset) in assets.enumerated() {
        try Self.put(asset, in: row, at: Int64(i + 1) << 20, commit)
      }
    }
    return try #require(
      try library.fetchAssetCollections(withLocalIdentifiers: [name.description]).first)
  }

  /// Adds a folder.
  func addFolder(
    _ title: String, in folder: CollectionList? = nil, position: Int = 0
  ) throws -> CollectionList {
    let name = LocalIdentifier(new: .collectionList)
    try addCollection(name, title, 100, folder, position) { _, _ in }
    return try #require(
      try library.fetchCollectionLists(withLocalIdentifiers: [name.description]).first)
  }

  private func addCollection(
    _ name: LocalIdentifier, _ title: String, _ subtype: Int, _ folder: CollectionList?,
    _ position: Int, _ fill: @escaping (ChangeTransaction, Int64) throws(LibraryError) -> Void
  ) throws {
    let parent = folder?.row
    try edit { commit throws(LibraryError) in
      try commit.database.run(
        """
        INSERT INTO collection (uuid, class, subtype, title, parent, position, creationDate,
          modificationDate, state, lastChange) VALUES (?, ?, ?, ?, ?, ?, 0, 0, 0, ?)
        """,
        [
          .blob(name.bytes), .init(name.objectClass.rawValue), .init(subtype), .text(title),
          .init(parent), .init(position), .integer(try commit.change()),
        ])
      let row = commit.database.connection.lastInsertedRow
      try commit.touchCollection(name.objectClass, row, .inserted)
      try fill(commit, row)
    }
  }

  /// Puts an asset into an album.
  static func put(
    _ asset: Asset, in album: Int64, at position: Int64, _ commit: ChangeTransaction
  ) throws(LibraryError) {
    try commit.noteMember(album: album, asset: asset.row, before: nil, after: position)
    try commit.database.run(
      "INSERT INTO member (album, position, asset) VALUES (?, ?, ?)",
      [.integer(album), .integer(position), .integer(asset.row)])
  }

  /// Removes an asset from an album.
  static func take(
    _ asset: Asset, outOf album: Int64, _ commit: ChangeTransaction
  ) throws(LibraryError) {
    let values: [DatabaseValue] = [.integer(album), .integer(asset.row)]
    let position = try commit.database.first(
      "SELECT position FROM member WHERE album = ? AND asset = ?", values
    ) { $0.int(0) }
    try commit.noteMember(album: album, asset: asset.row, before: position, after: nil)
    try commit.database.run("DELETE FROM member WHERE album = ? AND asset = ?", values)
  }

  /// Sets the state of an asset: 1 for in the trash, 2 for purged.
  func setState(_ state: Int, of asset: Asset) throws {
    try edit { commit throws(LibraryError) in
      try commit.touchAsset(asset.row, .deleted)
      try commit.database.run(
        "UPDATE asset SET state = ?, trashedDate = 1 WHERE id = ?",
        [.init(state), .integer(asset.row)])
    }
  }

  /// Sets a column of an asset.
  func set(_ column: String, _ value: DatabaseValue, of asset: Asset) throws {
    try edit { commit throws(LibraryError) in
      try commit.touchAsset(asset.row)
      try commit.database.run(
        "UPDATE asset SET \(column) = ? WHERE id = ?", [value, .integer(asset.row)])
    }
  }
}
