// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

@Suite("Embedded previews and other metadata that an edit invalidates")
struct PreviewMetadataTests {
  typealias Fixture = MetadataFixture

  private static let secret = Array("THE UNCROPPED PICTURE".utf8)

  /// The headers of a BMP image of 98 bytes.
  private static let bitmap: [UInt8] =
    [0x42, 0x4D, 98, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0]

  /// A JPEG by its markers, with text in place of its samples.
  private static let preview: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xDA, 0, 2] + secret + [UInt8](repeating: 7, count: 4000) + [0xFF, 0xD9]

  private static func rendered(
    _ segments: [JPEGSegment], _ change: (inout RenderedImageProperties) -> Void = { _ in }
  ) throws -> RenderedMetadata {
    var facts = RenderedImageProperties(size: PixelSize(width: 400, height: 300))
    change(&facts)
    return try Fixture.read(segments).rendered(facts)
  }

  private static func bytes(_ metadata: RenderedMetadata) -> [UInt8] {
    metadata.segments.flatMap(\.payload)
  }

  private static func exif(note: [UInt8]) -> JPEGSegment {
    var fixture = ExifFixture(thumbnail: .none)
    fixture.moreExif = [ExifFixture.Field(tag: 0xC000, type: 7, bytes: note)]
    return Fixture.exif(fixture.build())
  }

  @Test func `a preview inside EXIF is removed and reported if there is no new thumbnail`() throws {
    let segment = Self.exif(note: Array("NOTE".utf8) + Self.preview + Array("REST".utf8))
    #expect(try Fixture.read([segment]).hasPreviews)
    let result = try Self.rendered([segment])
    #expect(Self.bytes(result).firstRange(of: Self.secret) == nil)
    #expect(Self.bytes(result).firstRange(of: Array("REST".utf8)) != nil)
    #expect(result.losses.contains { $0.kind == .thumbnail })
  }

  @Test func `a preview is replaced in place by a thumbnail of the rendering`() throws {
    let segment = Self.exif(note: Array("NOTE".utf8) + Self.preview + Array("REST".utf8))
    let start = try #require(segment.payload.firstRange(of: Self.preview)).lowerBound
    let result = try Self.rendered([segment]) { facts in
      facts.thumbnail = .init(
        size: PixelSize(width: 16, height: 12), isGray: false,
        pixels: [UInt8](repeating: 90, count: 16 * 12 * 3))
    }
    let payload = try #require(result.segments.first { $0.kind == .exif }).payload
    #expect(payload.firstRange(of: Self.secret) == nil)
    #expect(payload[start..<(start + 3)].elementsEqual([0xFF, 0xD8, 0xFF]))
    #expect(payload.count == segment.payload.count)
    #expect(!result.losses.contains { $0.kind == .thumbnail })
  }

  @Test func `data that only starts like a JPEG is not a preview`() throws {
    let note: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDA, 0, 2] + Array("no end in sight".utf8)
    let result = try Self.rendered([Self.exif(note: note)])
    #expect(Self.bytes(result).firstRange(of: note) != nil)
    #expect(!result.losses.contains { $0.kind == .thumbnail })
  }

  @Test func `many JPEG starts are scanned in linear time`() {
    let starts = [[UInt8]](repeating: [0xFF, 0xD8, 0xFF, 0xDA, 0, 2], count: 200_000)
    let bytes = starts.flatMap { $0 }
    #expect(EmbeddedPreview.ranges(in: bytes).isEmpty)
  }

  /// A preview as cameras write it in a segment: it begins with a quantization table.
  private static let cameraPreview: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xDB, 0, 4, 1, 1] + preview.dropFirst(2)

  /// A segment of a camera maker; nothing is known about its content.
  private static func app(_ number: UInt8, _ bytes: some Sequence<UInt8>) -> JPEGSegment {
    JPEGSegment(marker: 0xE0 + number, payload: Array(bytes))
  }

  private static func photoshop(_ number: UInt16, _ data: [UInt8]) -> JPEGSegment {
    let head = Array("8BIM".utf8) + [UInt8(number >> 8), UInt8(number & 255), 0, 0]
    let padding: [UInt8] = data.count % 2 == 0 ? [] : [0]
    return Fixture.app(13, "Photoshop 3.0\0", head + Fixture.big32(data.count) + data + padding)
  }

  private static func iptc(_ record: UInt8, _ number: UInt8, _ data: [UInt8]) -> [UInt8] {
    [0x1C, record, number, UInt8(data.count >> 8), UInt8(data.count & 255)] + data
  }

  /// A TIFF structure with one entry, which has the offset of samples.
  private static func tiffPreview(entry tag: UInt8) -> [UInt8] {
    Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, tag, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0]
      + secret
  }

  private static let base64Beginning = Array("/9j/4AAQTHEWHOLE".utf8)

  /// The places in which files keep a copy of the whole image, by name.
  private static let copies: [(name: String, segments: [JPEGSegment])] = [
    ("APP2", [app(2, cameraPreview)]),
    ("APP2 after a name", [app(2, Array("BGTH".utf8) + cameraPreview)]),
    (
      "APP3 to APP5",
      [
        app(3, cameraPreview.prefix(1500)), app(4, cameraPreview.dropFirst(1500).prefix(1500)),
        app(5, cameraPreview.dropFirst(3000)),
      ]
    ),
    (
      "parts with headers",
      [
        app(2, Array("FPXR\0A".utf8) + cameraPreview.prefix(9)),
        app(2, Array("FPXR\0B".utf8) + cameraPreview.dropFirst(9)),
      ]
    ),
    ("a truncated one", [app(2, cameraPreview.prefix(900))]),
    ("two in a segment", [app(6, Array("TWO".utf8) + cameraPreview + cameraPreview)]),
    (
      "a PNG",
      [app(1, Array("FLIR\0".utf8) + [0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A] + secret)]
    ),
    ("a GIF", [app(9, Array("GIF89a".utf8) + secret)]),
    ("a BMP in two segments", [app(5, bitmap + [1]), app(5, secret)]),
    ("a BMP", [app(5, Array("name\0".utf8) + bitmap + secret)]),
    ("a WebP", [app(9, Array("RIFF\u{1}\0\0\0WEBPVP8 ".utf8) + secret)]),
    (
      "a WebP in two segments",
      [app(9, Array("RIFF\u{1}\0\0\0WEBPVP8L".utf8)), app(10, secret)]
    ),
    ("an AVIF", [app(9, [0, 0, 0, 16] + Array("ftypavif".utf8) + secret)]),
    ("a JPEG XL", [app(9, Array("JXL \r\n".utf8) + [0x87, 0x0A] + secret)]),
    ("a TIFF", [app(9, Array("NAME".utf8) + tiffPreview(entry: 0x11))]),
    ("a TIFF with tiles", [app(9, tiffPreview(entry: 0x44))]),
    (
      "a TIFF in two segments",
      [app(9, Array("II*\0".utf8) + [0, 1, 0, 0] + secret), app(9, secret)]
    ),
    (
      "a WebP in XMP",
      [
        Fixture.xmp(
          Fixture.packet("xmlns:a=\"urn:a\" a:p=\"UklGRh4AAABXRUJQVlA4TBEAAAAvTHEWHOLE\""))
      ]
    ),
    ("a comment", [JPEGSegment(marker: 0xFE, payload: cameraPreview)]),
    ("a resource of a plug-in", [photoshop(4000, cameraPreview)]),
    (
      "damaged resources",
      [
        Fixture.app(13, "Photoshop 3.0\0", Array("8BIX".utf8) + cameraPreview)
      ]
    ),
    (
      "IPTC 2:202",
      [
        photoshop(
          1028,
          iptc(2, 5, Array("KEPT".utf8)) + iptc(2, 200, [0, 11]) + iptc(2, 202, secret))
      ]
    ),
    ("IPTC 8:10", [photoshop(1028, iptc(8, 10, cameraPreview))]),
    ("damaged IPTC", [photoshop(1028, [0x1D] + cameraPreview)]),
    (
      "a property of XMP",
      [
        Fixture.xmp(
          Fixture.packet(
            "", "<a:p xmlns:a=\"urn:a\">\n\(String(decoding: base64Beginning, as: UTF8.self))</a:p>"
          ))
      ]
    ),
    (
      "an attribute of XMP",
      [
        Fixture.xmp(
          Fixture.packet(
            "xmlns:a=\"urn:a\" a:p=\"\(String(decoding: base64Beginning, as: UTF8.self))\""))
      ]
    ),
    (
      "the end of damaged XMP",
      [
        Fixture.xmp(
          Fixture.packet("", "<a></b>\(String(decoding: base64Beginning, as: UTF8.self))"))
      ]
    ),
    ("EXIF without a header", [Fixture.exif(Array("none".utf8) + cameraPreview)]),
    ("EXIF, truncated", [exif(note: Array("NOTE".utf8) + cameraPreview.prefix(900))]),
    ("EXIF, with another first byte", [exif(note: [1, 2, 0] + cameraPreview.dropFirst())]),
  ]

  @Test(arguments: copies.indices, [MetadataRemoval(), .people])
  func `no place keeps a copy of the whole image`(copy: Int, strip: MetadataRemoval) throws {
    let (name, segments) = Self.copies[copy]
    let result = try Self.rendered(segments) { $0.strip = strip }
    for trace in [
      Self.secret, [UInt8](repeating: 7, count: 100), Self.base64Beginning, Array("THEWHOLE".utf8),
    ] {
      #expect(Self.bytes(result).firstOffset(of: trace) == nil, "\(name)")
    }
    let isReported =
      result.losses.contains { [.thumbnail, .xmp, .exif].contains($0.kind) }
      || !result.stripped.isEmpty
    #expect(isReported, "\(name): \(result.losses)")
    if name == "IPTC 2:202" {
      #expect(Self.bytes(result).firstOffset(of: Array("KEPT".utf8)) != nil)
    }
  }

  @Test func `images of further directories of EXIF are erased`() throws {
    let long = { (value: Int) in Fixture.big32(value) }
    let entry = { (tag: UInt8, value: Int) in [1, tag, 0, 4] + long(1) + long(value) }
    // A directory with one strip, and the strip.
    let directory = { (at: Int) in
      [0, 2] + entry(0x11, at + 30) + entry(0x17, Self.secret.count) + long(0) + Self.secret
    }
    let size = 30 + Self.secret.count
    let subdirectory = 26
    let next = subdirectory + size
    let main: [UInt8] = [0, 1] + entry(0x4A, subdirectory) + long(next)
    // The second directory is empty, and the third has an image.
    let second: [UInt8] = [0, 0] + long(next + 6)
    let tiff =
      Array("MM\0*".utf8) + long(8) + main + directory(subdirectory) + second + directory(next + 6)
    let result = try Self.rendered([Fixture.exif(tiff)])
    #expect(Self.bytes(result).firstOffset(of: Self.secret) == nil)
    #expect(result.losses.map(\.kind) == [.thumbnail])
  }

  @Test func `segments of camera makers without an image stay`() throws {
    // A structure without samples.
    let tiff = Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 0, 0, 0, 0, 0]
    let segments = [
      Self.app(2, Array("DATA".utf8) + [0xFF, 0xD8, 0xFF, 0xDA, 0, 2]),
      Self.app(3, Array("A/9j/B".utf8)), Self.app(3, Array("Meta\0\0".utf8) + tiff),
      JPEGSegment(marker: 0xFE, payload: Array("text".utf8)),
    ]
    #expect(try Self.rendered(segments).segments.suffix(4) == segments)
  }

  @Test func `page thumbnails in XMP are removed`() throws {
    let packet = Fixture.packet(
      "", "<xmp:PageInfo><rdf:Seq><rdf:li>SECRET</rdf:li></rdf:Seq></xmp:PageInfo>")
    let result = try Self.rendered([Fixture.xmp(packet)])
    #expect(Self.bytes(result).firstRange(of: Array("SECRET".utf8)) == nil)
    #expect(result.losses.contains { $0.kind == .thumbnail })
  }

  @Test func `the subject area moves with the image`() throws {
    var fixture = ExifFixture(thumbnail: .none)
    fixture.moreExif = [
      ExifFixture.Field(
        tag: 0x9214, type: 3, bytes: [100, 75, 40, 20].flatMap { fixture.short($0) })
    ]
    let segment = Fixture.exif(fixture.build())
    let result = try Self.rendered([segment]) { facts in
      facts.size = PixelSize(width: 300, height: 400)
      facts.storedSize = PixelSize(width: 400, height: 300)
      facts.geometry = .orientation(.right)
    }
    let payload = try #require(result.segments.first { $0.kind == .exif }).payload
    let tiff = try #require(TIFFStructure(exif: Array(payload.dropFirst(6))))
    let exif = tiff.directory(pointedToBy: ExifTag.exifDirectory, in: tiff.main)
    let area = try #require(exif?.entry(0x9214))
    // A clockwise 90° rotation: x' = height − y, y' = x.
    #expect((0..<4).map { tiff.integer(area, at: $0) } == [225, 100, 20, 40])
  }

  @Test func `IPTC regions are removed only if pixels move`() throws {
    let packet = Fixture.packet(
      "",
      """
      <Iptc4xmpExt:ImageRegion xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">\
      <rdf:Bag><rdf:li>REGION</rdf:li></rdf:Bag></Iptc4xmpExt:ImageRegion>
      """)
    let words = Array("REGION".utf8)
    let stays = try Self.rendered([Fixture.xmp(packet)])
    #expect(Self.bytes(stays).firstRange(of: words) != nil)
    let moves = try Self.rendered([Fixture.xmp(packet)]) { $0.geometry = .orientation(.down) }
    #expect(Self.bytes(moves).firstRange(of: words) == nil)
    #expect(moves.losses.contains { $0.kind == .regions })
  }

  @Test func `stripping the location removes drone properties in any notation`() throws {
    let packet = Fixture.packet(
      """
      xmlns:drone-dji="http://www.dji.com/drone-dji/1.0/" drone-dji:GpsLatitude="+12.SECRET" \
      drone-dji:GpsLongtitude="+3.SECRET" drone-dji:RelativeAltitude="9.SECRET" dc:identifier="KEPT"
      """)
    let result = try Self.rendered([Fixture.xmp(packet)]) { $0.strip = .location }
    #expect(Self.bytes(result).firstRange(of: Array("SECRET".utf8)) == nil)
    #expect(Self.bytes(result).firstRange(of: Array("KEPT".utf8)) != nil)
    let other = Fixture.packet("xmlns:o=\"urn:other\" o:gpsLatitude=\"SECRET\"")
    let dropped = try Self.rendered([Fixture.xmp(other)]) { $0.strip = .location }
    #expect(Self.bytes(dropped).firstRange(of: Array("SECRET".utf8)) == nil)
    #expect(dropped.stripped.contains { $0.kind == "location" })
  }

  @Test func `a namespace declaration alone is not a depth map`() throws {
    let packet = "<x xmlns:GDepth=\"http://ns.google.com/photos/1.0/depthmap/\"/>"
    let segment = Fixture.app(
      1, "http://ns.adobe.com/xmp/extension/\0", Array(packet.utf8))
    #expect(try !Fixture.read([segment]).losses.contains { $0.kind == .depthMap })
  }
}
