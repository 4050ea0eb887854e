// SPDX-License-Identifier: Apache-2.0

/// The media type of an asset; raw values match PhotoKit.
public enum MediaType: Int, Sendable, Hashable, CaseIterable, Codable {
  /// An unknown type.
  case unknown = 0
  /// A still image.
  case image = 1
  /// A video.
  case video = 2
  /// An audio recording.
  case audio = 3

  /// Indicates whether assets of this type can be edited.
  package var hasEditableContent: Bool { self == .image || self == .video }
}

/// The media subtypes of an asset; raw values match PhotoKit.
///
/// A subtype is set only if the file specifies it; nothing is guessed.
public struct MediaSubtype: OptionSet, Sendable, Hashable, Codable {
  /// The stored value.
  public let rawValue: Int

  /// Creates a set of subtypes from a stored value.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A panorama, according to its GPano properties.
  public static let photoPanorama = MediaSubtype(rawValue: 1 << 0)
  /// A high-dynamic-range photo.
  public static let photoHDR = MediaSubtype(rawValue: 1 << 1)
  /// A screenshot.
  public static let photoScreenshot = MediaSubtype(rawValue: 1 << 2)
  /// A Live Photo: a still with a paired video.
  public static let photoLive = MediaSubtype(rawValue: 1 << 3)
  /// A photo with a depth map.
  public static let photoDepthEffect = MediaSubtype(rawValue: 1 << 4)
  /// A stereoscopic image.
  public static let spatialMedia = MediaSubtype(rawValue: 1 << 10)
  /// A video whose content is stored elsewhere.
  public static let videoStreamed = MediaSubtype(rawValue: 1 << 16)
  /// A video with a high frame rate, for playback in slow motion.
  public static let videoHighFrameRate = MediaSubtype(rawValue: 1 << 17)
  /// A time-lapse video, with few frames per second of real time.
  public static let videoTimelapse = MediaSubtype(rawValue: 1 << 18)
  /// A video whose focus can be changed.
  public static let videoCinematic = MediaSubtype(rawValue: 1 << 21)
}
