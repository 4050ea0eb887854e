// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// The properties of a photo, video or audio recording in a library.
///
/// `Asset` returns each of them under its name, as in `asset.title`. `PhotoProperties.catalog` states
/// how each is stored, found, reported and merged.
public struct PhotoProperties: Sendable, Hashable, Codable {
  /// The type of media.
  public package(set) var mediaType = MediaType.image
  /// The subtypes of the media.
  public package(set) var mediaSubtypes: MediaSubtype = []
  /// Properties that determine the contents of smart albums.
  public package(set) var traits: AssetTraits = []
  /// The way the asset is played back.
  public package(set) var playbackStyle = PlaybackStyle.image
  /// The source of the asset.
  public package(set) var sourceType = SourceType.userLibrary
  /// The width in pixels of the current version, with the orientation applied.
  public package(set) var pixelWidth = 0
  /// The height in pixels of the current version, with the orientation applied.
  public package(set) var pixelHeight = 0
  /// The duration in seconds; 0 for photos.
  public package(set) var duration = 0.0
  /// The date of capture; nil if unknown.
  public package(set) var creationDate: Date?
  /// The date of the last change of content or properties.
  public package(set) var modificationDate: Date
  /// The date of the last change of content: import, edit or revert.
  public package(set) var contentModificationDate: Date
  /// The date of import into the library.
  public package(set) var addedDate: Date
  /// The location of capture; nil if unknown.
  public package(set) var location: LocationCoordinate?
  /// Indicates whether the user marked the asset as a favorite.
  public package(set) var isFavorite = false
  /// Indicates whether the asset is excluded from moments and default fetches.
  public package(set) var isHidden = false
  /// The identifier shared by all assets of a burst; nil for others.
  public package(set) var burstIdentifier: String?
  /// Indicates whether the asset represents its burst.
  public package(set) var representsBurst = false
  /// The ways in which the asset was selected from its burst.
  public package(set) var burstSelectionTypes: BurstSelection = []
  /// Indicates whether the asset is edited.
  public package(set) var hasAdjustments = false
  /// The name of the asset's first file at import.
  public package(set) var originalFilename: String
  /// A title, from the file's metadata or set later.
  public package(set) var title: String?
  /// A caption, from the file's metadata or set later.
  public package(set) var caption: String?
  /// The date on which the asset was moved to the trash; nil for all results of a default fetch.
  public package(set) var trashedDate: Date?

  /// The keywords, sorted; levels of a hierarchy are separated by slashes, as in
  /// "Places/Portugal/Lisbon".
  ///
  /// Not in PhotoKit.
  public package(set) var keywords: [String] = []
  /// The rating: 1 to 5 stars, 0 for none, -1 for rejected.
  ///
  /// Not in PhotoKit.
  public package(set) var rating = 0
  /// The color label; nil for none.
  ///
  /// Not in PhotoKit.
  public package(set) var label: Asset.Label?
  /// The names of the people in it, from the file's metadata or set later.
  public package(set) var people: [String] = []
  /// The faces and other objects that the file's metadata marks in the photo.
  public package(set) var regions: [Asset.Region] = []
  /// The city and the country of capture, from the file's metadata or derived from the location.
  public package(set) var place: String?
  /// The camera manufacturer and model.
  public package(set) var camera: String?
  /// The lens model.
  public package(set) var lens: String?
  /// The ISO sensitivity.
  public package(set) var iso: Int?
  /// The f-number.
  public package(set) var fNumber: Double?
  /// The focal length in millimeters.
  public package(set) var focalLength: Double?
  /// The exposure time in seconds; nil for assets imported by an older version.
  public package(set) var exposureTime: Double?
  /// The size of the original in bytes; nil for assets imported by an older version.
  public package(set) var fileSize: Int?
  /// The seconds by which the clock at the place of capture was ahead of UTC; nil if unknown.
  public package(set) var utcOffset: Int?

  /// The properties set by the user; nil if unknown.
  var userFields: AssetFields? = []
  /// The number of the current version of its content.
  package var contentRevision: Int64 = 1

  package init(originalFilename: String, addedAt date: Date) {
    self.originalFilename = originalFilename
    modificationDate = date
    contentModificationDate = date
    addedDate = date
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
}
