// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

@Suite("Metadata stripped for sharing")
struct MetadataStripTests {
  typealias Fixture = MetadataFixture

  private static func iptc(_ fields: [(UInt8, UInt8, String)]) -> [UInt8] {
    var data: [UInt8] = []
    for (record, number, text) in fields {
      data += [0x1C, record, number, 0, UInt8(text.utf8.count)]
      data += Array(text.utf8)
    }
    let padding: [UInt8] = data.count % 2 == 0 ? [] : [0]
    let head: [UInt8] = Array("8BIM".utf8) + [4, 4, 0, 0]
    return head + Fixture.big32(data.count) + data + padding
  }

  private func source() throws -> ImageMetadata {
    var fixture = ExifFixture(thumbnail: .none)
    fixture.moreMain = [fixture.field(0x013C, text: "SECRET-HOST of mine\0")]
    fixture.moreExif = [
      fixture.field(0xA431, text: "SECRET-SERIAL\0"),
      fixture.field(0xA420, text: "SECRET-UNIQUE\0"),
    ]
    let packet = Fixture.packet(
      """
      exif:GPSLatitude="12,SECRET-PLACE" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \
      photoshop:City="SECRET-CITY" photoshop:DateCreated="SECRET-DATE" \
      xmlns:aux="http://ns.adobe.com/exif/1.0/aux/" aux:SerialNumber="SECRET-SERIAL" \
      xmp:CreateDate="SECRET-DATE" dc:identifier="KEPT"
      """,
      """
      <Iptc4xmpExt:LocationShown xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">\
      <rdf:Bag><rdf:li>SECRET-PLACE</rdf:li></rdf:Bag></Iptc4xmpExt:LocationShown>\
      <mwg-rs:Regions xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/" \
      rdf:parseType="Resource"><mwg-rs:RegionList><rdf:Bag><rdf:li mwg-rs:Name="SECRET-NAME"/>\
      </rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>
      """)
    let iptc = Self.iptc([
      (2, 5, "KEPT-TITLE"), (2, 90, "SECRET-CITY"), (2, 101, "SECRET-COUNTRY"),
      (2, 55, "SECRET-DATE"), (2, 120, "KEPT-CAPTION"),
    ])
    return try Fixture.read([
      Fixture.exif(fixture.build()), Fixture.xmp(packet),
      Fixture.app(13, "Photoshop 3.0\0", iptc), Fixture.iccPiece(1, 1, Fixture.profile()),
      JPEGSegment(marker: 0xFE, payload: Array("SECRET-COMMENT".utf8)),
      Fixture.app(5, "Unknown", Array("SECRET-UNKNOWN".utf8)),
    ])
  }

  private func has(_ text: String, _ segments: [JPEGSegment]) -> Bool {
    segments.contains { $0.payload.firstOffset(of: Array(text.utf8)) != nil }
  }

