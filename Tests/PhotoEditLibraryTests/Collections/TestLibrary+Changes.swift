// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

/// Albums and folders for tests, read directly with SQL.
extension TestLibrary {
  // MARK: Creating and changing

  func addAlbum(_ assets: [Asset] = [], title: String = "album") throws -> AssetCollection {
    let placeholder = try library.performChangesAndWait { changes in
      let request = try changes.createAlbum(title: title)
      try request.addAssets(assets)
      return request.placeholder
    }
    return try #require(try album(placeholder.localIdentifier))
  }

  func addFolder(
    _ children: [some CollectionReference] = [String](), title: String = "folder"
  ) throws -> CollectionList {
    let placeholder = try library.performChangesAndWait { changes in
      let request = try changes.createFolder(title: title)
      try request.addChildCollections(children)
      return request.placeholder
    }
    return try #require(try placeholder.flatMap { try list($0.localIdentifier) })
  }

  func change(
    _ album: AssetCollection, tracking assets: [Asset]? = nil,
    _ body: (AssetCollectionChangeRequest) throws -> Void
  ) throws {
    try library.performChangesAndWait { changes in
      try body(changes.change(album, MirroredOrder(assets.map { ChunkedRowList($0.map(\.row)) })))
    }
  }

  func change(
    _ folder: CollectionList?, _ body: (CollectionListChangeRequest) throws -> Void
  ) throws {
    try library.performChangesAndWait { changes in
      try body(folder.map { try changes.change($0) } ?? changes.changeTopLevel())
    }
  }

  // MARK: Reading

  /// An existing album, or nil.
  func album(_ identifier: String) throws -> AssetCollection? {
    guard let title = try title(identifier, .assetCollection) else { return nil }
    return AssetCollection(
      localIdentifier: identifier, kind: .album, subtype: .albumRegular,
      localizedTitle: title.text, startDate: nil, endDate: nil, estimatedAssetCount: 0,
      row: title.row)
  }

  /// An existing folder, or nil.
  func list(_ identifier: String) throws -> CollectionList? {
    guard let title = try title(identifier, .collectionList) else { return nil }
    return CollectionList(
      localIdentifier: identifier, kind: .folder, subtype: .regularFolder,
      localizedTitle: title.text, startDate: nil, endDate: nil, row: title.row)
  }

  private func title(
    _ identifier: String, _ objectClass: ObjectClass
  ) throws -> (text: String, row: Int64)? {
    let name = try #require(LocalIdentifier(identifier, as: objectClass))
    return try library.read { database throws(LibraryError) in
      try database.first(
        "SELECT title, id FROM collection WHERE uuid = ? AND class = ? AND state = 0",
        [.blob(name.bytes), .init(objectClass.rawValue)]
      ) { ($0.text(0), $0.int(1)) }
    }
  }

  /// The assets of an album in order.
  func assets(in album: AssetCollection) throws -> [Asset] {
    let columns = Asset.columns.map { "asset." + $0 }.joined(separator: ", ")
    return try library.read { database throws(LibraryError) in
      try database.all(
        """
        SELECT \(columns) FROM member JOIN asset ON asset.id = member.asset
        WHERE album = (SELECT id FROM collection WHERE uuid = ?) ORDER BY position
        """, [.blob(LocalIdentifier(album.localIdentifier)?.bytes ?? [])]
      ) { Asset($0) }
    }
  }

  /// The identifiers of the children of a folder or the top level, in order.
  func children(of folder: CollectionList?) throws -> [String] {
    let bytes = folder.flatMap { LocalIdentifier($0.localIdentifier)?.bytes }
    return try library.read { database throws(LibraryError) in
      try database.all(
        """
        SELECT uuid, class FROM collection
        WHERE state = 0 AND parent IS (SELECT id FROM collection WHERE uuid = ?)
        ORDER BY position
        """, [.init(bytes)]
      ) { row in
        ObjectClass(rawValue: Int(row.int(1))).flatMap {
          LocalIdentifier(bytes: row.blob(0), $0)?.description
        } ?? ""
      }
    }
  }

  func number(_ sql: String, _ values: [DatabaseValue] = []) throws -> Int64 {
    try library.read { database throws(LibraryError) in
      try database.first(sql, values) { $0.int(0) } ?? 0
    }
  }

  func version() throws -> Int64 { try number("SELECT coalesce(max(id), 0) FROM change") }

  /// Changes the database without the library's knowledge.
  func tamper(_ sql: String) throws {
    try library.openWriter().sync { connection throws(DatabaseError) in
      try connection.execute(sql)
    }
  }

  /// The contents of all tables, as lines.
  func dump() throws -> [String] {
    try library.read { database throws(LibraryError) in
      let tables = try database.all(
        // The tables of pending maintenance change in the background, and the rows of the full-text
        // index are in tables of their own.
        """
        SELECT name FROM sqlite_schema
        WHERE type = 'table' AND name NOT IN ('staleManifest', 'leftover', 'asset_text')
        ORDER BY name
        """
      ) { $0.text(0) }
      var lines: [String] = []
      for table in tables {
        lines += try database.all("SELECT * FROM \(table)") { row in
          table + ": " + (0..<row.count).map { "\(row.value($0))" }.joined(separator: " | ")
        }.sorted()
      }
      return lines
    }
  }

  /// Expects a block to fail and to leave the database unchanged.
  @discardableResult
  func expectRefusal(
    _ code: LibraryError.Code = .changeNotSupported, naming identifiers: [String]? = nil,
    _ location: SourceLocation = #_sourceLocation,
    _ block: (ChangeContext) throws -> Void
  ) throws -> LibraryError? {
    let before = try dump()
    let error = #expect(throws: LibraryError.self, sourceLocation: location) {
      try library.performChangesAndWait(block)
    }
    #expect(error?.code == code, "\(String(describing: error))", sourceLocation: location)
    if let identifiers {
      #expect(error?.identifiers == identifiers, sourceLocation: location)
    }
    #expect(try dump() == before, "the database differs", sourceLocation: location)
    return error
  }
}

extension [Asset] {
  /// The assets at the given indexes.
  func at(_ indexes: Int...) -> [Asset] { indexes.map { self[$0] } }
}
