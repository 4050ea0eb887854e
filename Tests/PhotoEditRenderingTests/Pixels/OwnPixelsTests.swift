// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditTestSupport
import Synchronization
import Testing

@Suite("Pixels that go out and come back")
struct OwnPixelsTests {
  private static let turned = (1...8).flatMap {
    ["orientation-\($0).jpg", "orientation-odd-\($0).png"]
  }
  /// Gray and color, 8 and 16 bits, profiles of several kinds, inks, EXIF with a small copy, and
  /// every orientation.
  static let names =
    turned + [
      "jpeg-422.jpg", "jpeg-gray.jpg", "jpeg-display-p3.jpg", "jpeg-cmyk.jpg", "jpeg-ycck.jpg",
      "jpeg-progressive.jpg", "jpeg-restart.jpg", "photo-landscape.jpg", "photo-portrait.jpg",
      "png-gray-8.png", "png-gray-16.png", "png-rgb-8.png", "png-rgb-16.png", "png-icc.png",
      "png-palette.png", "png-rgba-8.png",
    ]

  /// A rendering of an empty graph by way of pixels.
  private static func expected(
    _ picture: Picture, _ quality: JPEGQuality = .preserve
  ) throws -> Rendering {
    var options = RenderOptions()
    options.quality = quality
    options.allowsCoefficients = false
    return try Renderer.render(picture, FilterGraph(), options: options)
  }

  private static func options(_ quality: JPEGQuality) -> RenderOptions {
    var options = RenderOptions()
    options.quality = quality
    return options
  }

  private static func check(_ made: Rendering, _ expected: Rendering) {
    #expect(made.jpeg == expected.jpeg)
    #expect(made.size == expected.size && made.encoding == expected.encoding)
    #expect(made.losses == expected.losses && made.notices == expected.notices)
  }

  // MARK: There and back

  @Test(arguments: names, [JPEGQuality.preserve, .ijg(80)])
  func `floats that come back as they are give the bytes of an empty graph`(
    _ name: String, _ quality: JPEGQuality
  ) throws {
    let picture = try Charts.picture(named: name)
    let expected = try Self.expected(picture, quality)
    for arrangement in PixelArrangement.allCases {
      let pixels = try Renderer.pixels(of: picture, as: Float.self, arrangement: arrangement)
      #expect(pixels.size == picture.size)
      Self.check(
        try Renderer.render(pixels, of: picture, options: Self.options(quality)), expected)
    }
  }

