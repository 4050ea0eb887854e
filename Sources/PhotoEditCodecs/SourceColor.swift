// SPDX-License-Identifier: Apache-2.0

/// How a file says colour, whatever the decoder delivers.
public enum SourceColor: String, Sendable, Hashable, CaseIterable {
  /// Brightness alone.
  case gray
  /// Red, green, blue.
  case rgb
  /// Luma and two chroma differences (ITU-R BT.601), as JPEG and lossy WebP have them.
  case ycbcr
  /// Four inks.
  case cmyk
  /// Luma and chroma of the three coloured inks, and black.
  case ycck
  /// Indices into a table of RGB colours.
  case palette
}
