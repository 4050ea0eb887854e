// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// How the rows between two stages lie in memory.
struct StripShape: Hashable, Sendable {
  /// What a row is made of.
  enum Format: Hashable, Sendable {
    /// Interleaved samples, as decoders give them and encoders take them.
    case packed(RowLayout)
    /// Rows of floats, one plane behind the other within each row.
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
}
