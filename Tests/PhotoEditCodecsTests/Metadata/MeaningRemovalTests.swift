// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import Testing

@testable import PhotoEditCodecs

@Suite("People, devices and dates stripped by meaning, in any namespace")
struct MeaningRemovalTests {
  typealias Fixture = MetadataFixture

  private static let namespaces = """
    xmlns:m="http://example.org/any/" xmlns:lr="http://ns.adobe.com/lightroom/1.0/" \
    xmlns:digiKam="http://www.digikam.org/ns/1.0/" xmlns:acdsee="http://ns.acdsee.com/iptc/1.0/" \
    xmlns:MicrosoftPhoto="http://ns.microsoft.com/photo/1.0/" \
    xmlns:mediapro="http://ns.iview-multimedia.com/mediapro/1.0/" \
    xmlns:ext="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
    """

  private static func list(_ name: String, _ items: String...) -> String {
    "<\(name)><rdf:Bag>" + items.map { "<rdf:li>\($0)</rdf:li>" }.joined()
      + "</rdf:Bag></\(name)>"
  }

  private func rendered(
    _ segments: [JPEGSegment], _ strip: MetadataRemoval
  ) throws -> RenderedMetadata {
    var facts = ExifMetadataTests.facts
    facts.strip = strip
    return try Fixture.read(segments).rendered(facts)
  }

  private func has(_ text: String, _ segments: [JPEGSegment]) -> Bool {
    segments.contains { $0.payload.firstOffset(of: Array(text.utf8)) != nil }
  }

