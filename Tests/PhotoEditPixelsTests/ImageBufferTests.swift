// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import Testing

@Suite("ImageBuffer")
struct SampleImageTests {
  private static let layouts = ChannelLayout.allCases.flatMap { channels in
    [1, 2].map { RowLayout(channels: channels, bytesPerSample: $0) }
  }

  @Test(arguments: [
    (ChannelLayout.gray, 1, 1, false), (.grayAlpha, 2, 1, true), (.rgb, 3, 3, false),
    (.rgba, 4, 3, true),
  ])
  func `a layout reports its channel counts and row sizes`(
    _ channels: ChannelLayout, _ count: Int, _ colors: Int, _ hasAlpha: Bool
  ) {
    #expect(channels.count == count)
    #expect(channels.colorCount == colors)
    #expect(channels.hasAlpha == hasAlpha)
    #expect(RowLayout(channels: channels).bytesPerRow(width: 7) == 7 * count)
    #expect(RowLayout(channels: channels, bytesPerSample: 2).bytesPerPixel == 2 * count)
  }

  @Test(arguments: layouts)
  func `every sample has its own position`(_ layout: RowLayout) {
    var image = ImageBuffer(size: PixelSize(width: 3, height: 2), layout: layout)
    #expect(image.bytes.allSatisfy { $0 == 0 })
    var value = image.maximum
    for y in 0..<2 {
      for x in 0..<3 {
        for c in 0..<layout.channels.count {
          image[x: x, y: y, channel: c] = value
          value -= 1
        }
      }
    }
    value = image.maximum
    for y in 0..<2 {
      for x in 0..<3 {
        for c in 0..<layout.channels.count {
          #expect(image[x: x, y: y, channel: c] == value)
          value -= 1
        }
      }
    }
  }

  @Test func `samples are stored row by row, pixel by pixel`() {
    let image = ImageBuffer(
      size: PixelSize(width: 2, height: 2), layout: RowLayout(channels: .rgb),
      bytes: Array(0..<12))
    #expect(image[x: 0, y: 0, channel: 2] == 2)
    #expect(image[x: 1, y: 0, channel: 0] == 3)
    #expect(image[x: 0, y: 1, channel: 0] == 6)
    #expect(image[x: 1, y: 1, channel: 2] == 11)
  }

  @Test func `16-bit samples are in the byte order of the machine`() {
    var image = ImageBuffer(
      size: PixelSize(width: 1, height: 1), layout: RowLayout(channels: .gray, bytesPerSample: 2))
    image[x: 0, y: 0, channel: 0] = 0x1234
    #expect(image.bytes == withUnsafeBytes(of: UInt16(0x1234)) { Array($0) })
    #expect(image.maximum == 65_535)
  }

  @Test func `rejects bytes that do not fill the image`() async {
    await #expect(processExitsWith: .failure) {
      _ = ImageBuffer(
        size: PixelSize(width: 2, height: 2), layout: RowLayout(channels: .gray), bytes: [1, 2, 3])
    }
  }

  @Test func `rejects a position outside the image`() async {
    await #expect(processExitsWith: .failure) {
      let size = PixelSize(width: 2, height: 2)
      _ = ImageBuffer(size: size, layout: RowLayout(channels: .gray))[x: 2, y: 0, channel: 0]
    }
  }
}
