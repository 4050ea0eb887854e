// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import Testing

@testable import PhotoEditCodecs

@Suite("XMP larger than one segment")
struct ExtendedXMPTests {
  typealias Fixture = MetadataFixture

  /// A PNG whose packet has `count` bytes in one property.
  private func metadata(_ count: Int) throws -> ImageMetadata {
    let packet = Fixture.packet(
      "tiff:Orientation=\"6\" xmlns:big=\"urn:big\"",
      "<dc:title>small</dc:title><big:data>\(String(repeating: "x", count: count))</big:data>")
    return try ImageMetadata.read(
      FileBytes(
        Fixture.png([("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + packet.utf8)])))
  }

  @Test(arguments: [65_000, 65_700, 200_000])
  func `a packet of another format is divided into extended XMP`(count: Int) throws {
    let source = try metadata(count)
    let (segments, losses) = source.segments(forRendering: ExifMetadataTests.facts)
    #expect(losses.isEmpty)
    #expect(segments.allSatisfy { $0.payload.count <= JPEGSegment.maximumPayloadCount })
    let again = try Fixture.read(segments)
    #expect(again.orientation == .up && again.notices.isEmpty)
    let pieces = again.segments.filter { $0.kind == .extendedXMP }.map(\.payload)
    #expect(pieces.isEmpty == (count == 65_000))
    guard !pieces.isEmpty else { return }
    let main = try #require(again.segments.first { $0.kind == .xmp })
    let packet = XMPPacket(payload: main.payload)
    let extended = try #require(ExtendedXMP.joining(pieces))
    #expect(packet.text(.xmpNote, "HasExtendedXMP") == extended.name)
    #expect(MD5.hexadecimal(of: extended.bytes) == extended.name)
    #expect(packet.text(.dublinCore, "title") == "small")
    #expect(XMPPacket(extended.bytes).scan.isWellFormed)
    let data = Array("<big:data>xxx".utf8)
    #expect(packet.bytes.firstOffset(of: data) == nil)
    #expect(extended.bytes.firstOffset(of: data) != nil)
    #expect(extended.bytes.firstOffset(of: Array("xmlns:big=\"urn:big\"".utf8)) != nil)
    // A packet that is already divided is kept byte for byte.
    let facts = RenderedImageProperties(size: ExifMetadataTests.facts.size)
    let carried = again.segments(forRendering: facts).segments
    #expect(carried.filter { $0.kind == .extendedXMP }.map(\.payload) == pieces)
  }

  @Test func `a change in the extended part renames it on both sides`() throws {
    let source = try metadata(100_000)
    let segments = source.segments(forRendering: ExifMetadataTests.facts).segments
    let packet = Fixture.packet(
      "exif:GPSLatitude=\"SECRET\"",
      "<dc:source>\(String(repeating: "y", count: 70_000))</dc:source>")
    let extended = ExtendedXMP(Array(packet.utf8))
    let main = try #require(segments.first { $0.kind == .xmp })
    let old = try #require(XMPPacket(payload: main.payload).text(.xmpNote, "HasExtendedXMP"))
    var text = String(decoding: main.payload.dropFirst(29), as: UTF8.self)
    let position = try #require(text.range(ofText: old))
    text.replaceSubrange(position, with: extended.name)
    let file = try Fixture.read(
      [Fixture.xmp(text)]
        + extended.payloads.map { JPEGSegment(marker: 0xE1, payload: $0) })
    var facts = RenderedImageProperties(size: PixelSize(width: 1, height: 1))
    facts.strip = .location
    let result = file.rendered(facts)
    let pieces = result.segments.filter { $0.kind == .extendedXMP }.map(\.payload)
    let changed = try #require(ExtendedXMP.joining(pieces))
    #expect(changed.name != extended.name)
    #expect(changed.bytes.firstOffset(of: Array("SECRET".utf8)) == nil)
    let first = try #require(result.segments.first { $0.kind == .xmp })
    #expect(XMPPacket(payload: first.payload).text(.xmpNote, "HasExtendedXMP") == changed.name)
  }

  /// A photo whose extended packet has 2,000 long keywords, and a title that the main one has too.
  private func photo(named name: String? = nil) throws -> [UInt8] {
    let words = (1...2000).map { "<rdf:li>word \($0) and more text to make it long</rdf:li>" }
    let packet = Fixture.packet(
      "dc:title=\"inner\"",
      "<dc:subject><rdf:Bag>\(words.joined())</rdf:Bag></dc:subject>"
        + "<dc:description>A caption</dc:description>")
    let extended = ExtendedXMP(Array(packet.utf8))
    let main = Fixture.packet(
      "dc:title=\"main\" xmlns:xmpNote=\"http://ns.adobe.com/xmp/note/\" "
        + "xmpNote:HasExtendedXMP=\"\(name ?? extended.name)\"")
    return Fixture.jpeg(
      [Fixture.xmp(main)] + extended.payloads.map { JPEGSegment(marker: 0xE1, payload: $0) })
  }

  @Test func `the extended packet is read after the main one`() throws {
    func tags(_ bytes: [UInt8]) throws -> PhotoTags {
      try ImageMetadata.read(jpeg: FileBytes(bytes)).captureFacts(
        of: .jpeg, texts: [.title, .caption]
      ).tags
    }
    let whole = try tags(photo())
    #expect(whole.keywords.count == KeywordPath.maximumCount)
    #expect(whole.keywords.contains("word 1 and more text to make it long"))
    #expect(whole[.title] == "main" && whole[.caption] == "A caption")
    let other = try tags(photo(named: String(repeating: "0", count: 32)))
    #expect(other.keywords.isEmpty && other[.caption] == nil && other[.title] == "main")
  }

  @Test func `a file whose extended packet contradicts a library is not written`() throws {
    var bytes = try photo()
    var metadata = SidecarMetadata()
    metadata.tags[.title] = "new"
    #expect(MetadataEmbedding.embed(metadata, at: 0, into: &bytes) == .impossible)
    #expect(try bytes == photo())
  }

  @Test func `extended pieces with wrong offsets are kept unchanged`() throws {
    var payloads = ExtendedXMP([UInt8](repeating: 0x20, count: 100_000)).payloads
    #expect(payloads.count == 2)
    #expect(ExtendedXMP.joining(payloads)?.bytes.count == 100_000)
    #expect(ExtendedXMP.joining([payloads[0]]) == nil)
    payloads[1].store32(7, at: 35 + 32 + 4)
    #expect(ExtendedXMP.joining(payloads) == nil)
    let segments = payloads.map { JPEGSegment(marker: 0xE1, payload: $0) }
    let carried = try Fixture.read(segments).segments(forRendering: ExifMetadataTests.facts)
    #expect(Array(carried.segments.dropFirst()) == segments)
  }
}

extension String {
  fileprivate func range(ofText text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
