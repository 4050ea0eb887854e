// SPDX-License-Identifier: Apache-2.0

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
