// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditCodecs

@Suite("XMP sidecar files")
struct SidecarMetadataTests {
  /// A packet around descriptions, as programs write it.
  private func packet(_ body: String) -> [UInt8] {
    Array(
      """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\(body)</rdf:RDF></x:xmpmeta>
      <?xpacket end="w"?>
      """.utf8)
  }

  @Test func `elements in several descriptions are read, as written by ExifTool`() throws {
    let metadata = try #require(
      SidecarMetadata(
        packet(
          """
          <rdf:Description rdf:about='' xmlns:dc='http://purl.org/dc/elements/1.1/'>
            <dc:title><rdf:Alt><rdf:li xml:lang='x-default'>At the lake</rdf:li></rdf:Alt></dc:title>
          </rdf:Description>
          <rdf:Description rdf:about='' xmlns:exif='http://ns.adobe.com/exif/1.0/'>
            <exif:DateTimeOriginal>2001-02-03T04:05:06+01:00</exif:DateTimeOriginal>
            <exif:GPSLatitude>33,30.5S</exif:GPSLatitude>
            <exif:GPSLongitude>70,15,36W</exif:GPSLongitude>
            <exif:GPSAltitude>3050/10</exif:GPSAltitude>
          </rdf:Description>
          <rdf:Description rdf:about='' xmlns:xmp='http://ns.adobe.com/xap/1.0/'>
            <xmp:Rating>5</xmp:Rating>
          </rdf:Description>
          """)))
    #expect(metadata[.title] == "At the lake" && metadata.isFavorite == true)
    #expect(metadata.date?.seconds == 981_169_506 && metadata.date?.offset == 3600)
    #expect(abs((metadata.latitude ?? 0) + 33.508333333) < 1e-8)
    #expect(abs((metadata.longitude ?? 0) + 70.26) < 1e-8)
    #expect(metadata.altitude == 305 && metadata.provenance == .packet)
  }

  @Test func `attributes with an EXIF date are read, as written by darktable`() throws {
    let metadata = try #require(
      SidecarMetadata(
        packet(
          """
          <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/"
            xmlns:xmp="http://ns.adobe.com/xap/1.0/" exif:DateTimeOriginal="2024:05:01 12:00:00.250"
            xmp:Rating="3" exif:GPSLatitude="48,51.502200N" exif:GPSLongitude="2,17.668860E"/>
          """)))
    #expect(metadata.date?.seconds == 1_714_564_800.25 && metadata.date?.hasOffset == false)
    #expect(abs((metadata.latitude ?? 0) - 48.85837) < 1e-9)
    #expect(metadata.isFavorite == nil)
  }

  @Test func `decimal degrees with a reference are read, as written by Apple Photos`() throws {
    let metadata = try #require(
      SidecarMetadata(
        packet(
          """
          <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/"
            xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/">
            <exif:GPSLongitude>122.0312</exif:GPSLongitude><exif:GPSLongitudeRef>W</exif:GPSLongitudeRef>
            <exif:GPSLatitude>37.3318</exif:GPSLatitude><exif:GPSLatitudeRef>N</exif:GPSLatitudeRef>
            <photoshop:DateCreated>2019-04-15T14:40:24-07:00</photoshop:DateCreated>
          </rdf:Description>
          """)))
    #expect(metadata.latitude == 37.3318 && metadata.longitude == -122.0312)
    #expect(metadata.date?.offset == -25_200)
  }

  @Test(arguments: [nil, "<rdf:Description rdf:about='' xmlns:a='urn:a' a:b='c'/>"])
  func `written metadata is read back and other properties are kept`(_ kept: String?) throws {
    var metadata = SidecarMetadata()
    metadata[.title] = "<\"Title\"> & 'more'"
    metadata[.caption] = "two\r\nlines\tand  blanks "
    metadata.date = CaptureDate(seconds: -2_208_988_800.0625)
    (metadata.latitude, metadata.longitude) = (-0.000_001_234, 179.999_999_99)
    metadata.altitude = -3.14159
    (metadata.isFavorite, metadata.isHidden) = (false, true)
    metadata.albums = [
      .init(path: ["A/B", "50% %2F"], position: 7), .init(path: [""], position: 0),
    ]
    metadata.provenance = .own
    let bytes = metadata.xmp(identifier: "X", keeping: kept.map { packet($0) })
    #expect(SidecarMetadata(bytes) == metadata)
    #expect(String(decoding: bytes, as: UTF8.self).contains("a:b='c'") == (kept != nil))
    // Overwriting leaves nothing of the previous values.
    var empty = SidecarMetadata()
    (empty.isFavorite, empty.isHidden, empty.provenance) = (false, false, .own)
    #expect(SidecarMetadata(empty.xmp(identifier: "X", keeping: bytes)) == empty)
  }

  @Test func `a changed location overrides the exact one of an export`() throws {
    var metadata = SidecarMetadata()
    (metadata.latitude, metadata.longitude) = (48.858370123, 2.29448)
    let text = String(decoding: metadata.xmp(identifier: "X"), as: UTF8.self)
    let moved = text.replacing("2,17.6688E", with: "3,30E")
    #expect(moved != text)
    #expect(SidecarMetadata(Array(moved.utf8))?.longitude == 3.5)
  }

  @Test(arguments: [
    -62_135_596_800, -2_203_891_200, -1, 0, 0.5, 951_782_400, 1_709_164_800.1234567, 4_102_444_800,
  ])
  func `a date is written the way it is read`(_ seconds: Double) {
    let written = CaptureDate(seconds: seconds).iso
    #expect(CaptureDate(iso: written)?.seconds == seconds, "\(written)")
  }

  @Test func `parsing hostile XMP terminates`() {
    let deep = String(repeating: "<a>", count: 100_000)
    for body in [deep, "<rdf:Description", String(repeating: "&#x10FFFF;", count: 100_000)] {
      _ = SidecarMetadata(packet(body))
    }
    #expect(
      SidecarMetadata([UInt8](repeating: 0x20, count: SidecarMetadata.maximumBytes + 1)) == nil)
    #expect(SidecarMetadata(Array("no packet".utf8)) == nil)
  }
}
