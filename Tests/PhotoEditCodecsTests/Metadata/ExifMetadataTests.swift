// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage
import Testing

@Suite("EXIF in a rendering")
struct ExifMetadataTests {
  static let facts = RenderedImageProperties(
    size: PixelSize(width: 800, height: 600),
    // 2026-05-01 10:00:00 UTC
    modificationDate: .init(secondsSince1970: 1_777_629_600, utcOffset: 7200))

  private func rendered(_ tiff: [UInt8], facts: RenderedImageProperties = facts) throws -> [UInt8] {
    let metadata = try MetadataFixture.read([MetadataFixture.exif(tiff)])
    let segments = metadata.segments(forRendering: facts).segments
    return Array(try #require(segments.first { $0.kind == .exif }).payload.dropFirst(6))
  }

  @Test(arguments: Orientation.allCases, [true, false])
  func `every orientation is read and written as up`(
    orientation: Orientation, isBig: Bool
  ) throws {
    var fixture = ExifFixture(isBig: isBig, orientation: orientation.rawValue)
    let metadata = try MetadataFixture.read([MetadataFixture.exif(fixture.build())])
    #expect(metadata.orientation == orientation)
    #expect(metadata.notices.isEmpty && metadata.losses.isEmpty)
    let again = try MetadataFixture.read(metadata.segments(forRendering: Self.facts).segments)
    #expect(again.orientation == .up)
    #expect(again.notices.isEmpty)
  }

  @Test(arguments: [
    (type: 3, bytes: [0, 0] as [UInt8]), (3, [0, 9]), (3, [0xFF, 0xFF]), (2, Array("6\0".utf8)),
    (1, [6]), (3, []), (7, [0, 6]), (4, [0, 0, 1, 6]), (99, [0, 6]),
  ])
  func `an invalid orientation is read as up with a notice and repaired`(
    type: Int, bytes: [UInt8]
  ) throws {
    var fixture = ExifFixture()
    fixture.orientationField = .init(tag: 0x0112, type: type, bytes: bytes)
    let metadata = try MetadataFixture.read([
      MetadataFixture.exif(fixture.build()),
      MetadataFixture.xmp(MetadataFixture.packet(#"tiff:Orientation="6""#)),
    ])
    #expect(metadata.orientation == .up)
    #expect(metadata.notices.count == 1)
    let again = try MetadataFixture.read(metadata.segments(forRendering: Self.facts).segments)
    #expect(again.orientation == .up)
    #expect(again.notices.isEmpty, "the wrong value is repaired")
  }

  @Test(arguments: [true, false], [true, false])
  func `only values that the rendering changes are patched, and nothing moves`(
    isBig: Bool, usesLongSizes: Bool
  ) throws {
    for thumbnailPosition in ExifFixture.ThumbnailPosition.allCases {
      var fixture = ExifFixture(isBig: isBig)
      fixture.usesLongSizes = usesLongSizes
      fixture.thumbnail = thumbnailPosition
      let before = fixture.build()
      let after = try rendered(before)
      let truncated =
        thumbnailPosition == .tail ? fixture.thumbnailDirectory.lowerBound : before.count
      #expect(after.count == truncated)

      var allowed: Set<Int> = []
      func allow(_ start: Int?, _ count: Int) throws {
        let start = try #require(start)
        allowed.formUnion(start..<(start + count))
      }
      let sizes = usesLongSizes ? 4 : 2
      for tag in [0x0100, 0x0101, 0xA002, 0xA003] { try allow(fixture.positions[tag], sizes) }
      try allow(fixture.positions[0x0112], 2)
      try allow(fixture.positions[0x0131], fixture.software.utf8.count)
      try allow(fixture.positions[0x0132], 19)
      try allow(fixture.positions[0x9010], 6)
      try allow(fixture.positions[0x9290], 3)
      // The link of the first directory follows its nine entries.
      try allow(8 + 2 + 9 * 12, 4)
      allowed.formUnion(fixture.thumbnailDirectory)
      allowed.formUnion(fixture.image)
      let changed = (0..<truncated).filter { before[$0] != after[$0] }
      #expect(Set(changed).isSubset(of: allowed), "changed: \(changed)")

      #expect(after[fixture.makerNote] == before[fixture.makerNote])
      #expect(Array(after[fixture.external]) == ExifFixture.externalBytes)
      #expect(!contains(after, Array("thumbnail of everything".utf8)))
      if thumbnailPosition == .middle {
        #expect(after[fixture.thumbnailDirectory].allSatisfy { $0 == 0 })
        #expect(after[fixture.image].allSatisfy { $0 == 0 })
      }
    }
  }

  private func contains(_ bytes: [UInt8], _ text: [UInt8]) -> Bool {
    guard bytes.count >= text.count else { return false }
    return (0...(bytes.count - text.count)).contains {
      bytes[$0..<($0 + text.count)].elementsEqual(text)
    }
  }

  private func text(_ bytes: [UInt8], _ position: Int?, _ count: Int) throws -> String {
    let start = try #require(position)
    return String(decoding: bytes[start..<(start + count)], as: UTF8.self)
  }

  @Test func `size, date and program describe the rendering`() throws {
    var fixture = ExifFixture(isBig: false)
    let before = fixture.build()
    let after = try rendered(before)
    #expect(try text(after, fixture.positions[0x0132], 20) == "2026:05:01 12:00:00\0")
    #expect(try text(after, fixture.positions[0x9010], 7) == "+02:00\0")
    #expect(try text(after, fixture.positions[0x9290], 4) == "000\0")
    #expect(try text(after, fixture.positions[0x0131], 14) == "photoedit 0.1\0")
    #expect(try text(after, fixture.positions[0x9003], 20) == "2020:01:02 03:04:05\0")
    for (tag, value) in [(0x0100, 800), (0x0101, 600), (0xA002, 800), (0xA003, 600)] {
      let position = try #require(fixture.positions[tag])
      #expect(Array(after[position..<(position + 2)]) == fixture.short(value))
    }
  }

  @Test func `a side too large for SHORT is written as LONG`() throws {
    var fixture = ExifFixture()
    let before = fixture.build()
    let after = try rendered(
      before, facts: RenderedImageProperties(size: PixelSize(width: 70_000, height: 5)))
    let position = try #require(fixture.positions[0xA002])
    #expect(Array(after[(position - 6)..<(position + 4)]) == [0, 4, 0, 0, 0, 1, 0, 1, 0x11, 0x70])
  }

  @Test func `without a date all dates stay, and old texts keep their bytes`() throws {
    var fixture = ExifFixture()
    fixture.software = "16.1"
    let before = fixture.build()
    let after = try rendered(
      before, facts: RenderedImageProperties(size: PixelSize(width: 4032, height: 3024)))
    for tag in [0x0131, 0x0132, 0x9010, 0x9290] {
      let position = try #require(fixture.positions[tag])
      #expect(after[position..<(position + 4)] == before[position..<(position + 4)])
    }
  }

  @Test func `a date in an unusual format is replaced and its old bytes stay in place`() throws {
    var fixture = ExifFixture()
    fixture.modifyDate = "2020-01-02\0"
    let before = fixture.build()
    let after = try rendered(before)
    #expect(try text(after, fixture.positions[0x0132], 11) == "2020-01-02\0")
    #expect(try text(after, fixture.positions[0x9010], 7) == "+02:00\0")
    #expect(contains(after, Array("2026:05:01 12:00:00\0".utf8)))
  }

  @Test func `a text shared by two tags is not changed for one of them`() throws {
    var fixture = ExifFixture()
    var before = fixture.build()
    // ModifyDate, the seventh entry, is set to point at the text of DateTimeOriginal.
    let field = 8 + 2 + 6 * 12 + 8
    let original = try #require(fixture.positions[0x9003])
    before.replaceSubrange(field..<(field + 4), with: fixture.long(original))
    let after = try rendered(before)
    #expect(try text(after, original, 20) == "2020:01:02 03:04:05\0")
  }

  @Test(arguments: [8, 0x0112, 60_000, 0xFFFF_FFFF])
  func `an invalid or circular thumbnail link is removed`(target: Int) throws {
    var fixture = ExifFixture()
    fixture.thumbnail = .none
    var before = fixture.build()
    let link = 8 + 2 + 9 * 12
    before.replaceSubrange(link..<(link + 4), with: fixture.long(target))
    let after = try rendered(before)
    #expect(Array(after[link..<(link + 4)]) == [0, 0, 0, 0])
    #expect(after[fixture.makerNote] == before[fixture.makerNote])
    #expect(Array(after[fixture.external]) == ExifFixture.externalBytes)
  }

  @Test func `a thumbnail that overlaps the MakerNote does not overwrite it`() throws {
    var fixture = ExifFixture()
    fixture.thumbnail = .middle
    var before = fixture.build()
    // The last two entries of the thumbnail's directory are its offset and its size.
    let offset = fixture.thumbnailDirectory.lowerBound + 2 + 2 * 12 + 8
    before.replaceSubrange(offset..<(offset + 4), with: fixture.long(fixture.makerNote.lowerBound))
    before.replaceSubrange((offset + 12)..<(offset + 16), with: fixture.long(0xFFFF_FFFF))
    let after = try rendered(before)
    #expect(after[fixture.makerNote] == before[fixture.makerNote])
    #expect(!contains(after, Array("thumbnail of everything".utf8)))
  }

  @Test func `a structure that undoes its own patch is omitted and reported`() throws {
    var fixture = ExifFixture()
    // The type of the Orientation entry reads as the tag of an entry of the EXIF directory, whose
    // offset is that of the same entry: patching one breaks the other.
    fixture.orientationField = .init(tag: 0x0112, type: 0x0112, bytes: [0, 6])
    var tiff = fixture.build()
    let entry = 8 + 2 + 4 * 12
    let pointer = 8 + 2 + 7 * 12 + 8
    tiff.replaceSubrange(pointer..<(pointer + 4), with: fixture.long(entry))
    let metadata = try MetadataFixture.read([MetadataFixture.exif(tiff)])
    let (segments, losses) = metadata.segments(forRendering: Self.facts)
    #expect(losses.map(\.kind) == [.exif])
    #expect(segments.map(\.kind) == [.jfif])
  }

  @Test func `the first of several EXIF segments is used, and all are patched`() throws {
    var first = ExifFixture(orientation: 8)
    var second = ExifFixture(isBig: false, orientation: 3)
    let metadata = try MetadataFixture.read([
      MetadataFixture.exif(first.build()), MetadataFixture.exif(second.build()),
    ])
    #expect(metadata.orientation == .left)
    #expect(metadata.notices.count == 1)
    let segments = metadata.segments(forRendering: Self.facts).segments
    #expect(segments.map(\.kind) == [.exif, .exif])
    for segment in segments { #expect(try MetadataFixture.read([segment]).orientation == .up) }
  }

  @Test func `the summary contains camera, exposure and location`() throws {
    var fixture = ExifFixture()
    let metadata = try MetadataFixture.read([
      MetadataFixture.exif(fixture.build()),
      MetadataFixture.xmp(
        MetadataFixture.packet(
          #"xmp:Rating="4""#,
          "<dc:title><rdf:Alt><rdf:li xml:lang='x-default'>A &amp; B</rdf:li></rdf:Alt></dc:title>")
      ),
    ])
    let shown = metadata.summary.fields.map { "\($0.name): \($0.value)" }
    #expect(
      shown == [
        "Make: Maker", "Model: Model", "Lens: Lens 35mm", "Taken: 2020:01:02 03:04:05 +01:00",
        "Exposure: 1/125 s", "Aperture: f/1.8", "ISO: 200", "Location: -33.5, 151.25",
        "Title: A & B", "Rating: 4", "Software: Camera firmware 1.02",
      ])
  }

  @Test func `terminal control characters are removed from displayed text`() throws {
    var fixture = ExifFixture()
    fixture.software = "a\u{1B}[31mred\u{202E}\u{7}b"
    let summary = try MetadataFixture.read([MetadataFixture.exif(fixture.build())]).summary
    #expect(summary.software == "a [31mred b")
  }
}
