// SPDX-License-Identifier: Apache-2.0

/// The color model of a file, regardless of the decoder's output.
public enum SourceColor: String, Sendable, Hashable, CaseIterable {
  /// Luma only.
  case gray
  /// Red, green, blue.
  case rgb
  /// Luma and two chroma differences (ITU-R BT.601), as in JPEG and lossy WebP.
  case ycbcr
  /// Cyan, magenta, yellow and black.
  case cmyk
  /// Luma and chroma of cyan, magenta and yellow, and black.
  case ycck
  /// Indices into a table of RGB colors.
  case palette
}
