// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// A reduction of a JPEG during decoding, by transforming fewer coefficients.
public enum DecodingScale: Int, Sendable, Hashable, CaseIterable {
  /// The stored size.
  case full = 1
  /// Half the width and height.
  case half = 2
  /// A quarter of the width and height.
  case quarter = 4
  /// An eighth of the width and height: one pixel per block.
  case eighth = 8

  /// Returns the decoded size, rounded up to whole pixels.
  public func applied(to size: PixelSize) -> PixelSize {
    PixelSize(
      width: (size.width + rawValue - 1) / rawValue,
      height: (size.height + rawValue - 1) / rawValue)
  }
}
