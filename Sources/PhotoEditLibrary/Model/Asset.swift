// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditSQLite

/// A photo, video or audio recording of a library, as of the time it was fetched.
///
/// This is an immutable value. Fetch it again, or take it from change details, to see changes. Two
/// values are equal if they have the same identifier.
public struct Asset: Sendable, Identifiable, Codable {
  /// The permanent, opaque identifier of the asset.
  public let localIdentifier: String
  /// The type of media.
  public let mediaType: MediaType
  /// The subtypes of the media.
  public let mediaSubtypes: MediaSubtype
  /// The way the asset is played back.
  public let playbackStyle: PlaybackStyle
  /// The source of the asset.
  public let sourceType: SourceType
  /// Properties that determine the contents of smart albums.
  public let traits: AssetTraits
  /// The width in pixels of the current version, with the orientation applied.
  public let pixelWidth: Int
  /// The height in pixels of the current version, with the orientation applied.
  public let pixelHeight: Int
  /// The duration in seconds; 0 for photos.
  public let duration: Double
  /// The date of capture; nil if unknown.
  public let creationDate: Date?
  /// The date of the last change of content or properties.
  public let modificationDate: Date
  /// The date of the last change of content: import, edit or revert.
  public let contentModificationDate: Date
  /// The date of import into the library.
  public let addedDate: Date
  /// The location of capture; nil if unknown.
  public let location: LocationCoordinate?
  /// Indicates whether the user marked the asset as a favorite.
  public let isFavorite: Bool
  /// Indicates whether the asset is excluded from moments and default fetches.
  public let isHidden: Bool
  /// The identifier shared by all assets of a burst; nil for others.
  public let burstIdentifier: String?
  /// Indicates whether the asset represents its burst.
  public let representsBurst: Bool
  /// The ways in which the asset was selected from its burst.
  public let burstSelectionTypes: BurstSelection
  /// Indicates whether the asset is edited.
  public let hasAdjustments: Bool
  /// The name of the asset's first file at import.
  public let originalFilename: String
  /// A title, from the file's metadata or set later.
  public let title: String?
  /// A caption, from the file's metadata or set later.
  public let caption: String?
  /// The date on which the asset was moved to the trash; nil for all results of a default fetch.
  public let trashedDate: Date?

  /// The keywords, sorted; levels of a hierarchy are separated by slashes, as in
  /// "Places/Portugal/Lisbon".
  ///
  /// Not in PhotoKit.
  public let keywords: [String]
  /// The rating: 1 to 5 stars, 0 for none, -1 for rejected.
  ///
  /// Not in PhotoKit.
  public let rating: Int
  /// The color label; nil for none.
  ///
  /// Not in PhotoKit.
  public let label: Label?
  /// The names of the people in it, from the file's metadata or set later.
  public let people: [String]
  /// The faces and other objects that the file's metadata marks in the photo.
  public let regions: [Region]
  /// The city and the country of capture, from the file's metadata or derived from the location.
  public let place: String?
  /// The camera manufacturer and model.
  public let camera: String?
  /// The lens model.
  public let lens: String?
  /// The ISO sensitivity.
  public let iso: Int?
  /// The f-number.
  public let fNumber: Double?
  /// The focal length in millimeters.
  public let focalLength: Double?
  /// The size of the original in bytes; nil for assets imported by an older version.
  public let fileSize: Int?
  /// The seconds by which the clock at the place of capture was ahead of UTC; nil if unknown.
  public let utcOffset: Int?

  /// The properties set by the user; nil if unknown.
  let userFields: AssetFields?
  let row: Int64
  /// The number of the current version of its content.
  let contentRevision: Int64
  var isLibraryChangeable = true
}

extension Asset {
  /// Creates an asset that belongs to no library, for tests and previews of user interfaces.
  ///
  /// - Parameter localIdentifier: The identifier; a new one if nil.
  public init(
    localIdentifier: String? = nil, mediaType: MediaType = .image,
    mediaSubtypes: MediaSubtype = [], sourceType: SourceType = .userLibrary, pixelWidth: Int = 0,
    pixelHeight: Int = 0,
    duration: Double = 0, creationDate: Date? = nil, modificationDate: Date? = nil,
    location: LocationCoordinate? = nil, isFavorite: Bool = false, isHidden: Bool = false,
    burstIdentifier: String? = nil, representsBurst: Bool = false, hasAdjustments: Bool = false,
    originalFilename: String = "", title: String? = nil, caption: String? = nil,
    keywords: [String] = [], rating: Int = 0, label: Label? = nil
  ) {
    let style: PlaybackStyle =
      switch mediaType {
      case .image: mediaSubtypes.contains(.photoLive) ? .livePhoto : .image
      case .video: .video
      case .audio, .unknown: .unsupported
      }
    let date = modificationDate ?? creationDate ?? Date(timeIntervalSince1970: 0)
    self.init(
      localIdentifier: localIdentifier ?? LocalIdentifier(new: .asset).description,
      mediaType: mediaType, mediaSubtypes: mediaSubtypes, playbackStyle: style,
      sourceType: sourceType, traits: [], pixelWidth: pixelWidth, pixelHeight: pixelHeight,
      duration: duration, creationDate: creationDate, modificationDate: date,
      contentModificationDate: date, addedDate: date, location: location, isFavorite: isFavorite,
      isHidden: isHidden, burstIdentifier: burstIdentifier, representsBurst: representsBurst,
      burstSelectionTypes: [], hasAdjustments: hasAdjustments, originalFilename: originalFilename,
      title: title, caption: caption, trashedDate: nil, keywords: keywords, rating: rating,
      label: label, people: [], regions: [], place: nil, camera: nil, lens: nil, iso: nil,
      fNumber: nil,
      focalLength: nil, fileSize: nil, utcOffset: nil, userFields: [], row: 0, contentRevision: 0)
  }
}

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
