// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage
import Testing

@Suite("Metadata of PNG files")
struct PNGMetadataTests {
  typealias Fixture = MetadataFixture
  private let facts = ExifMetadataTests.facts

  private func read(_ chunks: [(String, [UInt8])], limits: ImageLimits = ImageLimits()) throws
    -> ImageMetadata
  {
    try ImageMetadata.read(FileBytes(Fixture.png(chunks)), limits: limits)
  }

  @Test func `chunks become the equivalent segments`() throws {
    var fixture = ExifFixture()
    let tiff = fixture.build()
    let profile = Fixture.profile()
    let packet = Fixture.packet(#"tiff:Orientation="6""#)
    let metadata = try read([
      ("pHYs", Fixture.big32(11_811) + Fixture.big32(2835) + [1]),
      ("iCCP", Array("name\0\0".utf8) + Fixture.stored(profile)), ("eXIf", tiff),
      ("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + packet.utf8),
      ("tEXt", Array("Title\0caf".utf8) + [0xE9]),
      ("zTXt", Array("Author\0\0".utf8) + Fixture.stored(Array("me".utf8))),
      ("iTXt", Array("Note\0\u{1}\0de\0Notiz\0".utf8) + Fixture.stored(Array("\u{fc}".utf8))),
    ])
    #expect(
      metadata.segments == [
        Fixture.app(0, "JFIF\0", [1, 1, 1, 1, 44, 0, 72, 0, 0]), Fixture.iccPiece(1, 1, profile),
        Fixture.exif(tiff), Fixture.xmp(packet),
        JPEGSegment(marker: 0xFE, payload: Array("Title: caf\u{e9}".utf8)),
        JPEGSegment(marker: 0xFE, payload: Array("Author: me".utf8)),
        JPEGSegment(marker: 0xFE, payload: Array("Note: \u{fc}".utf8)),
      ])
    #expect(metadata.orientation == .right && metadata.icc == profile)
    #expect(metadata.losses.isEmpty && metadata.notices.isEmpty)
  }

  @Test func `texts describe the photo, unless XMP does`() throws {
    let texts: [(String, [UInt8])] = ["Title\0Harbor", "Description\0Two lines:\nboats"].map {
      ("tEXt", Array($0.utf8))
    }
    let tags = try read(texts).captureFacts(of: .png, texts: [.title, .caption]).tags
    #expect(tags[.title] == "Harbor" && tags[.caption] == "Two lines:\nboats")
    let packet = Fixture.packet(
      "", "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">Theirs</rdf:li></rdf:Alt></dc:title>")
    let both = try read(
      texts + [("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + packet.utf8)]
    ).captureFacts(of: .png, texts: [.title, .caption]).tags
    #expect(both[.title] == "Theirs" && both[.caption] == "Two lines:\nboats")
  }

  @Test(
    arguments: [
      ("Fri, 02 Jul 2021 03:04:05 +0200", "2021-07-02T03:04:05+02:00"),
      ("2021-07-02T03:04:05+02:00", "2021-07-02T03:04:05+02:00"),
      ("2021:07:02 03:04:05", "2021-07-02T03:04:05"), ("yesterday", nil),
      ("1970:01:01 00:00:00", nil),
    ] as [(String, String?)])
  func `the creation time dates an image without another date`(
    text: String, expected: String?
  ) throws {
    let chunks = ["Note\0Creation Time: 2001", "Creation Time\0\(text)"].map {
      ("tEXt", Array($0.utf8))
    }
    let facts = try read(chunks).captureFacts(of: .png)
    #expect(facts.date?.localISO == expected && facts.isDateOfFile == (expected != nil))
    var fixture = ExifFixture()
    let dated = try read(chunks + [("eXIf", fixture.build())]).captureFacts(of: .png)
    #expect(dated.date?.localISO.hasPrefix("2020-01-02") == true && !dated.isDateOfFile)
  }

  @Test func `a large profile is divided into numbered pieces`() throws {
    let profile = Fixture.profile(count: 150_000)
    let metadata = try read([("iCCP", Array("p\0\0".utf8) + Fixture.stored(profile))])
    #expect(metadata.segments.count == 3)
    #expect(metadata.segments.allSatisfy { $0.payload.count <= JPEGSegment.maximumPayloadCount })
    #expect(metadata.icc == profile)
  }

  @Test func `profiles written as text by ImageMagick are recognized`() throws {
    var fixture = ExifFixture()
    let exif = Fixture.exif(fixture.build())
    let digits = exif.payload.map { byte in
      let text = String(byte, radix: 16)
      return text.count == 1 ? "0\(text)" : text
    }.joined()
    let text = "Raw profile type exif\0\nexif\n    \(exif.payload.count)\n\(digits)\n"
    let metadata = try read([("tEXt", Array(text.utf8))])
    #expect(metadata.segments == [exif])
    #expect(metadata.orientation == .right)
  }

  @Test(arguments: [
    ("acTL", [0, 0, 0, 3, 0, 0, 0, 0], MetadataLoss.Kind.frames),
    ("caBX", [1, 2, 3], .contentCredentials), ("cICP", [9, 14, 1, 1], .colorTags),
    ("prVt", [1], .unknownChunks),
    ("tEXt", Array("no end of keyword".utf8), .damagedMetadata),
    ("iCCP", Array("name\0\0junk".utf8), .damagedMetadata),
    ("zTXt", Array("a\0\0".utf8) + [0x78, 0x01, 1, 5, 0], .damagedMetadata),
    ("iTXt", Array("a\0\0\0".utf8), .damagedMetadata),
    ("tEXt", Array("a\0".utf8) + [UInt8](repeating: 65, count: 65_531), .text),
  ])
  func `metadata that a JPEG cannot hold is reported as a loss`(
    type: String, body: [UInt8], expected: MetadataLoss.Kind
  ) throws {
    let metadata = try read([(type, body)])
    #expect(Set(metadata.losses.map(\.kind)) == [expected])
    #expect(metadata.segments.isEmpty)
  }

  @Test func `a chunk with a wrong checksum is ignored`() throws {
    var bytes = Fixture.png([("tEXt", Array("a\0b".utf8))])
    bytes[8 + 25 + 8] ^= 1
    let metadata = try ImageMetadata.read(png: FileBytes(bytes))
    #expect(metadata.losses.map(\.kind) == [.damagedMetadata])
    #expect(metadata.segments.isEmpty)
  }

  @Test func `bytes after the end and a missing end are reported`() throws {
    let bytes = Fixture.png([])
    let longer = try ImageMetadata.read(png: FileBytes(bytes + [1]))
    #expect(longer.losses.map(\.kind) == [.trailingData])
    let shorter = try ImageMetadata.read(png: FileBytes(Array(bytes.dropLast())))
    #expect(shorter.notices.count == 1)
  }

  @Test(arguments: ["iCCP", "zTXt", "iTXt"])
  func `a chunk that expands excessively is rejected`(type: String) throws {
    let head = type == "iTXt" ? "a\0\u{1}\0\0\0" : "a\0\0"
    // 2.6 MB from 16 KB: below the byte limit, above any plausible ratio.
    let bomb = Array(head.utf8) + Fixture.zeros(repeats: 10_000)
    let error = #expect(throws: MetadataError.self) { try read([(type, bomb)]) }
    guard case .decompressionBomb(type, _, let limit) = error else {
      Issue.record("wrong error: \(String(describing: error))")
      return
    }
    #expect(limit < 2_580_000)
    let small = Array(head.utf8) + Fixture.stored([UInt8](repeating: 65, count: 2000))
    #expect(throws: MetadataError.self) {
      try read([(type, small)], limits: ImageLimits(maximumMetadataBytes: 1999))
    }
  }

  @Test func `an EXIF chunk too large for a segment is read but not kept`() throws {
    var fixture = ExifFixture()
    fixture.thumbnail = .none
    let metadata = try read([("eXIf", fixture.build() + [UInt8](repeating: 1, count: 66_000))])
    #expect(metadata.orientation == .right)
    let (segments, losses) = metadata.segments(forRendering: facts)
    #expect(losses.map(\.kind) == [.oversizedSegment])
    #expect(segments.map(\.kind) == [.jfif])
  }
}
