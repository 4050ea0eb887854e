// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
package import PhotoEditSQLite

/// The values of a new asset for the database.
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
  package var location: LocationCoordinate?
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
  package var keywords: [String] = []
  package var rating = 0
  package var label: Asset.Label?
  package var people: [String] = []
  package var place: String?
  package var camera: String?
  package var lens: String?
  package var iso: Int?
  package var fNumber: Double?
  package var focalLength: Double?
  package var fileSize: Int?
  package var utcOffset: Int?
  package var regions: [Asset.Region] = []
  var userFields: AssetFields = []

  package init(originalFilename: String, addedAt date: Date) {
    self.originalFilename = originalFilename
    modificationDate = date
    contentModificationDate = date
    addedDate = date
  }

  /// The values of `Asset.storedColumns`, in order.
  var values: [DatabaseValue] {
    func date(_ date: Date?) -> DatabaseValue { .init(date?.timeIntervalSince1970) }
    return [
      .blob(identifier.bytes), .init(mediaType.rawValue), .init(mediaSubtypes.rawValue),
      .init(traits.rawValue), .init(playbackStyle.rawValue), .init(sourceType.rawValue),
      .init(pixelWidth), .init(pixelHeight), .real(duration), date(creationDate),
      date(modificationDate), date(contentModificationDate), date(addedDate),
      .init(location?.latitude), .init(location?.longitude), .init(location?.altitude),
      .init(isFavorite), .init(isHidden), .init(burstIdentifier), .init(representsBurst),
      .init(burstSelectionTypes.rawValue), .init(hasAdjustments), .text(originalFilename),
      .init(title), .init(caption), date(trashedDate), .integer(contentRevision),
      .init(TextList(keywords).text), .init(rating == 0 ? nil : rating), .init(label?.rawValue),
      .init(TextList(people).text), .init(place), .init(camera), .init(lens), .init(iso),
      .init(fNumber), .init(focalLength), .init(fileSize), .init(utcOffset),
      .init(Asset.Region.column(regions)), .init(userFields.rawValue),
    ]
  }
}

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
}

extension ChangeTransaction {
  static let insertAsset = {
    let columns = Asset.storedColumns
    return """
      INSERT INTO asset (\(columns.joined(separator: ", ")), lastChange)
      VALUES (\(Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")))
      """
  }()

  func insert(_ record: AssetRecord) throws(LibraryError) -> Int64 {
    let change = try change()
    var record = record
    if record.place == nil { record.place = place(at: record.location) }
    try database.run(Self.insertAsset, record.values + [.integer(change)])
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

/// The properties of an asset that come from its files until the user sets them.
struct AssetFields: OptionSet, Sendable, Hashable, Codable {
  let rawValue: Int

  static let date = AssetFields(rawValue: 1)
  static let location = AssetFields(rawValue: 2)
  static let title = AssetFields(rawValue: 4)
  static let caption = AssetFields(rawValue: 8)
  static let keywords = AssetFields(rawValue: 16)
  static let people = AssetFields(rawValue: 32)
  static let rating = AssetFields(rawValue: 64)
  static let label = AssetFields(rawValue: 128)
  static let favorite = AssetFields(rawValue: 256)
  static let hidden = AssetFields(rawValue: 512)

  /// The field of each column.
  static let columns: [String: AssetFields] = [
    "creationDate": .date, "utcOffset": .date,
    "latitude": .location, "longitude": .location, "altitude": .location,
    "title": .title, "caption": .caption, "keywords": .keywords, "people": .people,
    "rating": .rating, "label": .label, "isFavorite": .favorite, "isHidden": .hidden,
  ]
}

/// Inserts rows of assets without files, to generate large libraries.
final class RowInsertion: ChangeOperation {
  private let records: [AssetRecord]

  init(_ records: [AssetRecord]) { self.records = records }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    for record in records { _ = try commit.insert(record) }
  }
}

extension PhotoLibrary {
  /// Adds assets without files in one commit, using the same code path as other commits.
  package func insertRows(_ records: [AssetRecord]) throws {
    try performChangesAndWait { try $0.add(RowInsertion(records)) }
  }

  /// The columns of an asset that are kept in the history, to generate long histories.
  package static let historyColumns =
    (Asset.storedColumns + ["state"]).joined(separator: ", ")

  /// Returns the statement that inserts an asset and its bound values, for comparison with plain
  /// SQLite.
  package static func insertion(_ record: AssetRecord) -> (sql: String, values: [DatabaseValue]) {
    (ChangeTransaction.insertAsset, record.values + [.integer(1)])
  }
}
