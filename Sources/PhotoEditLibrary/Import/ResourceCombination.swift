// SPDX-License-Identifier: Apache-2.0

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
