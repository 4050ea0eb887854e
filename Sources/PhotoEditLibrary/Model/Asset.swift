// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// A photo, movie or recording of a library, as it was when it was fetched.
///
/// A value: it never changes. Fetch it again, or take it from change details, to see changes. Two
/// values are equal when they name the same asset.
public struct Asset: Sendable, Identifiable, Codable {
  /// Names the asset for ever; opaque.
  public let localIdentifier: String
  /// What kind of media it is.
  public let mediaType: MediaType
  /// What is special about it.
  public let mediaSubtypes: MediaSubtype
  /// How it is shown.
  public let playbackStyle: PlaybackStyle
  /// Where it came from.
  public let sourceType: SourceType
  /// Facts by which smart albums are filled.
  public let traits: AssetTraits
  /// Width in pixels of the current version as people see it, upright.
  public let pixelWidth: Int
  /// Height in pixels of the current version as people see it, upright.
  public let pixelHeight: Int
  /// Seconds; 0 for photos.
  public let duration: Double
  /// When it was taken; nil when nobody knows.
  public let creationDate: Date?
  /// When anything of it changed last, content or properties.
  public let modificationDate: Date
  /// When its content changed last: imported, edited, reverted.
  public let contentModificationDate: Date
  /// When it came into the library.
  public let addedDate: Date
  /// Where it was taken; nil when nobody knows.
  public let location: GeoPoint?
  /// Whether a person marked it as a favourite.
  public let isFavorite: Bool
  /// Left out of moments and default fetches.
  public let isHidden: Bool
  /// Common to all assets of a burst; nil for others.
  public let burstIdentifier: String?
  /// Whether it stands for its burst.
  public let representsBurst: Bool
  /// Who picked it out of its burst.
  public let burstSelectionTypes: BurstSelection
  /// Whether it is edited.
  public let hasAdjustments: Bool
  /// The name that the first of its files came with.
  public let originalFilename: String
  /// A title from the file's metadata or set later.
  public let title: String?
  /// A caption from the file's metadata or set later.
  public let caption: String?
  /// When it was put into the trash; nil for all that a default fetch gives.
  public let trashedDate: Date?

  /// Its row.
  let row: Int64
  /// Counts the versions of its content.
  let contentRevision: Int64
  /// Whether this program may change the library.
  var isLibraryChangeable = true
}

extension Asset {
  /// Makes an asset that is in no library, for tests and previews of programs that show assets.
  ///
  /// - Parameter localIdentifier: Its name; a new one if nil.
  public init(
    localIdentifier: String? = nil, mediaType: MediaType = .image,
    mediaSubtypes: MediaSubtype = [], sourceType: SourceType = .userLibrary, pixelWidth: Int = 0,
    pixelHeight: Int = 0,
    duration: Double = 0, creationDate: Date? = nil, modificationDate: Date? = nil,
    location: GeoPoint? = nil, isFavorite: Bool = false, isHidden: Bool = false,
    burstIdentifier: String? = nil, representsBurst: Bool = false, hasAdjustments: Bool = false,
    originalFilename: String = "", title: String? = nil, caption: String? = nil
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
      title: title, caption: caption, trashedDate: nil, row: 0, contentRevision: 0)
  }
}
