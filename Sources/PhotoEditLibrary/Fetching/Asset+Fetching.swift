// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite

extension Asset: FetchedObject {
  /// The queries and columns for assets in a library.
  public static let source = FetchSource<Asset>(
    columns: [
      .localIdentifier, .creationDate, .modificationDate, .mediaType, .mediaSubtypes, .duration,
      .pixelWidth, .pixelHeight, .favorite, .hidden, .burstIdentifier, .title, .caption, .filename,
      .keyword, .keywordCount, .person, .rating, .label, .place, .camera, .lens, .iso, .fNumber,
      .focalLength, .edited, .latitude, .longitude, .importDate, .day, .fileSize, .live, .burst,
      .trashed, .album, .digest, .text, .location,
    ],
    aliases: [
      "SELF": "localIdentifier", "identifier": "localIdentifier", "isFavorite": "favorite",
      "isHidden": "hidden", "originalFilename": "filename", "hasAdjustments": "edited",
    ],
    expressions: [
      "localIdentifier": "uuid", "creationDate": "creationDate",
      "modificationDate": "modificationDate", "mediaType": "mediaType",
      "mediaSubtypes": "mediaSubtypes", "duration": "duration", "pixelWidth": "pixelWidth",
      "pixelHeight": "pixelHeight", "favorite": "isFavorite", "hidden": "isHidden",
      "burstIdentifier": "burstIdentifier", "traits": "traits", "addedDate": "addedDate",
      "title": "title", "caption": "caption", "filename": "originalFilename",
      "keyword": "keywords", "keywords.@count": keywordCount, "person": "people",
      "rating": "coalesce(rating, 0)", "label": "label", "place": "place", "camera": "camera",
      "lens": "lens", "iso": "iso", "fNumber": "fNumber", "focalLength": "focalLength",
      "edited": "hasAdjustments", "latitude": "latitude", "longitude": "longitude",
      "importDate": "addedDate", "day": "day", "fileSize": "fileSize",
      "live": "(mediaSubtypes & \(MediaSubtype.photoLive.rawValue) <> 0)",
      "burst": "(burstIdentifier IS NOT NULL)", "trashed": "(state <> 0)",
      "text": WordQuery.sql(LibrarySchema.text.map(\.1)), "location": "latitude",
    ],
    identity: { text in LocalIdentifier(text, as: .asset).map { .blob($0.bytes) } },
    row: { $0.row }, value: { $0.value($1) }, read: Asset.read,
    find: { name, session throws(LibraryError) in
      guard let name = LocalIdentifier(name, as: .asset),
        let row = try session.database.row(of: name)
      else { return nil }
      return try read([row], at: session.version, session).first
    },
    differs: { $0.differs(from: $1) },
    contentDiffers: { $0.contentRevision != $1.contentRevision }, classes: [.asset],
    unavailable: Asset(unavailable: ()))

  /// The number of lines of the column.
  private static let keywordCount =
    """
    CASE WHEN keywords IS NULL THEN 0
      ELSE length(keywords) - length(replace(keywords, char(10), '')) + 1 END
    """

  /// Returns the value of a key, as stored in the database.
  private func value(_ column: FetchColumn) -> DatabaseValue {
    switch column {
    case .localIdentifier: Self.source.identity(localIdentifier) ?? .null
    case .creationDate: .init(creationDate?.timeIntervalSince1970)
    case .modificationDate: .real(modificationDate.timeIntervalSince1970)
    case .addedDate: .real(addedDate.timeIntervalSince1970)
    case .mediaType: .init(mediaType.rawValue)
    case .mediaSubtypes: .init(mediaSubtypes.rawValue)
    case .traits: .init(traits.rawValue)
    case .duration: .real(duration)
    case .pixelWidth: .init(pixelWidth)
    case .pixelHeight: .init(pixelHeight)
    case .favorite: .init(isFavorite)
    case .hidden: .init(isHidden)
    case .burstIdentifier: .init(burstIdentifier)
    default: searchValue(column)
    }
  }

  private func searchValue(_ column: FetchColumn) -> DatabaseValue {
    switch column {
    case .title: .init(title)
    case .caption: .init(caption)
    case .filename: .text(originalFilename)
    case .keyword: .init(TextList(keywords).text)
    case .keywordCount: .init(keywords.count)
    case .person: .init(TextList(people).text)
    case .rating: .init(rating)
    case .label: .init(label?.rawValue)
    case .place: .init(place)
    case .camera: .init(camera)
    case .lens: .init(lens)
    case .iso: .init(iso)
    case .fNumber: .init(fNumber)
    case .focalLength: .init(focalLength)
    case .edited: .init(hasAdjustments)
    case .latitude, .location: .init(location?.latitude)
    case .longitude: .init(location?.longitude)
    case .importDate: .real(addedDate.timeIntervalSince1970)
    case .day: .init(dayNumber)
    case .fileSize: .init(fileSize)
    case .live: .init(mediaSubtypes.contains(.photoLive))
    case .burst: .init(burstIdentifier != nil)
    case .trashed: .init(trashedDate != nil)
    case .text:
      .text(
        WordQuery.text(of: [
          title, caption, originalFilename, TextList(keywords).text, TextList(people).text, place,
          camera,
        ]))
    default: .null
    }
  }

  private func differs(from other: Asset) -> Bool {
    if modificationDate != other.modificationDate || contentRevision != other.contentRevision
      || addedDate != other.addedDate || trashedDate != other.trashedDate
    {
      return true
    }
    if isFavorite != other.isFavorite || isHidden != other.isHidden || location != other.location
      || creationDate != other.creationDate || hasAdjustments != other.hasAdjustments
    {
      return true
    }
    if keywords != other.keywords || rating != other.rating || label != other.label { return true }
    return title != other.title || caption != other.caption
      || representsBurst != other.representsBurst
      || burstSelectionTypes != other.burstSelectionTypes
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
