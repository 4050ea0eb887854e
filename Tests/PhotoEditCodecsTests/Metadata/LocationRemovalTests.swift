// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import Testing

@testable import PhotoEditCodecs

@Suite("Location stripping in all metadata")
struct LocationRemovalTests {
  typealias Fixture = MetadataFixture

  private static let secret = Array("SECRET".utf8)

  private func rendered(
    _ segments: [JPEGSegment], _ strip: MetadataRemoval = .location
  ) throws -> RenderedMetadata {
    var facts = ExifMetadataTests.facts
    facts.strip = strip
    return try Fixture.read(segments).rendered(facts)
  }

  private func holdsSecret(_ segments: [JPEGSegment]) -> Bool {
    segments.contains { $0.payload.firstOffset(of: Self.secret) != nil }
  }

  @Test(
    arguments: [
      "GPSLatitude", "gps_lat", "decimalLongitude", "Longtitude", "CountryCode", "cityName", "City",
      "LocationShown", "sublocation", "ProvinceState", "State", "GeodeticDatum", "geohash", "lat",
      "long", "alt", "AbsoluteAltitude", "verbatimCoordinates", "waterBody", "EarthPos", "locality",
    ])
  func `location names are recognized in any namespace`(name: String) {
    #expect(PropertyMeaning.location.describes(name))
  }

  @Test(
    arguments: [
      "ISOSpeedLatitudeyyy", "SubjectLocation", "CiAdrCity", "LicensorCountry", "Alt", "title",
      "SourceState", "PlacedXResolution", "Geometry", "GeologicalContextBed", "Longest", "Flat",
      "LateralChromaticAberration", "CameraElevationAngle", "AuthorsPosition", "Capacity",
    ])
  func `other names are not locations`(name: String) {
    #expect(!PropertyMeaning.location.describes(name))
  }