  @Test(
    arguments: [
      (MetadataRemoval.location, "location", ["SECRET-PLACE", "SECRET-CITY", "SECRET-COUNTRY"]),
      (.people, "people", ["SECRET-NAME"]),
      (
        .device, "device",
        [
          "SECRET-SERIAL", "SECRET-UNIQUE", "SECRET-HOST", "CAMERA MAKER NOTE",
          "bytes the note points at",
        ]
      ),
      (.dates, "dates", ["SECRET-DATE", "2020:01:02 03:04:05", "+01:00"]),
    ] as [(MetadataRemoval, String, [String])])
  func `stripped metadata is removed byte by byte and everything else stays`(
    strip: MetadataRemoval, name: String, words: [String]
  ) throws {
    let metadata = try source()
    for word in words { #expect(has(word, metadata.segments), "the fixture lacks \(word)") }
    var facts = RenderedImageProperties(size: PixelSize(width: 4032, height: 3024), software: "x")
    facts.strip = strip
    let result = metadata.rendered(facts)
    for word in words { #expect(!has(word, result.segments), "still there: \(word)") }
    let all = [
      "SECRET-PLACE", "SECRET-CITY", "SECRET-COUNTRY", "SECRET-NAME", "SECRET-SERIAL",
      "SECRET-UNIQUE", "SECRET-HOST", "CAMERA MAKER NOTE", "SECRET-DATE", "2020:01:02 03:04:05",
      "KEPT", "KEPT-TITLE", "KEPT-CAPTION", "Model", "Lens 35mm", "SECRET-COMMENT",
    ]
    for word in all where !words.contains(word) {
      #expect(has(word, result.segments), "lost with \(name): \(word)")
    }
    #expect(!result.stripped.isEmpty)
    #expect(result.stripped.allSatisfy { $0.kind == name })
    #expect(result.losses.isEmpty, "requested removal is not a loss")
    let again = try Fixture.read(result.segments)
    #expect(again.notices.isEmpty)
    #expect((again.summary.latitude == nil) == (strip == .location))
  }

  @Test func `stripping everything keeps the profile and the density`() throws {
    let metadata = try source()
    var facts = ExifMetadataTests.facts
    facts.strip = .all
    let result = metadata.rendered(facts)
    #expect(result.segments.map(\.kind) == [.jfif, .icc])
    #expect(!has("SECRET", result.segments))
    #expect(!result.stripped.isEmpty && result.losses.isEmpty)
  }

  @Test(arguments: [0x02BC, 0x83BB, 0x8649], [MetadataRemoval.location, .people, .device, .dates])
  func `XMP, IPTC and Photoshop resources inside EXIF are removed`(
    tag: Int, strip: MetadataRemoval
  ) throws {
    var fixture = ExifFixture(thumbnail: .none)
    fixture.moreMain = [
      ExifFixture.Field(tag: tag, type: 1, bytes: Array("SECRET in the first".utf8))
    ]
    fixture.moreExif = [
      ExifFixture.Field(tag: tag, type: 7, bytes: Array("SECRET in the second".utf8))
    ]
    let metadata = try Fixture.read([Fixture.exif(fixture.build())])
    var facts = ExifMetadataTests.facts
    facts.geometry = .identity
    #expect(has("SECRET", metadata.rendered(facts).segments))
    facts.strip = strip
    let result = metadata.rendered(facts)
    #expect(!has("SECRET", result.segments) && result.losses.isEmpty)
    #expect(result.stripped.allSatisfy { $0.kind == strip.description })
    #expect(result.stripped.contains { $0.detail.contains("inside EXIF") })
    facts.strip = []
    facts.geometry = .orientation(.down)
    let rotated = metadata.rendered(facts)
    #expect(!has("SECRET", rotated.segments))
    #expect(rotated.losses.map(\.kind) == [.exif])
  }

  @Test func `nothing is stripped by default`() throws {
    let result = try source().rendered(ExifMetadataTests.facts)
    #expect(result.stripped.isEmpty)
    #expect(has("SECRET-PLACE", result.segments))
  }

  @Test func `unreadable metadata is omitted if anything is to be stripped`() throws {
    let metadata = try Fixture.read([
      Fixture.exif(Array("no TIFF, SECRET".utf8)),
      Fixture.xmp("<rdf:RDF><rdf:Description><a></b> SECRET"),
      Fixture.app(13, "Photoshop 3.0\0", Array("SECRET".utf8)),
      Fixture.app(1, "http://ns.adobe.com/xmp/extension/\0", Array("SECRET".utf8)),
    ])
    var facts = ExifMetadataTests.facts
    #expect(has("SECRET", metadata.rendered(facts).segments))
    facts.strip = .location
    let result = metadata.rendered(facts)
    #expect(result.segments.map(\.kind) == [.jfif])
    #expect(result.stripped.count == 4)
  }

  @Test func `a location deep in a packet removes the entire packet`() throws {
    let packet = Fixture.packet(
      "",
      """
      <a:b xmlns:a="urn:a"><rdf:Description exif:GPSLatitude="SECRET"/></a:b>
      """)
    var facts = ExifMetadataTests.facts
    facts.strip = .location
    let result = try Fixture.read([Fixture.xmp(packet)]).rendered(facts)
    #expect(!has("SECRET", result.segments))
    #expect(result.stripped.map(\.kind) == ["location"])
  }

  @Test(
    arguments: [
      ("location", MetadataRemoval.location), ("location,people", [.location, .people]),
      ("all", .all), ("device,dates", [.device, .dates]),
    ] as [(String, MetadataRemoval)])
  func `names are parsed as written on the command line`(text: String, expected: MetadataRemoval) {
    #expect(MetadataRemoval(text) == expected)
  }

  @Test(arguments: ["", "location,", "Location", "gps", "all people"])
  func `unknown names are rejected`(text: String) { #expect(MetadataRemoval(text) == nil) }

  @Test func `hostile structures are stripped completely and in bounded time`() throws {
    var facts = ExifMetadataTests.facts
    facts.strip = [.location, .people, .device, .dates]
    // A directory full of pointers to itself as the GPS directory, and one full of MakerNotes.
    for tag: [UInt8] in [[0x88, 0x25], [0x92, 0x7C]] {
      let entry = tag + [0, 4, 0, 0, 0, 1, 0, 0, 0, 8]
      let tiff =
        [UInt8]("MM".utf8) + [0, 42, 0, 0, 0, 8, 0x14, 0]
        + [[UInt8]](repeating: entry, count: 5120).joined() + [0, 0, 0, 0]
      let metadata = try Fixture.read([Fixture.exif(tiff)])
      _ = metadata.rendered(facts)
    }
  }
}
