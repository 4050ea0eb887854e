// SPDX-License-Identifier: Apache-2.0

/// What a file is to its asset; the numbers are PhotoKit's.
public enum AssetResourceType: Int, Sendable, Hashable, CaseIterable {
  /// The original still.
  case photo = 1
  /// The original movie.
  case video = 2
  /// The original recording.
  case audio = 3
  /// The other original still of a pair, such as the RAW beside a JPEG.
  case alternatePhoto = 4
  /// The current rendering of a still.
  case fullSizePhoto = 5
  /// The current rendering of a movie.
  case fullSizeVideo = 6
  /// The record from which the edit can be reopened.
  case adjustmentData = 7
  /// What the most recent edit of a still began with, where that is not the original.
  case adjustmentBasePhoto = 8
  /// The original movie of a Live Photo.
  case pairedVideo = 9
  /// The current movie of a Live Photo.
  case fullSizePairedVideo = 10
  /// What the most recent edit of a Live Photo's movie began with.
  case adjustmentBasePairedVideo = 11
  /// What the most recent edit of a movie began with.
  case adjustmentBaseVideo = 12
  /// A small stand-in for a still.
  case photoProxy = 19
  /// XMP beside the original, as other programs write it; PhotoKit has no such type.
  case sidecar = 1001

  /// Whether it is the movie around a still.
  var isPaired: Bool {
    [.pairedVideo, .fullSizePairedVideo, .adjustmentBasePairedVideo].contains(self)
  }

  /// Whether it has moving pictures.
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
