// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
import Testing

@testable import PhotoEditCodecs

@Suite("Photo metadata summary")
struct MetadataSummaryTests {
  private static func dataset(_ record: UInt8, _ number: UInt8, _ value: [UInt8]) -> [UInt8] {
    [0x1C, record, number, UInt8(value.count >> 8), UInt8(value.count & 255)] + value
  }

  /// A Photoshop segment with another resource before the IPTC record.
  ///
  /// - Parameter digest: The digest of the record as another program stored it; nil for none.
  private static func photoshop(_ datasets: [[UInt8]], digest: [UInt8]? = nil) -> JPEGSegment {
    let record = datasets.flatMap { $0 }
    let other: [UInt8] =
      Array("8BIM".utf8) + [0x03, 0xED, 3] + Array("abc".utf8) + [0, 0, 0, 2, 1, 2]
    let size = MetadataFixture.big32(record.count)
    let own: [UInt8] = Array("8BIM".utf8) + [0x04, 0x04, 0, 0] + size + record
    let padding: [UInt8] = record.count % 2 == 0 ? [] : [0]
    let stored = digest.map {
      padding + Array("8BIM".utf8) + [0x04, 0x25, 0, 0] + MetadataFixture.big32($0.count) + $0
    }
    return MetadataFixture.app(13, "Photoshop 3.0\0", other + own + (stored ?? []))
  }

  @Test func `IPTC contains title, caption, keywords, creator, location and rights`() throws {
    let segment = Self.photoshop([
      Self.dataset(1, 90, [0x1B, 0x25, 0x47]), Self.dataset(2, 5, Array("Café".utf8)),
      Self.dataset(2, 120, Array("At the sea".utf8)), Self.dataset(2, 25, Array("sea".utf8)),
      Self.dataset(2, 25, Array("summer".utf8)), Self.dataset(2, 80, Array("A. Maker".utf8)),
      Self.dataset(2, 90, Array("Lima".utf8)), Self.dataset(2, 101, Array("Perú".utf8)),
      Self.dataset(2, 116, Array("© A. Maker".utf8)),
    ])
    let summary = try MetadataFixture.read([segment]).summary
    #expect(summary.title == "Café" && summary.caption == "At the sea")
    #expect(summary.keywords == ["sea", "summer"])
    #expect(summary.creator == "A. Maker" && summary.copyright == "© A. Maker")
    #expect(summary.city == "Lima" && summary.country == "Perú")
  }

  @Test func `IPTC without a character set is Latin-1 unless it is valid UTF-8`() throws {
    let segment = Self.photoshop([Self.dataset(2, 5, [0x43, 0x61, 0x66, 0xE9])])
    #expect(try MetadataFixture.read([segment]).summary.title == "Café")
  }

  @Test func `XMP takes precedence over IPTC, and its lists are read completely`() throws {
    let packet = MetadataFixture.packet(
      "",
      """
      <dc:subject xmlns:dc="http://purl.org/dc/elements/1.1/"><rdf:Bag><rdf:li>sun &amp; sea</rdf:li>\
      <rdf:li xml:lang="en">two</rdf:li><rdf:li/></rdf:Bag></dc:subject>
      <dc:title xmlns:dc="http://purl.org/dc/elements/1.1/"><rdf:Alt>\
      <rdf:li xml:lang="x-default">theirs</rdf:li></rdf:Alt></dc:title>
      """)
    let segments = [
      MetadataFixture.xmp(packet),
      Self.photoshop([Self.dataset(2, 5, Array("ours".utf8)), Self.dataset(2, 25, [0x61])]),
    ]
    let summary = try MetadataFixture.read(segments).summary
    #expect(summary.title == "theirs")
    #expect(summary.keywords == ["sun & sea", "two"])
  }

