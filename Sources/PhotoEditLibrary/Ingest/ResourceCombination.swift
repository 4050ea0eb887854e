// SPDX-License-Identifier: Apache-2.0

/// Which files together make an asset.
///
/// An asset is a still, a still with another original such as a RAW, a still with the movie around
/// it, a movie, or a recording. An edited one has the rendering and the record besides, and what the
/// edit began with where that is not the original. A Live Photo whose edit is a still alone has no
/// edited movie.
enum ResourceCombination {
  /// Whether an asset can be made of files of these types, each of them once.
  ///
  /// XMP goes with every combination.
  static func isSupported(_ types: [AssetResourceType]) -> Bool {
    let set = Set(types)
    return set.count == types.count && supported.contains(set.subtracting([.sidecar]))
  }

  /// Whether an asset can have files of these types, to which the adjustment data of an edit whose
  /// rendering is missing may be added.
  static func isHeld(_ types: Set<AssetResourceType>) -> Bool {
    isSupported(Array(types)) || isSupported(Array(types.subtracting([.adjustmentData])))
  }

  /// The files of an edit, which are worth nothing one by one.
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

  /// The file by which an asset is known: its original.
  static func primary(of types: some Sequence<AssetResourceType>) -> AssetResourceType? {
    types.first { originals.contains($0) }
  }

  static let originals: Set<AssetResourceType> = [.photo, .video, .audio]
}
