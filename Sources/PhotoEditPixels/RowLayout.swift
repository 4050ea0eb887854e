// SPDX-License-Identifier: Apache-2.0

/// The components of a pixel, in memory order.
public enum ChannelLayout: Int, Sendable, Hashable, CaseIterable {
  /// One value of brightness.
  case gray = 1
  /// Brightness and straight alpha.
  case grayAlpha = 2
  /// Red, green, blue.
  case rgb = 3
  /// Red, green, blue and straight alpha.
  case rgba = 4

  /// The number of values per pixel.
  public var count: Int { rawValue }
  /// The number of values that are color.
  public var colorCount: Int { rawValue <= 2 ? 1 : 3 }
  /// Indicates whether the last value is alpha.
  public var hasAlpha: Bool { rawValue % 2 == 0 }
}

/// The memory layout of a row of interleaved samples.
///
/// 16-bit samples are in native byte order.
public struct RowLayout: Sendable, Hashable {
  /// The values of one pixel.
  public var channels: ChannelLayout
  /// Bytes of one value: 1 for 8-bit samples, 2 for 16-bit ones.
  public var bytesPerSample: Int

  /// Creates a layout of 8-bit or 16-bit samples.
  public init(channels: ChannelLayout, bytesPerSample: Int = 1) {
    precondition(bytesPerSample == 1 || bytesPerSample == 2, "samples have one byte or two")
    self.channels = channels
    self.bytesPerSample = bytesPerSample
  }

  /// Bytes of one pixel.
  public var bytesPerPixel: Int { channels.count * bytesPerSample }

  /// Bytes of one row without padding.
  public func bytesPerRow(width: Int) -> Int { width * bytesPerPixel }
}
