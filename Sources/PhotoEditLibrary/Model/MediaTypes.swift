// SPDX-License-Identifier: Apache-2.0

/// The ways to play back an asset; the raw values match PhotoKit.
public enum PlaybackStyle: Int, Sendable, Hashable, CaseIterable, Codable {
  /// Not supported for display.
  case unsupported = 0
  /// A still image.
  case image = 1
  /// An animated image.
  case imageAnimated = 2
  /// A Live Photo.
  case livePhoto = 3
  /// A video.
  case video = 4
  /// A looping video.
  case videoLooping = 5
}

/// The ways in which an asset was selected from a burst; the bits match PhotoKit.
public struct BurstSelection: OptionSet, Sendable, Hashable, Codable {
  /// The stored number.
  public let rawValue: Int

  /// Creates a value from its number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Selected by the camera.
  public static let autoPick = BurstSelection(rawValue: 1 << 0)
  /// Selected by the user.
  public static let userPick = BurstSelection(rawValue: 1 << 1)
}

/// The source of an asset; the bits match PhotoKit.
public struct SourceType: OptionSet, Sendable, Hashable, Codable {
  /// The stored number.
  public let rawValue: Int

  /// Creates a value from its number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The user's own library.
  public static let userLibrary = SourceType(rawValue: 1 << 0)
  /// Shared by another user.
  public static let cloudShared = SourceType(rawValue: 1 << 1)
  /// Referenced at a location that is only read.
  public static let synced = SourceType(rawValue: 1 << 2)
}

/// Properties of an asset's files in addition to PhotoKit's subtypes, for smart albums.
public struct AssetTraits: OptionSet, Sendable, Hashable, Codable {
  /// The stored number.
  public let rawValue: Int

  /// Creates a value from its number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The asset has a RAW file.
  public static let raw = AssetTraits(rawValue: 1 << 0)
  /// The image has more than one frame.
  public static let animated = AssetTraits(rawValue: 1 << 1)
  /// Taken with a front camera.
  public static let selfPortrait = AssetTraits(rawValue: 1 << 2)
  /// Marked by the camera as a long exposure.
  public static let longExposure = AssetTraits(rawValue: 1 << 3)
  /// An image of the asset was damaged at import.
  public static let knownDamage = AssetTraits(rawValue: 1 << 4)
}