  @Test(arguments: names)
  func `whole numbers that come back give the same metadata and pixels within a level`(
    _ name: String
  ) throws {
    let picture = try Charts.picture(named: name)
    let expected = try Self.expected(picture)
    let wide = try Renderer.render(Renderer.pixels(of: picture, as: UInt16.self), of: picture)
    let bytes = try Renderer.render(
      Renderer.pixels(of: picture, as: UInt8.self, arrangement: .planar), of: picture)
    let pixels = try ImageDecoders.decode(FileBytes(expected.jpeg))
    for made in [wide, bytes] {
      let decoded = try ImageDecoders.decode(FileBytes(made.jpeg))
      #expect(decoded.layout == pixels.layout)
      #expect(zip(decoded.bytes, pixels.bytes).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
      #expect(
        try ImageMetadata.read(FileBytes(made.jpeg)).segments
          == ImageMetadata.read(FileBytes(expected.jpeg)).segments)
      #expect(made.losses == expected.losses)
    }
  }

  @Test(arguments: names)
  func `strips that nobody changes give the bytes of an empty graph`(_ name: String) throws {
    let picture = try Charts.picture(named: name)
    Self.check(try Renderer.render(picture) { _ in }, try Self.expected(picture))
  }

  // MARK: What is in a buffer

  @Test(arguments: [1, 2], [ChannelLayout.gray, .rgb])
  func `a buffer holds the numbers of the file from the top`(
    bytesPerSample: Int, channels: ChannelLayout
  ) throws {
    let image = Charts.noise(5, 3, channels, bytesPerSample: bytesPerSample)
    let picture = try Charts.picture(image)
    let floats = try Renderer.pixels(of: picture, as: Float.self, arrangement: .planar)
    let wide = try Renderer.pixels(of: picture, as: UInt16.self)
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
      #expect(try Renderer.pixels(of: picture, as: UInt8.self).samples == image.bytes)
    }
  }

  @Test(arguments: 1...8)
  func `a buffer is upright`(orientation: Int) throws {
    let picture = try Charts.picture(named: "orientation-odd-\(orientation).png")
    let stored = try ImageDecoders.decode(picture.bytes)
    let pixels = try Renderer.pixels(of: picture, as: UInt8.self)
    #expect(pixels.samples == stored.turned(picture.metadata.orientation).bytes)
  }

  @Test func `a buffer names the space of the rendering`() throws {
    let wide = try Charts.picture(named: "jpeg-display-p3.jpg")
    let space = try Renderer.pixels(of: wide, as: UInt8.self).colorSpace
    #expect(
      space.name == "test-images Display P3" && space.icc == wide.metadata.icc && space.icc != nil)
    for name in ["jpeg-cmyk.jpg", "jpeg-444.jpg", "png-srgb.png", "jpeg-gray.jpg"] {
      let picture = try Charts.picture(named: name)
      #expect(try Renderer.pixels(of: picture, as: UInt8.self).colorSpace == .sRGB)
    }
    let inks = try Picture(
      FileBytes(
        ProfiledFiles.jpeg(TestImages.bytes("jpeg-cmyk.jpg"), profile: TestProfiles.inks)))
    #expect(try Renderer.pixels(of: inks, as: UInt8.self).colorSpace == .sRGB)
    let stated = try Picture(
      FileBytes(
        ProfiledFiles.jpeg(
          TestImages.bytes("jpeg-444.jpg"),
          adding: [ProfiledFiles.exif(colorSpace: 2, index: nil)])))
    let adobe = try Renderer.pixels(of: stated, as: UInt8.self).colorSpace
    #expect(adobe.name == "Adobe RGB (1998)" && adobe.icc != nil)
  }

  // MARK: Pixels of one's own

  private static func inverted(_ buffer: PixelBuffer<Float>) -> PixelBuffer<Float> {
    var result = buffer
    for i in result.samples.indices { result.samples[i] = 1 - result.samples[i] }
    return result
  }

  @Test(
    arguments: ["orientation-6.jpg", "png-rgb-16.png", "jpeg-gray.jpg", "jpeg-cmyk.jpg"], [1, 3])
  func `strips and a buffer that are changed alike give the same bytes`(
    name: String, threads: Int
  ) throws {
    let picture = try Charts.picture(named: name)
    let buffer = Self.inverted(try Renderer.pixels(of: picture))
    let expected = try Renderer.render(buffer, of: picture)
    var options = RenderOptions()
    options.threads = threads
    options.stripHeight = 5
    let seen = Mutex<[Int]>([])
    let made = try Renderer.render(picture, options: options) { strip in
      #expect(strip.size == picture.size && strip.channels == buffer.channels)
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
    #expect(seen.withLock { $0.sorted() } == Array(0..<picture.size.height))
    Self.check(made, expected)
    #expect(made.jpeg != (try Self.expected(picture).jpeg))
  }

  @Test func `pixels that were drawn are in the file, whatever lies outside is cut`() throws {
    let picture = try Charts.picture(named: "photo-64.jpg")
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
    let made = try Renderer.render(pixels, of: picture, options: Self.options(.ijg(100)))
    let decoded = try ImageDecoders.decode(FileBytes(made.jpeg))
    #expect(made.size == size && decoded.size == size)
    for (x, color) in [(4, [255, 0, 0]), (36, [128, 128, 128])] {
      for channel in 0..<3 {
        #expect(abs(decoded[x: x, y: 12, channel: channel] - color[channel]) <= 4)
      }
    }
  }

  @Test func `gray pixels of a picture with a color profile have three components`() throws {
    for (name, count) in [("jpeg-display-p3.jpg", 3), ("photo-64.jpg", 1)] {
      let picture = try Charts.picture(named: name)
      let space = try Renderer.pixels(of: picture, as: UInt8.self).colorSpace
      let pixels = PixelBuffer<UInt8>(
        size: picture.size, channels: .gray, colorSpace: space, filledWith: 99)
      let made = try Renderer.render(pixels, of: picture)
      #expect(try JPEGs.frame(made).components.count == count)
      #expect(try Picture(FileBytes(made.jpeg)).metadata.icc == space.icc)
    }
  }

  @Test func `color of a gray picture is sRGB where the picture has a profile`() throws {
    let gray = try Picture(
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
      try Renderer.pixels(of: Picture(FileBytes(made.jpeg)), as: UInt8.self).colorSpace == .sRGB)
    #expect(try JPEGs.frame(made).components.count == 3)
    #expect {
      try Renderer.render(colored(space), of: gray)
    } throws: {
      guard case RenderError.otherColorSpace(.sRGB, space) = $0 else { return false }
      return true
    }
  }

  @Test func `noise is added to samples of more than eight bits alone`() throws {
    let picture = try Charts.picture(named: "png-rgb-16.png")
    var options = RenderOptions()
    options.dither = .tpdf(seed: 1)
    let wide = try Renderer.pixels(of: picture, as: UInt16.self, options: options)
    let bytes = try Renderer.pixels(of: picture, as: UInt8.self, options: options)
    #expect(wide.samples == (try Renderer.pixels(of: picture)).samples)
    #expect(
      try Renderer.render(bytes, of: picture, options: options)
        == Renderer.render(bytes, of: picture))
    #expect(
      try Renderer.render(wide, of: picture, options: options).jpeg
        == Renderer.render(picture, FilterGraph(), options: options).jpeg)
    #expect(
      try Renderer.render(picture, options: options) { _ in }.jpeg
        == Renderer.render(picture, FilterGraph(), options: options).jpeg)
  }

  // MARK: Metadata

  private static func file(_ attributes: String) throws -> Picture {
    var file = PictureFile()
    file.xmp = attributes
    return try Picture(FileBytes(file.jpeg()))
  }

  @Test func `different pixels are different instances, and the same ones are the same`() throws {
    let picture = try Self.file(
      "xmlns:xmpMM=\"http://ns.adobe.com/xap/1.0/mm/\" xmpMM:InstanceID=\"xmp.iid:1\"")
    var pixels = try Renderer.pixels(of: picture, as: UInt8.self)
    let instances = try [0, 0, 99].map { (level: UInt8) in
      pixels.samples[0] = level
      let segments = try ImageMetadata.read(
        FileBytes(Renderer.render(pixels, of: picture).jpeg)
      ).segments
      return try #require(segments.first { $0.kind == .xmp }).payload
    }
    #expect(instances[0] == instances[1] && instances[0] != instances[2])
  }

  @Test func `regions stay with the picture's size and are lost with another one`() throws {
    let picture = try Charts.picture(named: "photo-64.jpg")
    let marked = try Picture(FileBytes(Self.marked(picture)))
    let same = try Renderer.render(Renderer.pixels(of: marked, as: UInt8.self), of: marked)
    #expect(!same.losses.contains { $0.kind == "regions" })
    let other = PixelBuffer<UInt8>(
      size: PixelSize(width: 32, height: 32), channels: .rgb, colorSpace: .sRGB, filledWith: 9)
    let losses = try Renderer.render(other, of: marked).losses
    #expect(losses.map(\.kind).contains("regions"))
  }

  private static func marked(_ picture: Picture) -> [UInt8] {
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/" \
      xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#" \
      xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#">\
      <mwg-rs:Regions rdf:parseType="Resource">\
      <mwg-rs:AppliedToDimensions stDim:w="64" stDim:h="64" stDim:unit="pixel"/>\
      <mwg-rs:RegionList><rdf:Bag><rdf:li rdf:parseType="Resource">\
      <mwg-rs:Area stArea:x="0.5" stArea:y="0.5" stArea:w="0.25" stArea:h="0.25" \
      stArea:unit="normalized"/><mwg-rs:Type>Face</mwg-rs:Type></rdf:li></rdf:Bag>\
      </mwg-rs:RegionList></mwg-rs:Regions></rdf:Description></rdf:RDF></x:xmpmeta>
      """
    return ProfiledFiles.jpeg(
      picture.bytes.array,
      adding: [
        JPEGSegment(
          marker: 0xE1,
          payload: Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet.utf8))
      ])
  }

  @Test func `a gain map is a loss`() throws {
    let size = PixelSize(width: 128, height: 96)
    let map = try HDRFile.jpeg(
      HDRFile.ramp(PixelSize(width: 64, height: 48), channels: .gray), [HDRFile.gainMapXMP(false)])
    let photo = try HDRFile.jpeg(
      HDRFile.ramp(size, channels: .rgb), [HDRFile.primaryXMP(gainMapByteCount: map.count)])
    let picture = try Picture(FileBytes(photo + map))
    let made = try Renderer.render(Renderer.pixels(of: picture, as: UInt8.self), of: picture)
    #expect(made.losses.contains { $0.kind == "gainMap" })
    #expect(made.jpeg.firstRange(of: Array("MPF\0".utf8)) == nil)
    #expect(
      try !Renderer.render(picture, FilterGraph()).losses.contains { $0.kind == "gainMap" })
  }

  // MARK: What is refused

  @Test(arguments: [PixelSize(width: 0, height: 4), PixelSize(width: 65_501, height: 1)])
  func `a size that no JPEG has is refused`(size: PixelSize) throws {
    let pixels = PixelBuffer<UInt8>(
      size: size, channels: .gray, colorSpace: .sRGB, filledWith: 0)
    #expect {
      try Renderer.render(pixels, of: Charts.picture(named: "photo-64.jpg"))
    } throws: {
      guard case RenderError.tooLarge(size) = $0 else { return false }
      return true
    }
  }

  @Test func `pixels of another space are refused with both names`() throws {
    let picture = try Charts.picture(named: "jpeg-display-p3.jpg")
    let pixels = PixelBuffer<UInt8>(
      size: picture.size, channels: .rgb, colorSpace: .sRGB, filledWith: 0)
    #expect {
      try Renderer.render(pixels, of: picture)
    } throws: {
      "\($0)" == "the pixels are numbers of sRGB, expected test-images Display P3"
    }
  }

  private struct Failure: Error, Equatable {}

  @Test(arguments: [1, 3])
  func `what code throws ends the rendering and is told`(threads: Int) throws {
    var options = RenderOptions()
    options.threads = threads
    options.stripHeight = 4
    let picture = try Charts.picture(named: "photo-64.jpg")
    #expect {
      try Renderer.render(picture, options: options) { strip in
        if strip.rows.contains(20) { throw Failure() }
      }
    } throws: {
      guard case RenderError.pixels(let error) = $0 else { return false }
      return error is Failure
    }
    #expect {
      try Renderer.render(picture, options: options) { _ in throw CancellationError() }
    } throws: {
      if case RenderError.cancelled = $0 { true } else { false }
    }
  }

  @Test func `reading and writing stop when asked to`() throws {
    let picture = try Charts.picture(named: "photo-64.jpg")
    let pixels = try Renderer.pixels(of: picture, as: UInt8.self)
    for after in [0, 1, 3] {
      for run in [
        { _ = try Renderer.pixels(of: picture, as: UInt8.self, options: $0) },
        { _ = try Renderer.render(pixels, of: picture, options: $0) },
        { _ = try Renderer.render(picture, options: $0) { _ in } },
      ] as [(RenderOptions) throws -> Void] {
        let asked = CallCounter()
        var options = RenderOptions()
        options.stripHeight = 4
        options.isCancelled = { asked.next() > after }
        #expect {
          try run(options)
        } throws: {
          if case RenderError.cancelled = $0 { true } else { false }
        }
      }
    }
  }

  @Test func `reading and changing more than memory allows is refused`() throws {
    let picture = try Charts.picture(named: "photo-1024.jpg")
    var options = RenderOptions()
    options.limits.maximumMemoryBytes = 10_000
    let runs: [(RenderOptions) throws -> Void] = [
      { _ = try Renderer.pixels(of: picture, as: Float.self, options: $0) },
      { _ = try Renderer.render(picture, options: $0) { _ in } },
    ]
    for run in runs {
      #expect {
        try run(options)
      } throws: {
        guard case RenderError.codec(.limitExceeded(.memory, _, 10_000)) = $0 else { return false }
        return true
      }
    }
  }
}
