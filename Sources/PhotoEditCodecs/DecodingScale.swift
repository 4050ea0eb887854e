// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// How much smaller than it is stored a JPEG is decoded, by transforming fewer coefficients.
public enum DecodingScale: Int, Sendable, Hashable, CaseIterable {
  /// As it is stored.
  case full = 1
  /// Half the width and height.
  case half = 2
  /// A quarter of the width and height.
  case quarter = 4
  /// An eighth of the width and height: one pixel a block.
  case eighth = 8

  /// The size that is decoded; a part of a pixel counts as a whole one.
  public func applied(to size: PixelSize) -> PixelSize {
    PixelSize(
      width: (size.width + rawValue - 1) / rawValue,
      height: (size.height + rawValue - 1) / rawValue)
  }
}
