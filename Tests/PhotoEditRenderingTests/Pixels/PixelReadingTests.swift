// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Reading pixels")
struct PixelReadingTests {
  @Test(arguments: [1, 2], [ChannelLayout.gray, .rgb])
  func `a buffer holds the sample values of the file from the top`(
    bytesPerSample: Int, channels: ChannelLayout
  ) throws {
    let image = Charts.noise(5, 3, channels, bytesPerSample: bytesPerSample)
    let source = try Charts.source(image)
    let floats = try Renderer.pixels(of: source, as: Float.self, arrangement: .planar)
    let wide = try Renderer.pixels(of: source, as: UInt16.self)
    #expect(floats.samples == image.floatPlanes.flatMap { $0 })
    #expect(floats.channels.count == channels.count && floats.colorSpace == .sRGB)
    let scale = bytesPerSample == 1 ? 257 : 1
    for y in 0..<3 {
      for x in 0..<5 {
        for channel in 0..<channels.count {
          let level = image[x: x, y: y, channel: channel]
          #expect(wide.samples[(y * 5 + x) * channels.count + channel] == UInt16(level * scale))
          #expect(wide[x: x, y: y, channel: channel] == UInt16(level * scale))
          #expect(floats.index(x: x, y: y, channel: channel) == channel * 15 + y * 5 + x)
        }
      }
    }
    if bytesPerSample == 1 {
      #expect(try Renderer.pixels(of: source, as: UInt8.self).samples == image.bytes)
    }
  }

  @Test(arguments: 1...8)
  func `a buffer has the orientation applied`(orientation: Int) throws {
    let image = try Charts.source(named: "orientation-odd-\(orientation).png")
    let stored = try ImageDecoders.decode(image.bytes)
    let pixels = try Renderer.pixels(of: image, as: UInt8.self)
    #expect(pixels.samples == stored.rotated(image.metadata.orientation).bytes)
  }

  @Test func `a buffer names the color space of the rendering`() throws {
    let wide = try Charts.source(named: "jpeg-display-p3.jpg")
    let space = try Renderer.pixels(of: wide, as: UInt8.self).colorSpace
    #expect(
      space.name == "test-images Display P3" && space.icc == wide.metadata.icc && space.icc != nil)
    for name in ["jpeg-cmyk.jpg", "jpeg-444.jpg", "png-srgb.png", "jpeg-gray.jpg"] {
      let image = try Charts.source(named: name)
      #expect(try Renderer.pixels(of: image, as: UInt8.self).colorSpace == .sRGB)
    }
    let cmykProfile = try ImageSource(
      FileBytes(
        ProfiledFiles.jpeg(TestImages.bytes("jpeg-cmyk.jpg"), profile: TestProfiles.cmykProfile)))
    #expect(try Renderer.pixels(of: cmykProfile, as: UInt8.self).colorSpace == .sRGB)
    let stated = try ImageSource(
      FileBytes(
        ProfiledFiles.jpeg(
          TestImages.bytes("jpeg-444.jpg"),
          adding: [ProfiledFiles.exif(colorSpace: 2, index: nil)])))
    let adobe = try Renderer.pixels(of: stated, as: UInt8.self).colorSpace
    #expect(adobe.name == "Adobe RGB (1998)" && adobe.icc != nil)
  }
}
