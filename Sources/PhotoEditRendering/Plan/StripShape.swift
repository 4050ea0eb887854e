// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// The memory layout of the rows between two stages.
struct StripShape: Hashable, Sendable {
  /// The format of a row.
  enum Format: Hashable, Sendable {
    /// Interleaved samples, as used by decoders and encoders.
    case packed(RowLayout)
    /// Rows of floats; each row holds its planes one after the other.
    case planes(Int)
  }

  var size: PixelSize
  var format: Format

  var bytesPerRow: Int {
    switch format {
    case .packed(let layout): layout.bytesPerRow(width: size.width)
    case .planes(let count): count * size.width * MemoryLayout<Float>.stride
    }
  }

  /// The distance between rows that are read together, in bytes: an odd number of cache lines.
  ///
  /// Rows at multiples of a page would compete for the same lines of the first-level cache.
  var spacedBytesPerRow: Int { (bytesPerRow + 63) & ~63 | 64 }
}
