// SPDX-License-Identifier: Apache-2.0

/// Limits above which a video is rejected; memory grows with these and not with its length.
package enum MovieLimits {
  /// The maximum number of tracks.
  package static let maximumTracks = 64
  /// The maximum number of samples in all tracks; four hours of video at 60 frames per second with
  /// audio.
  package static let maximumSamples = 1 << 21
  /// The maximum size of a `moov` or `moof` box in bytes.
  package static let maximumHeaderBytes = 1 << 28
  /// The maximum number of sibling boxes at the top level or inside another box.
  package static let maximumBoxes = 1 << 20
  /// The maximum number of tags; further ones are not read.
  package static let maximumTags = 1024
  /// The maximum nesting depth of boxes that are read.
  package static let maximumDepth = 16
  /// The maximum absolute time in units of any timescale; sums of a few hundred such times fit in
  /// 64 bits.
  package static let maximumTime = 1 << 54
  /// The maximum size of one tag's text in bytes.
  package static let maximumTagBytes = 1 << 16

  /// Returns the maximum size of all samples for a file size, counting shared samples repeatedly.
  package static func maximumMedia(ofFile size: Int) -> Int {
    min(size, 1 << 56) * 16 + 1 << 26
  }
}
