// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// Creates a buffer from an image; transparent pixels are composited over white.
  ///
  /// Samples are scaled from the range of their type to that of the other one and rounded half up.
  ///
  /// - Parameters:
  ///   - image: Gray or RGB, 8 or 16 bits.
  ///   - arrangement: The order of the samples of the buffer.
  ///   - colorSpace: The color space of the image, whose values are kept.
  public init(
    _ image: ImageBuffer, arrangement: PixelArrangement = .interleaved,
    colorSpace: PixelColorSpace = .sRGB
  ) {
    let channels: PixelChannels = image.layout.channels.colorCount == 1 ? .gray : .rgb
    self.init(
      size: image.size, channels: channels, arrangement: arrangement, colorSpace: colorSpace,
      filledWith: .zero)
    let white = Float(image.maximum)
    let alpha = image.layout.channels.hasAlpha ? channels.count : nil
    var row = [Float](repeating: 0, count: image.size.width)
    for y in 0..<image.size.height {
      for channel in 0..<channels.count {
        for x in row.indices {
          row[x] = Float(image[x: x, y: y, channel: channel]) / white
          if let alpha {
            let opacity = Float(image[x: x, y: y, channel: alpha]) / white
            row[x] = row[x] * opacity + (1 - opacity)
          }
        }
        store(row: y, channel: channel, from: row)
      }
    }
  }

  /// Returns the same image with samples of another type or in another order.
  ///
  /// Samples are scaled from the range of their type to that of the other one. Integers are rounded
  /// half up, and floats outside of their range are clamped. The color space stays the same.
  ///
  /// - Parameters:
  ///   - type: `UInt8`, `UInt16` or `Float`.
  ///   - arrangement: The order of the samples; nil keeps it.
  public func converted<Other>(
    to type: Other.Type = Other.self, arrangement: PixelArrangement? = nil
  ) -> PixelBuffer<Other> {
    var result = PixelBuffer<Other>(
      size: size, channels: channels, arrangement: arrangement ?? self.arrangement,
      colorSpace: colorSpace, filledWith: .zero)
    var row = [Float](repeating: 0, count: size.width)
    for y in 0..<size.height {
      for channel in 0..<channels.count {
        load(row: y, channel: channel, into: &row)
        result.store(row: y, channel: channel, from: row)
      }
    }
    return result
  }
}

extension ImageBuffer {
  /// Creates an image from a buffer, interleaved and without alpha.
  ///
  /// Samples of 8 bits stay what they are; all others become 16 bits, for which floats are rounded
  /// and clamped to their range.
  public init<Sample>(_ pixels: PixelBuffer<Sample>) {
    let layout = RowLayout(
      channels: pixels.channels == .gray ? .gray : .rgb,
      bytesPerSample: MemoryLayout<Sample>.size == 1 ? 1 : 2)
    if layout.bytesPerSample == 1 {
      let samples = pixels.converted(to: UInt8.self, arrangement: .interleaved).samples
      self.init(size: pixels.size, layout: layout, bytes: samples)
    } else {
      let samples = pixels.converted(to: UInt16.self, arrangement: .interleaved).samples
      self.init(
        size: pixels.size, layout: layout, bytes: samples.withUnsafeBytes { [UInt8]($0) })
    }
  }
}