  static let packets: [(MetadataRemoval, String, String)] = [
    (.people, "", list("mediapro:People", "SECRET")),
    (.people, "", list("m:Personality", "SECRET")),
    (.people, "", list("m:person", "SECRET")),
    (.people, #"m:FaceName="SECRET""#, ""), (.people, #"m:PatientName="SECRET""#, ""),
    (.people, #"m:portraitOf="SECRET""#, ""), (.device, #"m:hostName="SECRET""#, ""),
    (.device, #"m:HdrPlusMakernote="SECRET""#, ""), (.device, #"m:DroneID="SECRET""#, ""),
    (.dates, #"m:LastModified="SECRET""#, ""), (.dates, #"m:created_on="SECRET""#, ""),
    (.dates, #"m:year="SECRET""#, ""),
    (
      .people, "",
      #"<m:Shown rdf:parseType="Resource"><m:PersonName>SECRET</m:PersonName></m:Shown>"#
    ),
    (.people, "", list("ext:AddlModelInfo", "SECRET")),
    (.people, "", list("lr:hierarchicalSubject", "KEPT|x", "People|SECRET")),
    (.people, "", list("digiKam:TagsList", "Personen/SECRET", "KEPT/x")),
    (.people, "", list("MicrosoftPhoto:LastKeywordXMP", "People/SECRET")),
    (.people, "", list("mediapro:CatalogSets", "People|SECRET")),
    (
      .people, "",
      #"<m:TagStructure><rdf:Bag><rdf:li rdf:parseType="Resource"><m:LabelName1>People"#
        + #"</m:LabelName1><m:SubLabels>"#
        + #"<rdf:Bag><rdf:li rdf:parseType="Resource"><m:LabelName2>SECRET</m:LabelName2></rdf:li>"#
        + "</rdf:Bag></m:SubLabels></rdf:li></rdf:Bag></m:TagStructure>"
    ),
    (
      .people,
      "acdsee:categories=\"&lt;Categories>&lt;Category Assigned='0'>People&lt;Category "
        + "Assigned='1'>SECRET&lt;/Category>&lt;/Category>&lt;/Categories>\"", ""
    ),
    (
      .people, "",
      list("ext:PersonInImage", "SECRET") + list("dc:subject", "KEPT", "secret", "SECRET")
    ),
    (.people, "", list("lr:hierarchicalSubject", "People|SECRET") + list("dc:subject", "SECRET")),
    (.people, "", list("lr:hierarchicalSubject", "KEPT|x", "Menschen|SECRET")),
    (.people, "", list("digiKam:TagsList", "Familie/SECRET", "Family/SECRET", "KEPT/x")),
    (.location, "", list("lr:hierarchicalSubject", "KEPT|x", "Places|Any|SECRET")),
    (.location, "", list("digiKam:TagsList", "Orte/SECRET", "KEPT/x")),
    (
      .location, "",
      list("lr:hierarchicalSubject", "Lieux|SECRET") + list("dc:subject", "KEPT", "SECRET")
    ),
    (
      .location, "",
      "<acdsee:keywords>&lt;Categories>&lt;Category Assigned=\"0\">Places&lt;Category "
        + "Assigned=\"1\">SECRET&lt;/Category>&lt;/Category>&lt;/Categories></acdsee:keywords>"
        + list("dc:subject", "KEPT", "SECRET")
    ),
    (.dates, "", "<ext:IptcLastEdited>SECRET</ext:IptcLastEdited>"),
    (
      .dates, "",
      "<m:Ads><rdf:Seq><rdf:li rdf:parseType=\"Resource\"><m:Created>SECRET</m:Created></rdf:li>"
        + "</rdf:Seq></m:Ads>"
    ),
    (.dates, #"digiKam:ImageHistory="SECRET""#, ""),
    (.device, #"m:device="SECRET""#, ""),
    (.device, #"MicrosoftPhoto:CameraSerialNumber="SECRET""#, ""),
    (.device, #"tiff:HostComputer="SECRET""#, ""),
    (.device, #"m:deviceUUID="SECRET""#, ""),
    (.device, #"m:CameraOwnerName="SECRET""#, ""),
    (.dates, #"MicrosoftPhoto:DateAcquired="SECRET""#, ""),
    (.dates, #"m:FirstPhotoDate="SECRET""#, ""),
    (.dates, #"m:UTCAtExposure="SECRET""#, ""),
    (.dates, #"m:TimeStamp="SECRET""#, ""),
    (.dates, "", #"<m:Step rdf:parseType="Resource"><m:when>SECRET</m:when></m:Step>"#),
  ]

  @Test(arguments: packets.indices)
  func `a property is removed for what it means`(index: Int) throws {
    let (strip, attributes, elements) = Self.packets[index]
    let title = "<dc:title><rdf:Alt><rdf:li>KEPT</rdf:li></rdf:Alt></dc:title>"
    let packet = Fixture.packet(Self.namespaces + " " + attributes, title + elements)
    let segments = [Fixture.xmp(packet)]
    #expect(has("SECRET", try rendered(segments, []).segments))
    let result = try rendered(segments, strip)
    #expect(!has("SECRET", result.segments) && !has("secret", result.segments))
    #expect(result.stripped.allSatisfy { $0.kind == strip.description })
    #expect(!result.stripped.isEmpty && result.losses.isEmpty)
    let kept = packet.ranges(of: "KEPT").count
    let after = String(decoding: try #require(result.segments.last).payload, as: UTF8.self)
    #expect(after.ranges(of: "KEPT").count == kept)
  }

  @Test(
    arguments: [
      (PropertyMeaning.people, "Interface"), (.people, "fontFace"), (.people, "ContactPerson"),
      (.people, "Model"), (.people, "SubjectArea"), (.device, "CopyrightOwnerName"),
      (.device, "Owner"), (.device, "LensModel"), (.device, "Series"), (.dates, "ExposureTime"),
      (.dates, "Update"), (.dates, "timeScale"), (.dates, "Lifetime"), (.dates, "Timecode"),
    ])
  func `other names have no such meaning`(meaning: PropertyMeaning, name: String) {
    #expect(!meaning.describes(name))
  }

  @Test func `a person's name is removed from the keywords of IPTC and Windows`() throws {
    var fixture = ExifFixture(isBig: false, thumbnail: .none)
    let keywords = "Dog;Zelda Quux;Sea\0".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    fixture.moreMain = [ExifFixture.Field(tag: 0x9C9E, type: 1, bytes: keywords)]
    let datasets = ["Dog", "Zelda Quux", "People/Other"].reduce(into: [UInt8]()) {
      $0 += [0x1C, 2, 25, 0, UInt8($1.utf8.count)] + $1.utf8
    }
    let head: [UInt8] = Array("8BIM".utf8) + [4, 4, 0, 0] + Fixture.big32(datasets.count)
    let padding: [UInt8] = datasets.count % 2 == 0 ? [] : [0]
    let result = try rendered(
      [
        Fixture.exif(fixture.build()),
        Fixture.xmp(
          Fixture.packet(Self.namespaces, Self.list("ext:PersonInImage", "Zelda Quux"))),
        Fixture.app(13, "Photoshop 3.0\0", head + datasets + padding),
      ], .people)
    #expect(!has("Zelda", result.segments) && !has("Other", result.segments))
    #expect(has("Dog", result.segments))
    let exif = try #require(result.segments.first { $0.kind == .exif }).payload
    let kept = "Dog;Sea\0\0".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    #expect(exif.firstOffset(of: kept) != nil)
    #expect(result.stripped.map(\.kind) == ["people", "people", "people"])
  }

  @Test func `a place is removed from the keywords of IPTC and Windows`() throws {
    var fixture = ExifFixture(isBig: false, thumbnail: .none)
    let keywords = "Dog;Places/Quuxton\0".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    fixture.moreMain = [ExifFixture.Field(tag: 0x9C9E, type: 1, bytes: keywords)]
    let datasets = ["Dog!", "Places|Quuxton"].reduce(into: [UInt8]()) {
      $0 += [0x1C, 2, 25, 0, UInt8($1.utf8.count)] + $1.utf8
    }
    let head: [UInt8] = Array("8BIM".utf8) + [4, 4, 0, 0] + Fixture.big32(datasets.count)
    let segments = [
      Fixture.exif(fixture.build()), Fixture.app(13, "Photoshop 3.0\0", head + datasets),
    ]
    let windows = "Quuxton".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let kept = try rendered(segments, .people)
    #expect(has("Quuxton", kept.segments) && kept.stripped.isEmpty)
    let result = try rendered(segments, .location)
    #expect(!has("Quuxton", result.segments) && has("Dog!", result.segments))
    let exif = try #require(result.segments.first { $0.kind == .exif }).payload
    #expect(exif.firstOffset(of: windows) == nil)
    #expect(result.stripped.allSatisfy { $0.kind == "location" })
    #expect(result.stripped.contains { $0.detail == "EXIF XPKeywords." })
    #expect(result.stripped.contains { $0.detail == "IPTC fields." })
  }

  @Test(
    arguments: [
      (.location, "exif:GPSLatitude: 48/1"), (.location, "GPSLongitude=11/1"),
      (.location, "note: x\ncity: y"), (.people, "Author: Me"), (.people, "author:Me"),
      (.dates, "Creation Time: 2019"), (.dates, "date:create: 2019-03-04"),
      (.dates, "exif:DateTime=2019"), (.device, "Software: x"), (.device, "Source: x"),
      (.device, "exif:MakerNote: 1, 2"), (.location, "Raw profile type iptc: 00ff"),
      (.people, "<x><rdf:RDF/></x>"),
    ] as [(MetadataRemoval, String)])
  func `a comment is removed for the names in it`(strip: MetadataRemoval, text: String) throws {
    let segments = [JPEGSegment(marker: 0xFE, payload: Array(text.utf8))]
    #expect(has(text, try rendered(segments, []).segments))
    let result = try rendered(segments, strip)
    #expect(result.segments.map(\.kind) == [.jfif] && result.losses.isEmpty)
    #expect(result.stripped.map(\.kind) == [strip.description])
  }

  @Test(
    arguments: ["Seen at noon", "Title: Place", "exif:ExposureTime: 1/100", "See https://x.org/"])
  func `a comment without such a name stays`(text: String) throws {
    let segments = [JPEGSegment(marker: 0xFE, payload: Array(text.utf8))]
    let result = try rendered(segments, [.location, .people, .device, .dates])
    #expect(has(text, result.segments) && result.stripped.isEmpty)
  }

  @Test(arguments: [MetadataRemoval.device, .dates])
  func `segments of unknown format are removed with devices and dates`(
    strip: MetadataRemoval
  ) throws {
    let result = try rendered([Fixture.app(6, "GoPro\0", Array("SECRET".utf8))], strip)
    #expect(!has("SECRET", result.segments))
    #expect(result.stripped.map(\.kind) == [strip.description])
  }
}
