// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
package import PhotoEditSQLite

/// Everything that the database is told of a new asset.
package struct AssetRecord: Sendable, Hashable {
  var identifier = LocalIdentifier(new: .asset)
  package var mediaType = MediaType.image
  package var mediaSubtypes: MediaSubtype = []
  package var traits: AssetTraits = []
  package var playbackStyle = PlaybackStyle.image
  package var sourceType = SourceType.userLibrary
  package var pixelWidth = 0
  package var pixelHeight = 0
  package var duration = 0.0
  package var creationDate: Date?
  package var modificationDate: Date
  package var contentModificationDate: Date
  package var addedDate: Date
  package var location: GeoPoint?
  package var isFavorite = false
  package var isHidden = false
  package var burstIdentifier: String?
  package var representsBurst = false
  package var burstSelectionTypes: BurstSelection = []
  package var hasAdjustments = false
  package var originalFilename: String
  package var title: String?
  package var caption: String?
  package var trashedDate: Date?
  package var contentRevision: Int64 = 1

  /// Makes the record of an asset that is added now.
  package init(originalFilename: String, addedAt date: Date) {
    self.originalFilename = originalFilename
    modificationDate = date
    contentModificationDate = date
    addedDate = date
  }

  /// The values of `Asset.storedColumns`, in their order.
  var values: [SQLValue] {
    func date(_ date: Date?) -> SQLValue { .init(date?.timeIntervalSince1970) }
    return [
      .blob(identifier.bytes), .init(mediaType.rawValue), .init(mediaSubtypes.rawValue),
      .init(traits.rawValue), .init(playbackStyle.rawValue), .init(sourceType.rawValue),
      .init(pixelWidth), .init(pixelHeight), .real(duration), date(creationDate),
      date(modificationDate), date(contentModificationDate), date(addedDate),
      .init(location?.latitude), .init(location?.longitude), .init(location?.altitude),
      .init(isFavorite), .init(isHidden), .init(burstIdentifier), .init(representsBurst),
      .init(burstSelectionTypes.rawValue), .init(hasAdjustments), .text(originalFilename),
      .init(title), .init(caption), date(trashedDate), .integer(contentRevision),
    ]
  }
}

/// A file of an asset, as the database knows it.
struct ResourceRecord: Sendable, Hashable {
  var type: AssetResourceType
  /// Relative to the library.
  var file: String
  var digest: [UInt8]
  /// Bytes.
  var size: Int
  /// Such as "public.jpeg".
  var uniformType: String
  /// The name that the file came with.
  var filename: String
}

extension Commit {
  fileprivate static let insertAsset = {
    let columns = Asset.storedColumns
    return """
      INSERT INTO asset (\(columns.joined(separator: ", ")), lastChange)
      VALUES (\(Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")))
      """
  }()

  /// Adds an asset; gives its row.
  func insert(_ record: AssetRecord) throws(LibraryError) -> Int64 {
    let change = try change()
    try database.run(Self.insertAsset, record.values + [.integer(change)])
    let row = database.connection.lastInsertedRow
    try touchAsset(row, .inserted)
    return row
  }

  /// Adds or replaces the file of one type.
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

/// Inserts rows of assets that have no files yet: for generators of large libraries.
final class RowInsertion: ChangeOperation {
  private let records: [AssetRecord]

  init(_ records: [AssetRecord]) { self.records = records }

  func apply(to commit: Commit) throws(LibraryError) {
    for record in records { _ = try commit.insert(record) }
  }
}

extension PhotoLibrary {
  /// Adds assets without files in one commit, by the way of every other commit.
  package func insertRows(_ records: [AssetRecord]) throws {
    try performChangesAndWait { try $0.add(RowInsertion(records)) }
  }

  /// The columns that the history keeps of an asset, for generators of long histories.
  package static let historyColumns =
    (Asset.storedColumns + ["state"]).joined(separator: ", ")

  /// The statement that adds an asset and what it binds, for a comparison with SQLite alone.
  package static func insertion(_ record: AssetRecord) -> (sql: String, values: [SQLValue]) {
    (Commit.insertAsset, record.values + [.integer(1)])
  }
}
