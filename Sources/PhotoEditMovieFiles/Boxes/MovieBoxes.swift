// SPDX-License-Identifier: Apache-2.0

/// Movie boxes, whose bytes are held by the readers.
enum MovieBoxes: BoxDialect {
  typealias Bytes = [UInt8]

  static let isQuickTime = true
  static let maximumBoxes = MovieLimits.maximumBoxes

  static func failure(_ flaw: BoxFlaw, in name: String) -> MovieError {
    switch flaw {
    case .endsEarly: .damaged("\(name) is truncated")
    case .number(let number): .damaged("\(name) has the invalid number \(number)")
    case .size(let type, let claimed, let available):
      .damaged("\(name)/\(type) has size \(claimed), but only \(available) bytes are available")
    case .entries(let count, let capacity):
      .damaged("\(name) has \(count) entries, but space for \(capacity)")
    case .boxes(let limit): .tooLarge(what: "boxes in \(name)", value: limit + 1, limit: limit)
    case .repeated(let type): .damaged("\(name) has two \(type) boxes")
    }
  }
}

typealias BoxReader = PhotoEditContainers.BoxReader<MovieBoxes>

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
  /// The maximum number of zeros after the last box; some cameras fill the last block.
  package static let maximumPadding = 1 << 30
  /// The maximum nesting depth of boxes that are read.
  package static let maximumDepth = 16
  /// The maximum absolute time in units of any timescale; sums of a few hundred such times fit in
  /// 64 bits.
  package static let maximumTime = 1 << 54
  /// The maximum size of one tag's text in bytes.
  package static let maximumTagBytes = 1 << 16
  /// The maximum size of a packet of XMP in bytes.
  static let maximumPacketBytes = 4 << 20

  /// Returns the maximum size of all samples for a file size, counting shared samples repeatedly.
  package static func maximumMedia(ofFile size: Int) -> Int {
    min(size, 1 << 56) * 16 + 1 << 26
  }
}
