// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

@Suite("Embedded previews and other metadata that an edit invalidates")
struct PreviewMetadataTests {
  typealias Fixture = MetadataFixture

  private static let secret = Array("THE UNCROPPED PICTURE".utf8)

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
      drone-dji:GpsLongtitude="+3.SECRET" drone-dji:RelativeAltitude="9.SECRET" dc:format="KEPT"
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
