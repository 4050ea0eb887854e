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
    "originalFilename", "title", "caption", "trashedDate", "contentRevision",
  ]

  /// The columns that a row of the history repeats.
  static let storedColumns = Array(columns.dropFirst())

  /// The columns for a SELECT.
  static let selection = columns.joined(separator: ", ")

  /// Reads a row of `selection`.
  init(_ row: Row) {
    func date(_ column: Int) -> Date? {
      row.optionalReal(column).map { Date(timeIntervalSince1970: $0) }
    }
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
    creationDate = date(10)
    modificationDate = date(11) ?? Date(timeIntervalSince1970: 0)
    contentModificationDate = date(12) ?? Date(timeIntervalSince1970: 0)
    addedDate = date(13) ?? Date(timeIntervalSince1970: 0)
    if let latitude = row.optionalReal(14), let longitude = row.optionalReal(15) {
      location = GeoPoint(
        latitude: latitude, longitude: longitude, altitude: row.optionalReal(16))
    } else {
      location = nil
    }
    isFavorite = row.bool(17)
    isHidden = row.bool(18)
    burstIdentifier = row.optionalText(19)
    representsBurst = row.bool(20)
    burstSelectionTypes = BurstSelection(rawValue: Int(row.int(21)))
    hasAdjustments = row.bool(22)
    originalFilename = row.text(23)
    title = row.optionalText(24)
    caption = row.optionalText(25)
    trashedDate = date(26)
    contentRevision = row.int(27)
  }
}