  static let packets: [(String, String, String)] = [
    ("Darwin Core", #"xmlns:d="http://rs.tdwg.org/dwc/terms/" d:decimalLatitude="SECRET""#, ""),
    (
      "a cell of a phone network",
      #"xmlns:c="http://developer.sonyericsson.com/cell/1.0/" c:cgi="SECRET""#, ""
    ),
    ("an unknown namespace", #"xmlns:m="http://example.org/" m:longitude="SECRET""#, ""),
    (
      "an element of an unknown namespace", #"xmlns:m="http://example.org/""#,
      "<m:GPSPosition>SECRET</m:GPSPosition>"
    ),
    (
      "a field of a structure", #"xmlns:m="http://example.org/""#,
      #"<m:Pose rdf:parseType="Resource"><m:Latitude>SECRET</m:Latitude></m:Pose>"#
    ),
    (
      "an attribute of a list", #"xmlns:m="http://example.org/""#,
      #"<m:Stops><rdf:Bag><rdf:li m:City="SECRET"/></rdf:Bag></m:Stops>"#
    ),
    ("EXIF", #"exif:GPSLatitude="SECRET""#, ""),
    ("the source of a photo", #"dc:coverage="SECRET""#, ""),
  ]

  @Test(arguments: packets.indices)
  func `a location in XMP is removed alone and reported`(index: Int) throws {
    let (name, attributes, elements) = Self.packets[index]
    let kept =
      "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">KEPT</rdf:li></rdf:Alt></dc:title>"
    let segments = [
      Fixture.xmp(Fixture.packet(attributes + #" xmp:Rating="4""#, kept + elements))
    ]
    #expect(holdsSecret(try rendered(segments, []).segments), "\(name): not in the fixture")
    let result = try rendered(segments)
    #expect(!holdsSecret(result.segments), "\(name)")
    #expect(result.stripped.map(\.kind) == ["location"], "\(name)")
    let packet = try #require(Fixture.read(result.segments).xmpPacket)
    for word in ["KEPT", #"xmp:Rating="4""#] {
      #expect(packet.firstOffset(of: Array(word.utf8)) != nil, "\(name): lost \(word)")
    }
  }

  @Test func `a location outside a property removes the entire packet`() throws {
    let packet = Fixture.packet("", "").replacing(
      "</rdf:RDF>", with: #"</rdf:RDF><m:x xmlns:m="urn:m" m:latitude="SECRET"/>"#)
    let result = try rendered([Fixture.xmp(packet)])
    #expect(!holdsSecret(result.segments))
    #expect(result.stripped.map(\.kind) == ["location"])
  }

  @Test func `contact addresses are not locations of the image`() throws {
    let packet = Fixture.packet(
      #"xmlns:c="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/""#,
      #"<c:CreatorContactInfo c:CiAdrCity="SECRET" c:CiAdrCtry="here"/>"#)
    let result = try rendered([Fixture.xmp(packet)])
    #expect(holdsSecret(result.segments) && result.stripped.isEmpty)
  }

  @Test func `unsupported segments are removed with locations and reported`() throws {
    let segments = [
      Fixture.app(1, "FLIR\0\u{1}", Self.secret), Fixture.app(6, "GoPro\0", Self.secret),
      Fixture.app(12, "Ducky", [0, 1, 0, 4, 0, 0, 0, 80]),
    ]
    let result = try rendered(segments)
    #expect(!holdsSecret(result.segments))
    #expect(result.segments.contains { $0.payload.starts(with: Array("Ducky".utf8)) })
    #expect(result.stripped.count == 2 && result.losses.isEmpty)
    for name in ["APP1 'FLIR'", "APP6 'GoPro'"] {
      #expect(result.stripped.contains { $0.kind == "location" && $0.detail.contains(name) })
    }
    #expect(holdsSecret(try rendered(segments, .people).segments))
  }

  @Test(
    arguments: [
      ("Panasonic", "Panasonic\0\0\0", 0x6D), ("SAMSUNG", "", 0x30), ("FLIR Systems AB", "any", 1),
      ("NIKON CORPORATION", "Nikon\0\u{2}\u{10}\0\0MM\0*\0\0\0\u{8}", 0x39),
    ])
  func `a maker note with location data is removed`(make: String, head: String, tag: Int) throws {
    func note(_ tag: Int) -> [UInt8] {
      Array(head.utf8) + [0, 1, 0, UInt8(tag), 0, 2, 0, 0, 0, 4] + Array("QQQQ".utf8)
        + [0, 0, 0, 0] + Self.secret
    }
    func segments(_ tag: Int) -> [JPEGSegment] {
      var fixture = ExifFixture(thumbnail: .none)
      fixture.omitted = [ExifTag.makerNote, ExifTag.make]
      fixture.moreMain = [fixture.field(ExifTag.make, text: make + "\0")]
      fixture.moreExif = [.init(tag: ExifTag.makerNote, type: 7, bytes: note(tag))]
      return [Fixture.exif(fixture.build())]
    }
    #expect(holdsSecret(try rendered(segments(tag), .people).segments))
    let result = try rendered(segments(tag))
    #expect(!holdsSecret(result.segments))
    #expect(result.stripped.contains { $0.detail.contains("MakerNote") })
    #expect(result.notices.isEmpty)
    if make.hasPrefix("FLIR") { return }
    // A note of the same maker without a location stays, and that is reported.
    let other = try rendered(segments(0x7F))
    #expect(holdsSecret(other.segments))
    #expect(other.notices.contains { $0.contains("MakerNote") })
  }

  @Test func `a map loses its georeference`() throws {
    var fixture = ExifFixture(thumbnail: .none)
    fixture.moreMain = [fixture.field(0x87B1, text: "SECRET projection\0")]
    let result = try rendered([Fixture.exif(fixture.build())])
    #expect(!holdsSecret(result.segments))
    #expect(
      result.stripped.contains { $0.kind == "location" && $0.detail.contains("1 EXIF entries") })
  }
}
