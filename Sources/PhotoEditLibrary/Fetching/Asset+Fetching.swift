// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite

extension Asset: FetchedObject {
  /// The queries and columns for assets in a library.
  public static let source = FetchSource<Asset>(
    columns: keys + PhotoProperties.added.compactMap(\.key),
    aliases: [
      "SELF": "localIdentifier", "identifier": "localIdentifier", "isFavorite": "favorite",
      "isHidden": "hidden", "originalFilename": "filename", "hasAdjustments": "edited",
    ],
    expressions: keyedExpressions.merging(computedExpressions) { $1 },
    identity: { text in LocalIdentifier(text, as: .asset).map { .blob($0.bytes) } },
    row: { $0.row }, value: { $0.value($1) }, read: Asset.read,
    find: { name, session throws(LibraryError) in
      guard let name = LocalIdentifier(name, as: .asset),
        let row = try session.database.row(of: name)
      else { return nil }
      return try read([row], at: session.version, session).first
    },
    differs: { $0.properties != $1.properties },
    contentDiffers: { $0.contentRevision != $1.contentRevision }, classes: [.asset],
    unavailable: Asset(unavailable: ()))

  private static let keys: [FetchColumn] = [
    .localIdentifier, .creationDate, .modificationDate, .mediaType, .mediaSubtypes, .duration,
    .pixelWidth, .pixelHeight, .favorite, .hidden, .burstIdentifier, .title, .caption, .filename,
    .keyword, .keywordCount, .person, .rating, .label, .place, .camera, .lens, .iso, .fNumber,
    .focalLength, .edited, .latitude, .longitude, .importDate, .day, .fileSize, .live, .burst,
    .trashed, .album, .digest, .text, .location,
  ]

  /// The columns of keys that are properties.
  private static let keyedExpressions = Dictionary(
    uniqueKeysWithValues: PhotoProperties.keyed.map { ($0.name, $1.columns[0]) })

  private static let computedExpressions = [
    "localIdentifier": "uuid", "keywords.@count": keywordCount,
    "rating": "coalesce(rating, 0)", "longitude": "longitude", "importDate": "addedDate",
    "day": "day", "live": "(mediaSubtypes & \(MediaSubtype.photoLive.rawValue) <> 0)",
    "burst": "(burstIdentifier IS NOT NULL)", "trashed": "(state <> 0)",
    "text": WordQuery.sql(LibrarySchema.text.map(\.1)), "location": "latitude",
  ]

  /// The number of lines of the column.
  private static let keywordCount =
    """
    CASE WHEN keywords IS NULL THEN 0
      ELSE length(keywords) - length(replace(keywords, char(10), '')) + 1 END
    """

  /// Returns the value of a key, as stored in the database.
  private func value(_ column: FetchColumn) -> DatabaseValue {
    let values = properties
    return switch column {
    case .localIdentifier: Self.source.identity(localIdentifier) ?? .null
    case .keywordCount: .init(values.keywords.count)
    case .rating: .init(values.rating)
    case .location: .init(values.location?.latitude)
    case .longitude: .init(values.location?.longitude)
    case .importDate: .real(values.addedDate.timeIntervalSince1970)
    case .day: .init(dayNumber)
    case .live: .init(values.mediaSubtypes.contains(.photoLive))
    case .burst: .init(values.burstIdentifier != nil)
    case .trashed: .init(values.trashedDate != nil)
    case .text:
      .text(
        WordQuery.text(
          of: LibrarySchema.searched.map { property in
            if case .text(let text)? = property.values(values).first { text } else { nil }
          }))
    default: PhotoProperties.keyed[column]?.values(values).first ?? .null
    }
  }

  private static let current = "SELECT \(selection), lastChange FROM asset WHERE id = ?"
  private static let earlier =
    "SELECT \(selection) FROM assetHistory WHERE id = ? AND change > ? ORDER BY change LIMIT 1"

  /// The values as of a commit are those saved by the first later commit, or the current ones.
  @Sendable
  private static func read(
    _ rows: ArraySlice<Int64>, at version: Int64, _ session: FetchSession
  ) throws(LibraryError) -> [Asset] {
    var objects: [Asset] = []
    objects.reserveCapacity(rows.count)
    for row in rows {
      let found = try session.database.first(current, [.integer(row)]) { row in
        (asset: Asset(row), lastChange: row.int(columns.count))
      }
      guard var asset = found?.asset, let lastChange = found?.lastChange else {
        throw .lostRow(row)
      }
      if lastChange > version,
        let before = try session.database.first(
          earlier, [.integer(row), .integer(version)], { Asset($0) })
      {
        asset = before
      }
      asset.isLibraryChangeable = session.isChangeable
      objects.append(asset)
    }
    return objects
  }

  /// Creates the placeholder for an asset that can no longer be read.
  private init(unavailable: Void) {
    self.init(localIdentifier: "", mediaType: .unknown, sourceType: [])
    isLibraryChangeable = false
  }
}
