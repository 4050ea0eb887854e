// SPDX-License-Identifier: Apache-2.0

/// Samples of a track that lie behind one another in a file.
struct MediaChunk: Sendable {
  /// Where the bytes come from.
  enum Origin: Sendable {
    /// The movie that is edited.
    case source
    /// The movie whose pictures are put in.
    case replacement
    /// Made here.
    case bytes([UInt8])
  }

  var origin = Origin.source
  /// The first byte in the file; a place in the order for bytes made here.
  var offset: Int
  /// How many samples lie in it.
  var count: Int
  /// Bytes of all of them.
  var size: Int
  /// Which sample description holds, from 1.
  var description: UInt32
}
