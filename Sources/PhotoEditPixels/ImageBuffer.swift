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
    self.size = size
    self.layout = layout
    self.bytes = bytes
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
