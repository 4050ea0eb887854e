// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditTesting
import Testing

@Suite("Tolerances of goldens")
struct GoldenToleranceTests {
  static let size = PixelSize(width: 3, height: 2)

  /// A gray ramp in a layout, with one sample changed.
  static func image(
    _ channels: ChannelLayout = .rgb, bytes: Int = 1, off: Int = 0, channel: Int = 1
  ) -> ImageBuffer {
    var image = ImageBuffer(
      size: size, layout: RowLayout(channels: channels, bytesPerSample: bytes))
    for y in 0..<size.height {
      for x in 0..<size.width {
        for channel in 0..<channels.count {
          image[x: x, y: y, channel: channel] = (60 + 30 * x + 20 * y) * image.maximum / 255
        }
      }
    }
    if off != 0 { image[x: 2, y: 1, channel: channel] += off }
    return image
  }

  private func failure(_ tolerance: GoldenTolerance, _ image: ImageBuffer) throws -> String? {
    let reference = Self.image(image.layout.channels, bytes: image.layout.bytesPerSample)
    return tolerance.failure(of: try ImageDifference(reference, image))
  }

  @Test(arguments: [ChannelLayout.gray, .grayAlpha, .rgb, .rgba], [1, 2])
  func `steps are those of the depth, in every channel`(channels: ChannelLayout, bytes: Int) throws
  {
    for channel in 0..<channels.count {
      let image = Self.image(channels, bytes: bytes, off: -3, channel: channel)
      #expect(try failure(.steps(3), image) == nil)
      let white = bytes == 1 ? 255 : 65_535
      #expect(
        try failure(.steps(2), image)
          == "largest difference is 3 of \(white) at (2, 1), channel \(channel) "
          + "(allowed: at most 2)")
      #expect(try failure(.exact, image)?.contains("allowed: at most 0") == true)
    }
    #expect(try failure(.exact, Self.image(channels, bytes: bytes)) == nil)
  }

  /// A color that nothing shows because it is transparent is still another sample.
  @Test func `exact sees the colors of transparent pixels`() throws {
    var first = ImageBuffer(
      size: PixelSize(width: 1, height: 1), layout: RowLayout(channels: .rgba))
    let second = first
    first.bytes[0] = 200
    let difference = try ImageDifference(first, second)
    #expect(difference.isEqual)
    #expect(GoldenTolerance.exact.failure(of: difference) != nil)
  }

  /// A tenth of an 8-bit level, which 8-bit comparisons would not see.
  @Test func `a small difference of 16 bits is seen`() throws {
    #expect(try failure(.exact, Self.image(bytes: 2, off: 26)) != nil)
    #expect(try failure(.toleranceClass(.F), Self.image(bytes: 2, off: 26)) != nil)
    #expect(try failure(.toleranceClass(.F), Self.image(bytes: 2, off: 4)) == nil)
  }

  @Test func `ΔE2000 is limited on average and for one pixel`() throws {
    let image = Self.image(off: 40)
    let difference = try ImageDifference(Self.image(), image)
    let (mean, maximum) = (difference.deltaEMean, difference.deltaEMaximum)
    #expect(maximum > 5 && mean > 1 && mean < maximum)
    #expect(try failure(.deltaE(mean: mean, maximum: maximum), image) == nil)
    #expect(
      try failure(.deltaE(mean: mean, maximum: maximum - 0.1), image)?
        .hasPrefix("largest ΔE2000 is") == true)
    #expect(
      try failure(.deltaE(mean: mean - 0.1, maximum: maximum), image)?
        .hasPrefix("mean ΔE2000 is") == true)
    #expect(try failure(.deltaE(mean: .nan, maximum: .nan), Self.image()) != nil)
  }

  @Test func `the classes of the package are those of its own goldens`() throws {
    #expect(try failure(.toleranceClass(.T1), Self.image(off: 1)) == nil)
    #expect(
      try failure(.toleranceClass(.T1), Self.image(off: 2))?.hasPrefix("T1: ") == true)
  }
}
