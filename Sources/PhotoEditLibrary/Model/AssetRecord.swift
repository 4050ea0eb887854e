// SPDX-License-Identifier: Apache-2.0
import Database
import FoundationEssentials

/// Everything that the database is told of a new asset.
struct AssetRecord: Sendable, Hashable {
  var identifier = LocalIdentifier(new: .asset)
  var mediaType = MediaType.image
  var mediaSubtypes: MediaSubtype = []
  var traits: AssetTraits = []
  var playbackStyle = PlaybackStyle.image
  var sourceType = SourceType.userLibrary
  var pixelWidth = 0
  var pixelHeight = 0
  var duration = 0.0
  var creationDate: Date?
  var modificationDate: Date
  var contentModificationDate: Date
  var addedDate: Date
  var location: GeoPoint?
  var isFavorite = false
  var isHidden = false
  var burstIdentifier: String?
  var representsBurst = false
  var burstSelectionTypes: BurstSelection = []
  var hasAdjustments = false
  var originalFilename: String
  var title: String?
  var caption: String?
  var trashedDate: Date?
  var contentRevision: Int64 = 1

  /// Makes the record of an asset that is added now.
  init(originalFilename: String, addedAt date: Date) {
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
  private static let insertAsset = {
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
