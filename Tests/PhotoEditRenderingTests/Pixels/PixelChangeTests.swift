// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Changed or drawn pixels")
struct PixelChangeTests {
  private static func inverted(_ buffer: PixelBuffer<Float>) -> PixelBuffer<Float> {
    var result = buffer
    for i in result.samples.indices { result.samples[i] = 1 - result.samples[i] }
    return result
  }

  @Test(
    arguments: ["orientation-6.jpg", "png-rgb-16.png", "jpeg-gray.jpg", "jpeg-cmyk.jpg"], [1, 3])
  func `the same change to strips and to a buffer gives the same bytes`(
    name: String, threads: Int
  ) throws {
    let image = try Charts.source(named: name)
    let buffer = Self.inverted(try Renderer.pixels(of: image))
    let expected = try Renderer.render(buffer, of: image)
    var options = RenderOptions()
    options.threads = threads
    options.stripHeight = 5
    let seen = LockedValue<[Int]>([])
    let made = try Renderer.render(image, options: options) { strip in
      #expect(strip.size == image.size && strip.channels == buffer.channels)
      seen.withLock { $0 += strip.rows }
      for y in strip.rows {
        for channel in 0..<strip.channels.count {
          let first = strip[x: 0, y: y, channel: channel]
          strip.withUnsafeMutableRow(y, channel: channel) { row in
            for x in row.indices.dropFirst() { row[x] = 1 - row[x] }
          }
          strip[x: 0, y: y, channel: channel] = 1 - first
        }
      }
    }
    #expect(seen.withLock { $0.sorted() } == Array(0..<image.size.height))
    OwnPixelsTests.check(made, expected)
    #expect(made.jpeg != (try OwnPixelsTests.expected(image).jpeg))
  }

  @Test func `drawn pixels are in the file, and drawing outside is clipped`() throws {
    let image = try Charts.source(named: "photo-64.jpg")
    let size = PixelSize(width: 40, height: 24)
    var pixels = PixelBuffer<Float>(
      size: size, channels: .rgb, arrangement: .planar, colorSpace: .sRGB, filledWith: 0.5)
    for y in 0..<24 {
      for x in 0..<16 {
        pixels[x: x, y: y, channel: 0] = 3
        pixels[x: x, y: y, channel: 1] = -2
        pixels[x: x, y: y, channel: 2] = .nan
      }
    }
    let made = try Renderer.render(pixels, of: image, options: OwnPixelsTests.options(.ijg(100)))
    let decoded = try ImageDecoders.decode(FileBytes(made.jpeg))
    #expect(made.size == size && decoded.size == size)
    for (x, color) in [(4, [255, 0, 0]), (36, [128, 128, 128])] {
      for channel in 0..<3 {
        #expect(abs(decoded[x: x, y: 12, channel: channel] - color[channel]) <= 4)
      }
    }
  }

  @Test func `gray pixels of an image with an RGB profile have three components`() throws {
    for (name, count) in [("jpeg-display-p3.jpg", 3), ("photo-64.jpg", 1)] {
      let image = try Charts.source(named: name)
      let space = try Renderer.pixels(of: image, as: UInt8.self).colorSpace
      let pixels = PixelBuffer<UInt8>(
        size: image.size, channels: .gray, colorSpace: space, filledWith: 99)
      let made = try Renderer.render(pixels, of: image)
      #expect(try JPEGs.frame(made).components.count == count)
      #expect(try ImageSource(FileBytes(made.jpeg)).metadata.icc == space.icc)
    }
  }

  @Test func `color drawn on a gray image with a profile is sRGB`() throws {
    let gray = try ImageSource(
      FileBytes(
        ProfiledFiles.jpeg(
          TestImages.bytes("jpeg-gray.jpg"), profile: TestProfiles.gray(TestProfiles.curv([563])))))
    let space = try Renderer.pixels(of: gray, as: UInt8.self).colorSpace
    #expect(space.icc == gray.metadata.icc && space != .sRGB)
    let colored = { space in
      PixelBuffer<UInt8>(size: gray.size, channels: .rgb, colorSpace: space, filledWith: 99)
    }
    let made = try Renderer.render(colored(.sRGB), of: gray)
    #expect(
      try Renderer.pixels(of: ImageSource(FileBytes(made.jpeg)), as: UInt8.self).colorSpace == .sRGB
    )
    #expect(try JPEGs.frame(made).components.count == 3)
    #expect {
      try Renderer.render(colored(space), of: gray)
    } throws: {
      guard case RenderError.otherColorSpace(.sRGB, space) = $0 else { return false }
      return true
    }
  }

  @Test func `dither noise is added only to samples of more than eight bits`() throws {
    let image = try Charts.source(named: "png-rgb-16.png")
    var options = RenderOptions()
    options.dither = .tpdf(seed: 1)
    let wide = try Renderer.pixels(of: image, as: UInt16.self, options: options)
    let bytes = try Renderer.pixels(of: image, as: UInt8.self, options: options)
    #expect(wide.samples == (try Renderer.pixels(of: image)).samples)
    #expect(
      try Renderer.render(bytes, of: image, options: options)
        == Renderer.render(bytes, of: image))
    #expect(
      try Renderer.render(wide, of: image, options: options).jpeg
        == Renderer.render(image, FilterGraph(), options: options).jpeg)
    #expect(
      try Renderer.render(image, options: options) { _ in }.jpeg
        == Renderer.render(image, FilterGraph(), options: options).jpeg)
  }
}
