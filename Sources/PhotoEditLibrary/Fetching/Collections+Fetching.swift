// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite

/// The properties that albums and folders have in common.
protocol TitledObject: FetchedObject {
  var localizedTitle: String? { get }
  var startDate: Date? { get }
  var endDate: Date? { get }
  var row: Int64? { get }
  var isTransient: Bool { get }
  func canPerform(_ operation: CollectionOperation) -> Bool
}

extension TitledObject {
  /// Returns the value of a fetch key, as stored in the database.
  func value(_ column: FetchColumn) -> DatabaseValue {
    switch column {
    case .localIdentifier: Self.source.identity(localIdentifier) ?? .null
    case .localizedTitle: .init(localizedTitle)
    case .startDate: .init(startDate?.timeIntervalSince1970)
    case .endDate: .init(endDate?.timeIntervalSince1970)
    default: .null
    }
  }

  func differs(from other: Self) -> Bool {
    localizedTitle != other.localizedTitle || startDate != other.startDate
      || endDate != other.endDate
  }
}

extension AssetCollection: TitledObject {
  /// The queries and columns for albums in a library; smart albums and moments are computed.
  public static let source = FetchSource<AssetCollection>(
    columns: [.localIdentifier, .localizedTitle, .startDate, .endDate, .estimatedAssetCount],
    aliases: ["SELF": "localIdentifier", "title": "localizedTitle"],
    expressions: [
      "localIdentifier": "uuid", "localizedTitle": "title",
      "startDate": CollectionSQL.members("min(creationDate)"),
      "endDate": CollectionSQL.members("max(creationDate)"),
      "estimatedAssetCount": CollectionSQL.members("count(*)"),
    ],
    identity: { text in LocalIdentifier(text, as: .assetCollection).map { .blob($0.bytes) } },
    row: { $0.row },
    value: { $1 == .estimatedAssetCount ? .init($0.estimatedAssetCount) : $0.value($1) },
    read: { rows, version, session throws(LibraryError) in
      try rows.map { row throws(LibraryError) in
        let record = try CollectionRecord(row, at: version, session.database)
        return try AssetCollection(record, at: version, session)
      }
    },
    find: { name, session throws(LibraryError) in
      try LocalIdentifier(name, as: .assetCollection).flatMap { name throws(LibraryError) in
        try AssetCollection.named(name, session)
      }
    },
    differs: { $0.differs(from: $1) || $0.estimatedAssetCount != $1.estimatedAssetCount },
    classes: [.assetCollection],
    unavailable: AssetCollection(unavailable: ()))

  init(
    _ record: CollectionRecord, at version: Int64, _ session: FetchSession
  ) throws(LibraryError) {
    let summary = try AlbumSummary(album: record.row, at: version, session.database)
    self.init(
      localIdentifier: LocalIdentifier(bytes: record.uuid, .assetCollection)?.description ?? "",
      kind: .album, subtype: Subtype(rawValue: record.subtype), title: record.title,
      summary: summary, row: record.row, isLibraryChangeable: session.isChangeable)
  }

  init(
    localIdentifier: String, kind: Kind, subtype: Subtype, title: String?, summary: AlbumSummary,
    row: Int64?, isLibraryChangeable: Bool
  ) {
    self.init(
      localIdentifier: localIdentifier, kind: kind, subtype: subtype, localizedTitle: title,
      startDate: summary.start.map { Date(timeIntervalSince1970: $0) },
      endDate: summary.end.map { Date(timeIntervalSince1970: $0) },
      estimatedAssetCount: summary.count, row: row)
    self.isLibraryChangeable = isLibraryChangeable
    (startOffset, endOffset) = (summary.startOffset, summary.endOffset)
  }

  /// Creates the placeholder for a collection that can no longer be read.
  private init(unavailable: Void) {
    self.init(
      localIdentifier: "", kind: .album, subtype: .any, title: nil, summary: AlbumSummary(),
      row: nil, isLibraryChangeable: false)
  }
}

/// SQL expressions for the keys of collections.
enum CollectionSQL {
  /// Returns an aggregate of the members in a default fetch of an album.
  static func members(_ aggregate: String) -> String {
    """
    (SELECT \(aggregate) FROM member CROSS JOIN asset ON asset.id = member.asset
     WHERE member.album = collection.id AND visibility IN (0, 8))
    """
  }

  /// Returns the same for albums, and NULL for folders.
  static func membersOfAlbum(_ aggregate: String) -> String {
    "CASE class WHEN 2 THEN \(members(aggregate)) END"
  }
}

/// The row of an album or folder as of a commit.
struct CollectionRecord {
  let row: Int64
  let uuid: [UInt8]
  let objectClass: ObjectClass
  let subtype: Int
  let title: String

  private static let columns = "uuid, class, subtype, title"

  init(_ row: Int64, at version: Int64, _ database: LibraryDatabase) throws(LibraryError) {
    let now = try database.first(
      "SELECT \(Self.columns), lastChange FROM collection WHERE id = ?", [.integer(row)]
    ) { (record: CollectionRecord(row, $0), change: $0.int(4)) }
    guard let now else { throw .lostRow(row) }
    guard now.change > version,
      let before = try database.first(
        """
        SELECT \(Self.columns) FROM collectionHistory
        WHERE id = ? AND change > ? ORDER BY change LIMIT 1
        """, [.integer(row), .integer(version)], { CollectionRecord(row, $0) })
    else {
      self = now.record
      return
    }
    self = before
  }

  private init(_ row: Int64, _ columns: Row) {
    self.row = row
    uuid = columns.blob(0)
    objectClass = ObjectClass(rawValue: Int(columns.int(1))) ?? .assetCollection
    subtype = Int(columns.int(2))
    title = columns.text(3)
  }
}

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
    row: { $0.row }, value: { $0.value($1) },
    read: { rows, version, session throws(LibraryError) in
      try rows.map { row throws(LibraryError) in
        CollectionList(try CollectionRecord(row, at: version, session.database), session)
      }
    },
    find: { name, session throws(LibraryError) in
      try LocalIdentifier(name, as: .collectionList).flatMap { name throws(LibraryError) in
        try CollectionList.named(name, session)
      }
    },
    differs: { $0.differs(from: $1) }, classes: [.collectionList],
    unavailable: CollectionList(unavailable: ()))

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
    row: { $0.row }, value: { $0.value($1) },
    read: { rows, version, session throws(LibraryError) in
      try rows.map { row throws(LibraryError) in
        let record = try CollectionRecord(row, at: version, session.database)
        return switch record.objectClass {
        case .collectionList: .list(CollectionList(record, session))
        case .assetCollection, .asset:
          .assets(try AssetCollection(record, at: version, session))
        }
      }
    },
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
}
