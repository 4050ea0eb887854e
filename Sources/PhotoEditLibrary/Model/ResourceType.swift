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

  /// Indicates whether it is the paired video of a Live Photo.
  var isPaired: Bool {
    [.pairedVideo, .fullSizePairedVideo, .adjustmentBasePairedVideo].contains(self)
  }

  /// Indicates whether the file is a video.
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
