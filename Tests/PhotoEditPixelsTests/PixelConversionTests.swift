// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import Testing

@Suite("Conversions between buffers")
struct PixelConversionTests {
  private static let size = PixelSize(width: 2, height: 2)

  @Test(arguments: PixelArrangement.allCases)
  func `every value of 16 bits survives floats and an image`(arrangement: PixelArrangement) {
    let size = PixelSize(width: 256, height: 256)
    let samples = (0...UInt16.max).map { $0 }
    let buffer = PixelBuffer(size: size, channels: .gray, colorSpace: .sRGB, samples: samples)
    let floats = buffer.converted(to: Float.self, arrangement: arrangement)
    #expect(floats.converted(to: UInt16.self).samples == samples)
    #expect(PixelBuffer<UInt16>(ImageBuffer(buffer)).samples == samples)
  }

  @Test func `planes become interleaved samples and keep the color space`() {
    let space = PixelColorSpace(name: "own", icc: [1])
    let planar = PixelBuffer<UInt8>(
      size: Self.size, channels: .rgb, arrangement: .planar, colorSpace: space,
      samples: Array(0..<12))
    let interleaved = planar.converted(to: UInt8.self, arrangement: .interleaved)
    #expect(interleaved.samples == [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11])
    #expect(interleaved.colorSpace == space)
    #expect(ImageBuffer(planar).bytes == interleaved.samples)
    #expect(planar.converted(to: Float.self).arrangement == .planar)
  }

  /// 257 = 65535 / 255, so that 8 bits become the same fraction of white.
  @Test func `samples are scaled and rounded half up`() {
    let buffer = PixelBuffer<UInt8>(
      size: Self.size, channels: .gray, colorSpace: .sRGB, samples: [0, 1, 128, 255])
    #expect(buffer.converted(to: UInt16.self).samples == [0, 257, 32_896, 65_535])
    let floats = PixelBuffer<Float>(
      size: Self.size, channels: .gray, colorSpace: .sRGB, samples: [-1, 0.5, 2, .nan])
    #expect(floats.converted(to: UInt8.self).samples == [0, 128, 255, 0])
  }

  @Test func `transparent pixels are composited over white`() {
    let image = ImageBuffer(
      size: Self.size, layout: RowLayout(channels: .grayAlpha),
      bytes: [100, 255, 100, 0, 0, 51, 255, 128])
    // 0 at a fifth of the opacity is four fifths of white.
    #expect(PixelBuffer<UInt8>(image).samples == [100, 255, 204, 255])
  }
}
