// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite

extension CollectionList: TitledObject {
  /// The queries and columns for folders in a library; lists of moments are computed.
  public static let source = FetchSource<CollectionList>(
    columns: [.localIdentifier, .localizedTitle, .startDate, .endDate],
    aliases: ["SELF": "localIdentifier", "title": "localizedTitle"],
    expressions: [
      "localIdentifier": "uuid", "localizedTitle": "title", "startDate": "NULL",
      "endDate": "NULL",
    ],
    identity: { text in LocalIdentifier(text, as: .collectionList).map { .blob($0.bytes) } },
    row: { $0.row }, value: { $0.value($1) }, read: CollectionList.read,
    find: { name, session throws(LibraryError) in
      try LocalIdentifier(name, as: .collectionList).flatMap { name throws(LibraryError) in
        try PhotoLibrary.list(name, session)
      }
    },
    differs: { $0.differs(from: $1) }, classes: [.collectionList],
    unavailable: CollectionList(unavailable: ()))

  @Sendable
  private static func read(
    _ rows: ArraySlice<Int64>, at version: Int64, _ session: FetchSession
  ) throws(LibraryError) -> [CollectionList] {
    var objects: [CollectionList] = []
    for row in rows {
      objects.append(
        CollectionList(try CollectionRecord(row, at: version, session.database), session))
    }
    return objects
  }

  /// Creates a folder from its record.
  init(_ record: CollectionRecord, _ session: FetchSession) {
    self.init(
      localIdentifier: LocalIdentifier(bytes: record.uuid, .collectionList)?.description ?? "",
      kind: .folder, subtype: Subtype(rawValue: record.subtype), localizedTitle: record.title,
      startDate: nil, endDate: nil, row: record.row)
    isLibraryChangeable = session.isChangeable
  }

  /// Creates the placeholder for a list that can no longer be read.
  private init(unavailable: Void) {
    self.init(
      localIdentifier: "", kind: .folder, subtype: .any, localizedTitle: nil, startDate: nil,
      endDate: nil, row: nil)
    isLibraryChangeable = false
  }
}

extension PhotoCollection: TitledObject {
  /// The queries and columns for albums and folders together.
  public static let source = FetchSource<PhotoCollection>(
    columns: [.localIdentifier, .localizedTitle, .startDate, .endDate],
    aliases: ["SELF": "localIdentifier", "title": "localizedTitle"],
    expressions: [
      "localIdentifier": "hex(uuid) || class", "localizedTitle": "title",
      "startDate": CollectionSQL.membersOfAlbum("min(creationDate)"),
      "endDate": CollectionSQL.membersOfAlbum("max(creationDate)"),
    ],
    identity: { text in
      guard let identifier = LocalIdentifier(text), identifier.objectClass != .asset else {
        return nil
      }
      let hexadecimal = identifier.uuid.uuidString.filter { $0 != "-" }
      return .text(hexadecimal + "\(identifier.objectClass.rawValue)")
    },
    row: { $0.row }, value: { $0.value($1) }, read: PhotoCollection.read,
    find: { name, session throws(LibraryError) in
      if let list = try CollectionList.source.find(name, session) { return .list(list) }
      return try AssetCollection.source.find(name, session).map { .assets($0) }
    },
    differs: { $0.differs(from: $1) || $0.estimatedAssetCount != $1.estimatedAssetCount },
    classes: [.assetCollection, .collectionList],
    unavailable: .assets(AssetCollection.source.unavailable))

  private var estimatedAssetCount: Int? {
    if case .assets(let album) = self { album.estimatedAssetCount } else { nil }
  }

  @Sendable
  private static func read(
    _ rows: ArraySlice<Int64>, at version: Int64, _ session: FetchSession
  ) throws(LibraryError) -> [PhotoCollection] {
    var objects: [PhotoCollection] = []
    for row in rows {
      let record = try CollectionRecord(row, at: version, session.database)
      switch record.objectClass {
      case .collectionList: objects.append(.list(CollectionList(record, session)))
      case .assetCollection, .asset:
        objects.append(.assets(try AssetCollection(record, at: version, session)))
      }
    }
    return objects
  }
}
