// SPDX-License-Identifier: Apache-2.0

/// A whole image of interleaved samples in memory.
///
/// For small images: tests, comparisons, goldens. The engine works on strips and never creates one.
public struct ImageBuffer: Sendable, Hashable {
  /// Width and height.
  public let size: PixelSize
  /// Channels and sample depth.
  public let layout: RowLayout
  /// The samples, row by row from the top, `layout.bytesPerRow` bytes each.
  public var bytes: [UInt8]

  /// Creates an image from its bytes, whose number must match the size and layout.
  public init(size: PixelSize, layout: RowLayout, bytes: [UInt8]) {
    precondition(
      bytes.count == size.height * layout.bytesPerRow(width: size.width),
      "the bytes do not fill the image")
    (self.size, self.layout, self.bytes) = (size, layout, bytes)
  }

  /// Creates a black image.
  public init(size: PixelSize, layout: RowLayout) {
    self.init(
      size: size, layout: layout,
      bytes: [UInt8](repeating: 0, count: size.height * layout.bytesPerRow(width: size.width)))
  }

  /// The largest sample value: 255 or 65535.
  public var maximum: Int { layout.bytesPerSample == 1 ? 255 : 65_535 }

  /// One sample, from 0 to `maximum`.
  public subscript(x x: Int, y y: Int, channel channel: Int) -> Int {
    get {
      let i = offset(x: x, y: y, channel: channel)
      return layout.bytesPerSample == 1
        ? Int(bytes[i])
        : bytes.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: i, as: UInt16.self)) }
    }
    set {
      let i = offset(x: x, y: y, channel: channel)
      if layout.bytesPerSample == 1 {
        bytes[i] = UInt8(newValue)
      } else {
        bytes.withUnsafeMutableBytes {
          $0.storeBytes(of: UInt16(newValue), toByteOffset: i, as: UInt16.self)
        }
      }
    }
  }

  private func offset(x: Int, y: Int, channel: Int) -> Int {
    precondition(x >= 0 && x < size.width && y >= 0 && y < size.height, "outside the image")
    return (y * size.width + x) * layout.bytesPerPixel + channel * layout.bytesPerSample
  }
}

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
    (self.channels, self.bytesPerSample) = (channels, bytesPerSample)
  }

  /// Bytes of one pixel.
  public var bytesPerPixel: Int { channels.count * bytesPerSample }

  /// Bytes of one row without padding.
  public func bytesPerRow(width: Int) -> Int { width * bytesPerPixel }
}