  @Test func `IPTC that was changed after XMP takes precedence over it`() throws {
    let long = String(repeating: "long keyword ", count: 6)
    let packet = MetadataFixture.packet(
      "xmlns:photoshop=\"http://ns.adobe.com/photoshop/1.0/\" photoshop:City=\"Lima\"",
      """
      <dc:subject xmlns:dc="http://purl.org/dc/elements/1.1/"><rdf:Bag><rdf:li>removed</rdf:li>\
      <rdf:li>\(long)</rdf:li><rdf:li>Lisbon</rdf:li></rdf:Bag></dc:subject>
      <lr:hierarchicalSubject xmlns:lr="http://ns.adobe.com/lightroom/1.0/"><rdf:Bag>\
      <rdf:li>Places|removed</rdf:li><rdf:li>Places|Lisbon</rdf:li></rdf:Bag>\
      </lr:hierarchicalSubject>
      <dc:title xmlns:dc="http://purl.org/dc/elements/1.1/"><rdf:Alt>\
      <rdf:li xml:lang="x-default">theirs</rdf:li></rdf:Alt></dc:title>
      """)
    let datasets = [
      Self.dataset(2, 5, Array("ours".utf8)), Self.dataset(2, 25, Array("Lisbon".utf8)),
      Self.dataset(2, 25, Array(long.utf8.prefix(64))),
    ]
    let agreeing = MD5.digest(of: datasets.flatMap { $0 })
    for (digest, isNewer) in [(nil, false), (agreeing, false), (Array(agreeing.reversed()), true)]
      as [([UInt8]?, Bool)]
    {
      let metadata = try MetadataFixture.read([
        MetadataFixture.xmp(packet), Self.photoshop(datasets, digest: digest),
      ])
      let words = metadata.captureFacts(of: .jpeg).tags.keywords
      let kept = MetadataText.clean(long) ?? ""
      #expect(metadata.summary.title == (isNewer ? "ours" : "theirs"))
      #expect(metadata.summary.city == "Lima")
      #expect(
        metadata.summary.keywords
          == (isNewer ? ["Lisbon", kept] : ["removed", kept, "Lisbon"]))
      #expect(
        words == (isNewer ? ["Places/Lisbon", kept] : ["Places/Lisbon", "Places/removed", kept]))
    }
  }

  @Test func `IPTC completes the day that XMP states with its time`() throws {
    for (day, date) in [
      ("2020-05-01", "2020-05-01T10:11:12"), ("2020-05-02", "2020-05-02T00:00:00"),
    ] {
      let packet = MetadataFixture.packet(
        "xmlns:photoshop=\"http://ns.adobe.com/photoshop/1.0/\" photoshop:DateCreated=\"\(day)\"")
      let metadata = try MetadataFixture.read([
        MetadataFixture.xmp(packet),
        Self.photoshop([
          Self.dataset(2, 55, Array("20200501".utf8)), Self.dataset(2, 60, Array("101112".utf8)),
        ]),
      ])
      #expect(metadata.captureFacts(of: .jpeg).date?.localISO == date)
    }
  }

  @Test(arguments: [
    ("MicrosoftPhoto", "http://ns.microsoft.com/photo/1.0/", "LastKeywordXMP", ["a|b", "c"]),
    ("acdsee", "http://ns.acdsee.com/iptc/1.0/", "keywords", ["a|b", "c"]),
    ("mediapro", "http://ns.iview-multimedia.com/mediapro/1.0/", "CatalogSets", ["a/b", "c"]),
    (
      "expressionmedia", "http://ns.microsoft.com/expressionmedia/1.0/", "CatalogSets",
      ["a/b", "c"]
    ),
  ])
  func `keywords under the name of one program alone are read`(
    prefix: String, namespace: String, name: String, keywords: [String]
  ) throws {
    let packet = MetadataFixture.packet(
      "xmlns:\(prefix)=\"\(namespace)\"",
      "<\(prefix):\(name)><rdf:Bag><rdf:li>a|b</rdf:li><rdf:li>c</rdf:li></rdf:Bag></\(prefix):\(name)>"
    )
    let facts = try MetadataFixture.read([MetadataFixture.xmp(packet)]).captureFacts(of: .jpeg)
    #expect(facts.tags.keywords == keywords)
  }

  @Test func `a packet in UTF-16 is read`() throws {
    let packet = MetadataFixture.packet(
      "", "<dc:subject><rdf:Bag><rdf:li>Ł\u{F3}dź</rdf:li></rdf:Bag></dc:subject>")
    let units = Array(packet.utf16)
    for isBig in [false, true] {
      let bytes = units.flatMap { unit in
        isBig
          ? [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)]
          : [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
      }
      for mark: [UInt8] in [[], isBig ? [0xFE, 0xFF] : [0xFF, 0xFE]] {
        let payload = JPEGSegment.Signature.xmp + mark + bytes
        let segment = JPEGSegment(marker: 0xE1, payload: payload)
        #expect(try MetadataFixture.read([segment]).summary.keywords == ["Ł\u{F3}dź"])
      }
    }
  }

  @Test func `a damaged or truncated record yields the fields before the damage`() throws {
    let whole = Self.photoshop([
      Self.dataset(2, 5, Array("title".utf8)), Self.dataset(2, 120, Array("caption".utf8)),
    ])
    for count in 0...whole.payload.count {
      let truncated = JPEGSegment(marker: 0xED, payload: Array(whole.payload.prefix(count)))
      let summary = try MetadataFixture.read([truncated]).summary
      #expect(summary.title == nil || summary.title == "title")
    }
    for position in whole.payload.indices {
      var flipped = whole
      flipped.payload[position] ^= 0xFF
      _ = try MetadataFixture.read([flipped])
    }
  }
}
