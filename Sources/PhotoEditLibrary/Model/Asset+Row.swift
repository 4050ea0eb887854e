// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite

extension Asset {
  /// The columns of the table, in the order in which `init(_:)` reads them.
  static let columns = [
    "id", "uuid", "mediaType", "mediaSubtypes", "traits", "playbackStyle", "sourceType",
    "pixelWidth", "pixelHeight", "duration", "creationDate", "modificationDate",
    "contentModificationDate", "addedDate", "latitude", "longitude", "altitude", "isFavorite",
    "isHidden", "burstIdentifier", "representsBurst", "burstSelectionTypes", "hasAdjustments",
    "originalFilename", "title", "caption", "trashedDate", "contentRevision", "keywords", "rating",
    "label", "people", "place", "camera", "lens", "iso", "fNumber", "focalLength", "fileSize",
    "utcOffset", "regions", "userFields",
  ]

  /// The columns that a history row repeats.
  static let storedColumns = Array(columns.dropFirst())

  /// The columns for a SELECT.
  static let selection = columns.joined(separator: ", ")

  /// Reads a row of `selection`.
  init(_ row: Row) {
    let identifier = LocalIdentifier(bytes: row.blob(1), .asset)
    localIdentifier = identifier?.description ?? ""
    self.row = row.int(0)
    mediaType = MediaType(rawValue: Int(row.int(2))) ?? .unknown
    mediaSubtypes = MediaSubtype(rawValue: Int(row.int(3)))
    traits = AssetTraits(rawValue: Int(row.int(4)))
    playbackStyle = PlaybackStyle(rawValue: Int(row.int(5))) ?? .unsupported
    sourceType = SourceType(rawValue: Int(row.int(6)))
    pixelWidth = Int(row.int(7))
    pixelHeight = Int(row.int(8))
    duration = row.real(9)
    creationDate = row.date(10)
    modificationDate = row.date(11) ?? Date(timeIntervalSince1970: 0)
    contentModificationDate = row.date(12) ?? Date(timeIntervalSince1970: 0)
    addedDate = row.date(13) ?? Date(timeIntervalSince1970: 0)
    location = row.location(14)
    isFavorite = row.bool(17)
    isHidden = row.bool(18)
    burstIdentifier = row.optionalText(19)
    representsBurst = row.bool(20)
    burstSelectionTypes = BurstSelection(rawValue: Int(row.int(21)))
    hasAdjustments = row.bool(22)
    originalFilename = row.text(23)
    title = row.optionalText(24)
    caption = row.optionalText(25)
    trashedDate = row.date(26)
    contentRevision = row.int(27)
    keywords = TextList(row.optionalText(28)).items
    rating = Int(row.int(29))
    label = row.optionalText(30).flatMap { Label(rawValue: $0) }
    people = TextList(row.optionalText(31)).items
    place = row.optionalText(32)
    camera = row.optionalText(33)
    lens = row.optionalText(34)
    iso = row.optionalInt(35).map { Int($0) }
    fNumber = row.optionalReal(36)
    focalLength = row.optionalReal(37)
    fileSize = row.optionalInt(38).map { Int($0) }
    utcOffset = row.optionalInt(39).map { Int($0) }
    regions = Region.list(row.optionalText(40))
    userFields = row.optionalInt(41).map { AssetFields(rawValue: Int($0)) }
  }
}

extension Row {
  /// Returns a date stored in seconds since 1970; nil for NULL.
  func date(_ column: Int) -> Date? {
    optionalReal(column).map { Date(timeIntervalSince1970: $0) }
  }

  /// Returns a location from three columns: degrees north, degrees east and the altitude; nil
  /// without one.
  func location(_ column: Int) -> LocationCoordinate? {
    guard let latitude = optionalReal(column), let longitude = optionalReal(column + 1) else {
      return nil
    }
    return LocationCoordinate(
      latitude: latitude, longitude: longitude, altitude: optionalReal(column + 2))
  }
}
