// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import Testing

@Suite("XMP in a rendering")
struct XMPMetadataTests {
  private func rendered(
    _ packet: String, _ facts: RenderedImageProperties = ExifMetadataTests.facts
  ) throws
    -> String?
  {
    let metadata = try MetadataFixture.read([MetadataFixture.xmp(packet)])
    let segments = metadata.segments(forRendering: facts).segments
    return segments.first { $0.kind == .xmp }.map {
      String(decoding: $0.payload.dropFirst(29), as: UTF8.self)
    }
  }

  @Test(arguments: [
    (#"tiff:Orientation="6""#, "", #"tiff:Orientation="1""#),
    ("tiff:Orientation = '6'", "", "tiff:Orientation = '1'"),
    ("tiff:Orientation\n=\n\"6\"", "", "tiff:Orientation\n=\n\"1\""),
    (#"tiff:Orientation="&#54;""#, "", #"tiff:Orientation="1"    "#),
    (#"tiff:Orientation="&#x36;""#, "", #"tiff:Orientation="1""#),
    ("", "<tiff:Orientation>6</tiff:Orientation>", "<tiff:Orientation>1</tiff:Orientation>"),
    ("", "<tiff:Orientation >6</tiff:Orientation >", "<tiff:Orientation >1</tiff:Orientation >"),
    ("", "<tiff:Orientation>\n6 </tiff:Orientation>", "<tiff:Orientation>1</tiff:Orientation>  "),
    ("", "<tiff:Orientation><![CDATA[6]]></tiff:Orientation>", "<tiff:Orientation>1</tiff:"),
    ("", "<!-- <a> --><tiff:Orientation>6</tiff:Orientation>", "--><tiff:Orientation>1</tiff:"),
    (#"xmlns:t="http://ns.adobe.com/tiff/1.0/" t:Orientation="6""#, "", #"t:Orientation="1""#),
    (#"t:Orientation="6" xmlns:t="http://ns.adobe.com/tiff/1.0/""#, "", #"t:Orientation="1""#),
    (
      "", "<Orientation xmlns='http://ns.adobe.com/tiff/1.0/'>6</Orientation>",
      "<Orientation xmlns='http://ns.adobe.com/tiff/1.0/'>1</Orientation>"
    ),
  ])
  func `every notation of the orientation is read and patched`(
    attributes: String, elements: String, expected: String
  ) throws {
    let packet = MetadataFixture.packet(attributes, elements)
    let metadata = try MetadataFixture.read([MetadataFixture.xmp(packet)])
    #expect(metadata.orientation == .right)
    let result = try #require(try rendered(packet))
    #expect(result.contains(expected))
    #expect(result.utf8.count == packet.utf8.count)
    #expect(try MetadataFixture.read([MetadataFixture.xmp(result)]).orientation == .up)
  }

  @Test func `an undeclared prefix has its usual namespace`() throws {
    let packet =
      "<rdf:RDF><rdf:Description tiff:Orientation='8' other:Orientation='7'/></rdf:RDF>"
    #expect(try MetadataFixture.read([MetadataFixture.xmp(packet)]).orientation == .left)
    #expect(
      try rendered(packet)
        == "<rdf:RDF><rdf:Description tiff:Orientation='1' other:Orientation='7'/></rdf:RDF>")
  }

  @Test func `properties of other images and other namespaces keep their values`() throws {
    let packet = MetadataFixture.packet(
      #"xmlns="http://ns.adobe.com/tiff/1.0/" Orientation="6" xmlns:t="urn:t" t:Orientation="6""#,
      """
      <a:Pantry xmlns:a="urn:a"><rdf:Bag><rdf:li><rdf:Description tiff:Orientation="6"/></rdf:li>\
      </rdf:Bag></a:Pantry><a:t xmlns:a="urn:a">tiff:Orientation="6"</a:t>
      """)
    #expect(try MetadataFixture.read([MetadataFixture.xmp(packet)]).orientation == .up)
    #expect(try rendered(packet) == packet)
  }

  @Test func `sizes and dates describe the rendering, and padding absorbs growth`() throws {
    let packet = MetadataFixture.packet(
      """
      exif:PixelXDimension="4032" tiff:ImageLength="3" xmp:ModifyDate="2010" \
      xmp:CreateDate="2010-01-01"
      """,
      "<exif:PixelYDimension>3024</exif:PixelYDimension><xmp:MetadataDate>2</xmp:MetadataDate>",
      padding: 100)
    let result = try #require(try rendered(packet))
    for expected in [
      #"exif:PixelXDimension="800"  tiff:ImageLength="600" "#,
      #"xmp:ModifyDate="2026-05-01T12:00:00+02:00" xmp:CreateDate="2010-01-01""#,
      "<exif:PixelYDimension>600</exif:PixelYDimension> ",
      "<xmp:MetadataDate>2026-05-01T12:00:00+02:00</xmp:MetadataDate>", #"<?xpacket end="w"?>"#,
    ] { #expect(result.contains(expected), "missing: \(expected)") }
    #expect(result.utf8.count == packet.utf8.count)
  }

  @Test(arguments: [0, 10, 60])
  func `a packet at the segment limit stays within it and keeps its orientation`(
    padding: Int
  ) throws {
    func packet(_ filling: Int) -> String {
      MetadataFixture.packet(
        #"tiff:Orientation="6" xmp:ModifyDate="2010""#,
        "<dc:source>\(String(repeating: "x", count: filling))</dc:source>", padding: padding)
    }
    let full = packet(65_533 - 29 - packet(0).utf8.count)
    #expect(full.utf8.count == 65_533 - 29)
    let result = try #require(try rendered(full))
    #expect(result.utf8.count <= 65_533 - 29)
    #expect(result.contains(#"tiff:Orientation="1""#))
    #expect(!result.contains(#"ModifyDate="2010""#))
    #expect(result.contains("2026-05-01T12:00:00+02:00") == (padding >= 21))
  }

  @Test func `references to a gain map, a video and a thumbnail are removed`() throws {
    let packet = MetadataFixture.packet(
      """
      xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" \
      xmlns:Container="http://ns.google.com/photos/1.0/container/" \
      xmlns:Item="http://ns.google.com/photos/1.0/container/item/" \
      xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" \
      hdrgm:Version="1.0" GCamera:MotionPhoto="1" GCamera:MotionPhotoVersion='1' \
      GCamera:BurstID="b"
      """,
      """
      <Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><Container:Item \
      Item:Semantic="GainMap" Item:Length="5"/></rdf:li></rdf:Seq></Container:Directory>\
      <xmp:Thumbnails><rdf:Alt><rdf:li>base64</rdf:li></rdf:Alt></xmp:Thumbnails>\
      <dc:title>kept</dc:title>
      """)
    let metadata = try MetadataFixture.read([MetadataFixture.xmp(packet)], trailer: [1, 2, 3])
    #expect(metadata.losses.map(\.kind) == [.gainMap, .motionPhoto])
    let result = try #require(try rendered(packet))
    for removed in [
      "hdrgm:Version", "MotionPhoto", "Container:Directory>", "GainMap", "base64", "Thumbnails",
    ] { #expect(!result.contains(removed), "still there: \(removed)") }
    #expect(result.contains(#"GCamera:BurstID="b""#))
    #expect(result.contains("<dc:title>kept</dc:title>"))
    #expect(result.utf8.count == packet.utf8.count)
    let again = try MetadataFixture.read([MetadataFixture.xmp(result)])
    #expect(again.losses.isEmpty && again.notices.isEmpty)
  }

  @Test func `a depth map is removed together with its declaration`() throws {
    let packet = MetadataFixture.packet(
      """
      xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/" GDepth:Near="1" \
      xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmpNote:HasExtendedXMP="00"
      """)
    let extended = MetadataFixture.app(1, "http://ns.adobe.com/xmp/extension/\0", [1, 2, 3])
    let metadata = try MetadataFixture.read([MetadataFixture.xmp(packet), extended])
    let (segments, losses) = metadata.segments(forRendering: ExifMetadataTests.facts)
    #expect(losses.map(\.kind) == [.depthMap])
    #expect(segments.map(\.kind) == [.jfif, .xmp])
    let result = String(decoding: segments[1].payload, as: UTF8.self)
    #expect(!result.contains("GDepth:Near") && !result.contains("HasExtendedXMP=\""))
  }

  @Test(arguments: [
    "<rdf:RDF><rdf:Description><a></b><tiff:Orientation>6</tiff:Orientation>",
    "<rdf:RDF><rdf:Description><tiff:Orientation>6",
    "<rdf:RDF <rdf:Description tiff:Orientation='6'/>",
    "<!DOCTYPE a [<!ENTITY b '6'>]><rdf:RDF><rdf:Description tiff:Orientation='&b;'/></rdf:RDF>",
    String(repeating: "<a>", count: 200) + "<tiff:Orientation>6",
    "<\0r\0d\0f",
  ])
  func `a packet that hides its orientation behind damage is omitted and reported`(
    packet: String
  ) throws {
    let metadata = try MetadataFixture.read([MetadataFixture.xmp(packet)])
    let (segments, losses) = metadata.segments(forRendering: ExifMetadataTests.facts)
    #expect(metadata.notices.count == 1)
    #expect(losses.map(\.kind) == [.xmp])
    #expect(!segments.contains { $0.kind == .xmp })
  }

  @Test func `a damaged packet without an orientation is kept unchanged`() throws {
    let packet = "<rdf:RDF><rdf:Description><dc:title>A</title>"
    #expect(try rendered(packet) == packet)
  }
}
