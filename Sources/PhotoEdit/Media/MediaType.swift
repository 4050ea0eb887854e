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
  package var hasEditableContent: Bool { self == .image || self == .video }
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
