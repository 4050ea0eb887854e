// SPDX-License-Identifier: Apache-2.0

/// What kind of media an asset is; the numbers are PhotoKit's.
public enum MediaType: Int, Sendable, Hashable, CaseIterable, Codable {
  /// Not known.
  case unknown = 0
  /// A still picture.
  case image = 1
  /// A movie.
  case video = 2
  /// A recording of sound.
  case audio = 3

  /// Whether there are editors for it.
  var hasEditableContent: Bool { self == .image || self == .video }
}

/// What is special about an asset's media; the bits are PhotoKit's.
///
/// A bit is set only when the file says so, never by a guess.
public struct MediaSubtype: OptionSet, Sendable, Hashable, Codable {
  /// The number by which it is stored.
  public let rawValue: Int

  /// Makes a value from its number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A panorama, by its GPano properties.
  public static let photoPanorama = MediaSubtype(rawValue: 1 << 0)
  /// A high-dynamic-range photo.
  public static let photoHDR = MediaSubtype(rawValue: 1 << 1)
  /// A picture of a screen.
  public static let photoScreenshot = MediaSubtype(rawValue: 1 << 2)
  /// A still with the movie around it.
  public static let photoLive = MediaSubtype(rawValue: 1 << 3)
  /// A photo with a depth map.
  public static let photoDepthEffect = MediaSubtype(rawValue: 1 << 4)
  /// A picture for two eyes.
  public static let spatialMedia = MediaSubtype(rawValue: 1 << 10)
  /// A movie whose content is elsewhere.
  public static let videoStreamed = MediaSubtype(rawValue: 1 << 16)
  /// A movie with many frames per second, to be played slowly.
  public static let videoHighFrameRate = MediaSubtype(rawValue: 1 << 17)
  /// A movie with few frames per second of real time.
  public static let videoTimelapse = MediaSubtype(rawValue: 1 << 18)
  /// A movie whose focus can be changed.
  public static let videoCinematic = MediaSubtype(rawValue: 1 << 21)
}

/// How an asset is shown; the numbers are PhotoKit's.
public enum PlaybackStyle: Int, Sendable, Hashable, CaseIterable, Codable {
  /// Not to be shown.
  case unsupported = 0
  /// A still picture.
  case image = 1
  /// A picture of several frames.
  case imageAnimated = 2
  /// A still with the movie around it.
  case livePhoto = 3
  /// A movie.
  case video = 4
  /// A movie that starts again at its end.
  case videoLooping = 5
}

/// Who picked an asset out of a burst; the bits are PhotoKit's.
public struct BurstSelection: OptionSet, Sendable, Hashable, Codable {
  /// The number by which it is stored.
  public let rawValue: Int

  /// Makes a value from its number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The camera.
  public static let autoPick = BurstSelection(rawValue: 1 << 0)
  /// A person.
  public static let userPick = BurstSelection(rawValue: 1 << 1)
}

/// Where an asset came from; the bits are PhotoKit's.
public struct SourceType: OptionSet, Sendable, Hashable, Codable {
  /// The number by which it is stored.
  public let rawValue: Int

  /// Makes a value from its number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The user's own library.
  public static let userLibrary = SourceType(rawValue: 1 << 0)
  /// Shared by somebody else.
  public static let cloudShared = SourceType(rawValue: 1 << 1)
  /// Referenced in a place that is only read.
  public static let synced = SourceType(rawValue: 1 << 2)
}

/// Facts about an asset's files beyond PhotoKit's subtypes, by which smart albums are filled.
public struct AssetTraits: OptionSet, Sendable, Hashable, Codable {
  /// The number by which it is stored.
  public let rawValue: Int

  /// Makes a value from its number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// There is a RAW file.
  public static let raw = AssetTraits(rawValue: 1 << 0)
  /// The picture has more than one frame.
  public static let animated = AssetTraits(rawValue: 1 << 1)
  /// Taken with a front camera.
  public static let selfPortrait = AssetTraits(rawValue: 1 << 2)
  /// Exposed for so long that the camera calls it that.
  public static let longExposure = AssetTraits(rawValue: 1 << 3)
  /// An image of it was damaged when it came in.
  public static let knownDamage = AssetTraits(rawValue: 1 << 4)
}

/// A place on Earth, in WGS 84.
public struct GeoPoint: Sendable, Hashable, Codable {
  /// Degrees north, −90…90.
  public var latitude: Double
  /// Degrees east, −180…180.
  public var longitude: Double
  /// Metres above the sea, where it is known.
  public var altitude: Double?

  /// Makes a place; nil when a coordinate is out of range or not a number.
  public init?(latitude: Double, longitude: Double, altitude: Double? = nil) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude),
      altitude?.isFinite != false
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }
}
