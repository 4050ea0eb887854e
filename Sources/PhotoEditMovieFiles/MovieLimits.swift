// SPDX-License-Identifier: Apache-2.0

/// What a movie may ask for before it is refused; memory grows with these and not with its length.
package enum MovieLimits {
  /// Tracks of one movie.
  package static let maximumTracks = 64
  /// Samples of all tracks together; four hours of video at 60 frames a second with its sound.
  package static let maximumSamples = 1 << 21
  /// Bytes of a `moov` or `moof` box.
  package static let maximumHeaderBytes = 1 << 28
  /// Boxes side by side at the top of the file or inside another box.
  package static let maximumBoxes = 1 << 20
  /// Tags that are read; further ones are not.
  package static let maximumTags = 1024
  /// Boxes inside of one another that are looked into.
  package static let maximumDepth = 16
  /// Ticks of any clock, forwards or backwards; sums of a few hundred such times fit into 64 bits.
  package static let maximumTicks = 1 << 54
  /// Bytes of one tag's text.
  package static let maximumTagBytes = 1 << 16

  /// Bytes of all samples in a file of a size, counting those again that several samples share.
  package static func maximumMedia(ofFile size: Int) -> Int {
    min(size, 1 << 56) * 16 + 1 << 26
  }
}
