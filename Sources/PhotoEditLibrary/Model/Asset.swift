// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

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
  /// The database row.
  let row: Int64
  /// The number of the current version of its content.
  let contentRevision: Int64
  /// Indicates whether this process may change the library.
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
