// SPDX-License-Identifier: Apache-2.0

/// The role of a file of an asset; the raw values match PhotoKit.
public enum AssetResourceType: Int, Sendable, Hashable, CaseIterable {
  /// The original still.
  case photo = 1
  /// The original video.
  case video = 2
  /// The original audio recording.
  case audio = 3
  /// The other original still of a pair, such as the RAW next to a JPEG.
  case alternatePhoto = 4
  /// The current rendering of a still.
  case fullSizePhoto = 5
  /// The current rendering of a video.
  case fullSizeVideo = 6
  /// The adjustment data, from which the edit can be resumed.
  case adjustmentData = 7
  /// The input of the most recent edit of a still if it is not the original.
  case adjustmentBasePhoto = 8
  /// The original video of a Live Photo.
  case pairedVideo = 9
  /// The current video of a Live Photo.
  case fullSizePairedVideo = 10
  /// The input of the most recent edit of a Live Photo's video.
  case adjustmentBasePairedVideo = 11
  /// The input of the most recent edit of a video.
  case adjustmentBaseVideo = 12
  /// A small proxy of a still.
  case photoProxy = 19
  /// An XMP sidecar next to the original, as written by other programs; PhotoKit has no such type.
  case sidecar = 1001

  /// The files of the current version of an edited asset.
  static let renderings: [AssetResourceType] = [
    .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo,
  ]

  var isPaired: Bool {
    [.pairedVideo, .fullSizePairedVideo, .adjustmentBasePairedVideo].contains(self)
  }

  var isMovie: Bool {
    switch self {
    case .video, .fullSizeVideo, .adjustmentBaseVideo, .pairedVideo, .fullSizePairedVideo,
      .adjustmentBasePairedVideo:
      true
    case .photo, .audio, .alternatePhoto, .fullSizePhoto, .adjustmentData, .adjustmentBasePhoto,
      .photoProxy, .sidecar:
      false
    }
  }
}

/// The valid combinations of files in an asset.
///
/// An asset is a still, a still with another original such as a RAW, a still with its paired video,
/// a video, or an audio recording. An edited asset also has the rendering, the adjustment data, and
/// the base of the edit if it is not the original. A Live Photo whose edit is only a still has no
/// edited video.
enum ResourceCombination {
  /// Returns whether an asset can be created from files of these types, each of them once.
  ///
  /// XMP can be part of every combination.
  static func isSupported(_ types: [AssetResourceType]) -> Bool {
    let set = Set(types)
    return set.count == types.count && supported.contains(set.subtracting([.sidecar]))
  }

  /// Returns whether an existing asset can have files of these types, which may include the
  /// adjustment data of an edit whose rendering is missing.
  static func isStorable(_ types: Set<AssetResourceType>) -> Bool {
    isSupported(Array(types)) || isSupported(Array(types.subtracting([.adjustmentData])))
  }

  /// The files of an edit, which are useless individually.
  static let edit: Set<AssetResourceType> = [
    .adjustmentData, .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo, .adjustmentBasePhoto,
    .adjustmentBaseVideo, .adjustmentBasePairedVideo,
  ]

  private static let supported: Set<Set<AssetResourceType>> = {
    var all: Set<Set<AssetResourceType>> = [
      [.photo], [.video], [.audio], [.photo, .alternatePhoto], [.photo, .pairedVideo],
    ]
    func edited(
      _ original: Set<AssetResourceType>, _ rendering: Set<AssetResourceType>,
      bases: Set<AssetResourceType>...
    ) {
      for base in [[]] + bases {
        all.insert(original.union(rendering).union([.adjustmentData]).union(base))
      }
    }
    edited([.photo], [.fullSizePhoto], bases: [.adjustmentBasePhoto])
    edited([.photo, .alternatePhoto], [.fullSizePhoto], bases: [.adjustmentBasePhoto])
    edited([.video], [.fullSizeVideo], bases: [.adjustmentBaseVideo])
    let pair: Set<AssetResourceType> = [.adjustmentBasePhoto, .adjustmentBasePairedVideo]
    edited([.photo, .pairedVideo], [.fullSizePhoto, .fullSizePairedVideo], bases: pair)
    edited([.photo, .pairedVideo], [.fullSizePhoto], bases: [.adjustmentBasePhoto], pair)
    return all
  }()

  static let originals: Set<AssetResourceType> = [.photo, .video, .audio]
}

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
