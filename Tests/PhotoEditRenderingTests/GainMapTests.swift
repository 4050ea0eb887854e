// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import Testing

@Suite("Gain maps of HDR photos")
struct GainMapTests {
  private static let size = PixelSize(width: 128, height: 96)
  private static let smaller = PixelSize(width: 64, height: 48)

  /// A photo with a gain map of the same content at half the size, as written by cameras.
  static func photo(orientation: Orientation = .up, isApple: Bool = false) throws -> [UInt8] {
    let gainMap = try HDRFile.jpeg(
      HDRFile.ramp(smaller, channels: .gray), [HDRFile.gainMapXMP(isApple)])
    let primary = try HDRFile.jpeg(
      HDRFile.ramp(size, channels: .rgb),
      [HDRFile.exif(orientation), HDRFile.primaryXMP(gainMapByteCount: gainMap.count)])
    return primary + gainMap
  }

  static func render(_ bytes: [UInt8], _ filters: [any Filter]) throws -> Rendering {
    try Renderer.render(ImageSource(FileBytes(bytes)), FilterGraph(filters))
  }

  /// The images of a file, as listed in its Multi-Picture index.
  static func images(_ file: [UInt8]) throws -> [[UInt8]] {
    let start = try #require(file.firstRange(of: Array("MPF\0MM".utf8))).lowerBound + 4
    func number(_ offset: Int) -> Int {
      file[(start + offset)..<(start + offset + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
    let first = Array(file[..<number(54)])
    let position = start + number(74)
    return [first, Array(file[position..<(position + number(70))])]
  }

  @Test(arguments: Orientation.allCases)
  func `rotating a photo rotates its gain map`(_ orientation: Orientation) throws {
    let rendering = try Self.render(Self.photo(orientation: orientation), [])
    #expect(!rendering.losses.contains { $0.kind == "gainMap" || $0.kind == "mpf" })
    let parts = try Self.images(rendering.jpeg)
    #expect(parts[0].count + parts[1].count == rendering.jpeg.count)
    let map = try ImageDecoders.decode(FileBytes(parts[1]))
    #expect(map.size == orientation.applied(to: Self.smaller))
    let expected = HDRFile.ramp(Self.smaller, channels: .gray).rotated(orientation)
    #expect(HDRFile.distance(map, expected) <= 3)
  }

  @Test func `a crop also crops the gain map`() throws {
    let crop = Crop(x: 0.25, y: 0.5, width: 0.5, height: 0.25)
    let parts = try Self.images(Self.render(Self.photo(), [crop]).jpeg)
    let map = try ImageDecoders.decode(FileBytes(parts[1]))
    let region = Region(x: 16, y: 24, width: 32, height: 12)
    #expect(map.size == PixelSize(width: 32, height: 12))
    let expected = HDRFile.ramp(Self.smaller, channels: .gray).cropped(to: region)
    #expect(HDRFile.distance(map, expected) <= 3)
  }

  @Test func `a straightened photo keeps a matching gain map`() throws {
    let rendering = try Self.render(Self.photo(), [Straighten(angle: 7)])
    let parts = try Self.images(rendering.jpeg)
    let image = try ImageDecoders.decode(FileBytes(parts[0]))
    let map = try ImageDecoders.decode(FileBytes(parts[1]))
    #expect(abs(2 * map.size.width - image.size.width) <= 1)
    #expect(abs(2 * map.size.height - image.size.height) <= 1)
    // Both are the same ramp, so that they match wherever they are sampled.
    for y in stride(from: 2, to: map.size.height - 2, by: 5) {
      for x in stride(from: 2, to: map.size.width - 2, by: 5) {
        let own = Int(map.bytes[y * map.size.width + x])
        let large = Int(image.bytes[(2 * y * image.size.width + 2 * x) * 3 + 1])
        #expect(abs(own - large) <= 6)
      }
    }
  }

  @Test func `a downscaled photo keeps its gain map unchanged`() throws {
    var resize = Resize()
    resize.width = 32
    let parts = try Self.images(Self.render(Self.photo(), [resize]).jpeg)
    #expect(try ImageDecoders.decode(FileBytes(parts[0])).size.width == 32)
    #expect(try ImageDecoders.decode(FileBytes(parts[1])).size == Self.smaller)
  }

  @Test func `a photo edited twice keeps one gain map`() throws {
    let once = try Self.render(Self.photo(), [Rotate90(turns: 1)])
    let twice = try Self.render(once.jpeg, [Rotate90(turns: 3)])
    #expect(!twice.losses.contains { $0.kind == "gainMap" || $0.kind == "mpf" })
    let parts = try Self.images(twice.jpeg)
    let map = try ImageDecoders.decode(FileBytes(parts[1]))
    #expect(HDRFile.distance(map, HDRFile.ramp(Self.smaller, channels: .gray)) <= 3)
  }

  @Test(arguments: [false, true])
  func `a tone change removes the gain map and reports it`(isApple: Bool) throws {
    let rendering = try Self.render(Self.photo(isApple: isApple), [Exposure(ev: 0.5)])
    #expect(rendering.losses.contains { $0.kind == "gainMap" })
    #expect(rendering.jpeg.firstRange(of: Array("MPF\0".utf8)) == nil)
    #expect(rendering.jpeg.firstRange(of: Array("hdrgm:Version".utf8)) == nil)
    #expect(rendering.jpeg.firstRange(of: Array("GainMap\"".utf8)) == nil)
  }

  @Test(arguments: [false, true])
  func `the gain map metadata stays with the gain map`(isApple: Bool) throws {
    let parts = try Self.images(
      Self.render(Self.photo(isApple: isApple), [Rotate90(turns: 2)]).jpeg)
    let words = isApple ? "HDRGainMap:HDRGainMapVersion" : "hdrgm:GainMapMax"
    #expect(parts[1].firstRange(of: Array(words.utf8)) != nil)
    let length = "Item:Semantic=\"GainMap\" Item:Length=\"\(parts[1].count)\""
    #expect(parts[0].firstRange(of: Array(length.utf8)) != nil)
  }

  @Test func `a damaged gain map does not affect the photo and is reported`() throws {
    let whole = try Self.photo()
    for count in stride(from: whole.count - 200, to: whole.count, by: 37) {
      let rendering = try Self.render(Array(whole[..<count]), [Rotate90(turns: 1)])
      let hasMap = rendering.jpeg.firstRange(of: Array("MPF\0".utf8)) != nil
      #expect(rendering.losses.contains { $0.kind == "gainMap" } != hasMap)
      #expect(try ImageDecoders.decode(FileBytes(rendering.jpeg)).size.width == Self.size.height)
    }
  }

  @Test func `the gain map does not depend on the number of threads`() throws {
    let image = try ImageSource(FileBytes(Self.photo(orientation: .right)))
    let graph = try FilterGraph([Crop(x: 0.1, y: 0.2, width: 0.7, height: 0.6)])
    var options = RenderOptions()
    let files = try [1, 2, 5].map { threads in
      options.threads = threads
      return try Renderer.render(image, graph, options: options).jpeg
    }
    #expect(files[0] == files[1] && files[0] == files[2])
  }
}

/// Creates HDR photos like those of cameras.
enum HDRFile {
  /// A ramp that gets brighter to the right and to the bottom.
  static func ramp(_ size: PixelSize, channels: ChannelLayout) -> ImageBuffer {
    Charts.image(size.width, size.height, channels) { x, y, _ in
      30 + 130 * x / size.width + 70 * y / size.height
    }
  }

  static func distance(_ a: ImageBuffer, _ b: ImageBuffer) -> Int {
    guard a.size == b.size, a.bytes.count == b.bytes.count else { return .max }
    return zip(a.bytes, b.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 0
  }

  static func jpeg(_ image: ImageBuffer, _ segments: [JPEGSegment]) throws -> [UInt8] {
    try JPEGs.encode(
      image, luma: .standardLuma(quality: 97), chroma: .standardChroma(quality: 97),
      sampling: .s444, segments: segments
    ).array
  }

  static func exif(_ orientation: Orientation) -> JPEGSegment {
    let entry: [UInt8] = [1, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation.rawValue), 0, 0]
    let tiff: [UInt8] = Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1] + entry + [0, 0, 0, 0]
    return JPEGSegment(marker: 0xE1, payload: Array("Exif\0\0".utf8) + tiff)
  }

  private static func xmp(_ content: String) -> JPEGSegment {
    let text = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\(content)</rdf:RDF></x:xmpmeta>
      """
    return JPEGSegment(
      marker: 0xE1, payload: Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(text.utf8))
  }

  static func primaryXMP(gainMapByteCount: Int) -> JPEGSegment {
    xmp(
      """
      <rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" \
      xmlns:Container="http://ns.google.com/photos/1.0/container/" \
      xmlns:Item="http://ns.google.com/photos/1.0/container/item/" hdrgm:Version="1.0">\
      <Container:Directory><rdf:Seq>\
      <rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary" \
      Item:Mime="image/jpeg"/></rdf:li>\
      <rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="GainMap" \
      Item:Mime="image/jpeg" Item:Length="\(gainMapByteCount)"/></rdf:li>\
      </rdf:Seq></Container:Directory></rdf:Description>
      """)
  }

  static func gainMapXMP(_ isApple: Bool) -> JPEGSegment {
    xmp(
      isApple
        ? """
        <rdf:Description xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/" \
        HDRGainMap:HDRGainMapVersion="65536"/>
        """
        : """
        <rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" \
        hdrgm:Version="1.0" hdrgm:GainMapMax="2.3" hdrgm:HDRCapacityMax="2.3"/>
        """)
  }
}
