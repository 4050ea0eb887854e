// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage
import Testing

@Suite("JPEG metadata segments")
struct JPEGMetadataTests {
  typealias Fixture = MetadataFixture
  private let facts = ExifMetadataTests.facts

  private let jfif = Fixture.app(0, "JFIF\0", [1, 2, 1, 0, 72, 0, 96, 1, 1, 9, 9, 9])
  private let comment = JPEGSegment(marker: 0xFE, payload: Array("hello".utf8))
  private let flashPix = Fixture.app(2, "FPXR\0", [1, 2, 3])
  private let unknown = Fixture.app(5, "Unknown", [0, 255, 0])

  @Test func `segments keep their order and unknown ones keep their bytes`() throws {
    let source = [
      unknown, Fixture.app(14, "Adobe", [0, 100, 0, 0, 0, 0, 1]), comment, jfif, flashPix,
      Fixture.app(0, "JFXX\0", [0x10, 1, 2, 3]), comment,
    ]
    let metadata = try Fixture.read(source)
    #expect(metadata.segments == source)
    let (segments, losses) = metadata.segments(forRendering: facts)
    let density = Fixture.app(0, "JFIF\0", [1, 2, 1, 0, 72, 0, 96, 0, 0])
    #expect(segments == [density, unknown, comment, flashPix, comment])
    #expect(losses.map(\.kind) == [.thumbnail], "JFIF thumbnails are not replaced")
  }

  @Test func `a file without JFIF gets one unless it has EXIF`() throws {
    var fixture = ExifFixture()
    let exif = Fixture.exif(fixture.build())
    #expect(ImageMetadata().segments(forRendering: facts).segments.map(\.kind) == [.jfif])
    #expect(try Fixture.read([exif]).segments(forRendering: facts).segments.map(\.kind) == [.exif])
  }

  @Test(arguments: [
    (Fixture.app(2, "MPF\0", [1, 2]), [], [MetadataLoss.Kind.multipleImages]),
    (Fixture.app(11, "JP\0\u{1}", Array("....jumbc2pa".utf8)), [], [.contentCredentials]),
    (Fixture.app(11, "JP\0\u{1}", Array("....jumb".utf8)), [], [.jumbf]),
    (Fixture.app(2, "urn:iso:std:iso:ts:21496:-1\0", [0, 0, 0, 0]), [], [.gainMap]),
    (Fixture.app(5, ""), Array("....ftypmp42".utf8), [.motionPhoto]),
    (Fixture.app(5, ""), Array("xMotionPhoto_DataxSEFT".utf8), [.motionPhoto]),
    (Fixture.app(5, ""), Array("xSEFT".utf8), [.trailingData]),
    (Fixture.app(5, ""), [0xFF, 0xD8, 0xFF], [.trailingData]),
    (Fixture.app(2, "MPF\0", [1, 2]), [0xFF, 0xD8, 0xFF], [.multipleImages]),
    (Fixture.app(5, ""), [0, 0, 0], []),
    (
      Fixture.app(5, ""), Array("urn:com:apple:photo:2020:aux:hdrgainmap".utf8),
      [.gainMap, .trailingData]
    ),
  ])
  func `metadata that a rendering cannot keep is reported as a loss`(
    segment: JPEGSegment, trailer: [UInt8], expected: [MetadataLoss.Kind]
  ) throws {
    let metadata = try Fixture.read([segment], trailer: trailer)
    #expect(metadata.losses.map(\.kind) == expected)
    let (segments, losses) = metadata.segments(forRendering: facts)
    #expect(losses == metadata.losses)
    #expect(segments.contains(segment) == (segment.marker == 0xE5))
  }

  @Test func `metadata between scans is reported as a loss`() throws {
    var bytes = Fixture.jpeg([])
    bytes.insert(contentsOf: [0xFF, 0xFE, 0, 3, 65], at: bytes.count - 2)
    let metadata = try ImageMetadata.read(jpeg: FileBytes(bytes))
    #expect(metadata.segments.isEmpty)
    #expect(metadata.losses.map(\.kind) == [.segmentsBetweenScans])
  }

  @Test func `stray bytes and fill bytes do not hide the following segments`() throws {
    var bytes = Fixture.jpeg([comment])
    bytes.insert(contentsOf: [0xFF, 0xFF], at: 2)
    #expect(try ImageMetadata.read(jpeg: FileBytes(bytes)).segments == [comment])
    bytes.insert(contentsOf: [7, 8, 0xFF, 0], at: 2)
    let metadata = try ImageMetadata.read(jpeg: FileBytes(bytes))
    #expect(metadata.segments == [comment])
    #expect(metadata.notices.count == 1)
  }

  @Test func `metadata over the limit is rejected`() throws {
    let bytes = FileBytes(Fixture.jpeg([comment, comment]))
    #expect(throws: MetadataError.tooManyBytes(limit: 9)) {
      try ImageMetadata.read(bytes, limits: ImageLimits(maximumMetadataBytes: 9))
    }
    #expect(
      try ImageMetadata.read(bytes, limits: ImageLimits(maximumMetadataBytes: 10)).segments.count
        == 2)
  }

  @Test func `more than a hundred thousand segments are rejected`() throws {
    let piece: [UInt8] = [0xFF, 0xFE, 0, 2]
    let most = FileBytes([0xFF, 0xD8] + [[UInt8]](repeating: piece, count: 100_000).joined())
    #expect(try ImageMetadata.read(most).segments.count == 100_000)
    let more = FileBytes([0xFF, 0xD8] + [[UInt8]](repeating: piece, count: 100_001).joined())
    #expect(throws: MetadataError.tooManySegments(limit: 100_000)) {
      try ImageMetadata.read(more)
    }
  }

  @Test(arguments: [[], [0xFF], [0xFF, 0xD8], Array("GIF89a".utf8)] as [[UInt8]])
  func `a file that is not an image has no metadata`(bytes: [UInt8]) throws {
    let metadata = try ImageMetadata.read(FileBytes(bytes))
    #expect(metadata.segments.isEmpty)
    #expect(metadata.notices.count == 1)
  }

  // MARK: ICC

  private func profile(_ pieces: [(UInt8, UInt8, ArraySlice<UInt8>)]) throws -> ImageMetadata {
    try Fixture.read(pieces.map { Fixture.iccPiece($0.0, $0.1, $0.2) })
  }

  @Test func `a profile is joined from its pieces by number`() throws {
    let bytes = Fixture.profile()
    for pieces in [
      [(UInt8(1), UInt8(1), bytes[...])], [(1, 2, bytes[..<200]), (2, 2, bytes[200...])],
      [(2, 2, bytes[200...]), (1, 2, bytes[..<200])],
    ] {
      let metadata = try profile(pieces)
      #expect(metadata.icc == bytes)
      #expect(metadata.iccColorSpace == "RGB ")
      #expect(metadata.iccDescription == "Tested")
      let carried = metadata.segments(forRendering: facts).segments.filter { $0.kind == .icc }
      #expect(carried == metadata.segments)
    }
  }

  @Test func `a damaged profile is ignored with a notice and kept unchanged`() throws {
    let bytes = Fixture.profile()
    var unsigned = bytes
    unsigned[36] = 0
    for pieces in [
      [(UInt8(1), UInt8(2), bytes[...])], [(1, 2, bytes[..<9]), (1, 2, bytes[9...])],
      [(0, 1, bytes[...])], [(1, 3, bytes[..<9]), (2, 2, bytes[9...])], [(1, 1, bytes[..<299])],
      [(1, 1, unsigned[...])], [(1, 0, bytes[...])], [(1, 1, [])],
    ] {
      let metadata = try profile(pieces)
      #expect(metadata.icc == nil && metadata.iccColorSpace == nil)
      #expect(metadata.notices.count == 1)
      let carried = metadata.segments(forRendering: facts).segments.filter { $0.kind == .icc }
      #expect(carried == metadata.segments)
    }
  }

  @Test(arguments: [
    ("RGB ", false, true, true), ("RGB ", true, true, false), ("RGB ", false, false, false),
    ("GRAY", true, true, true), ("GRAY", false, true, false), ("CMYK", false, true, false),
  ])
  func `a profile is kept only if it describes the rendering`(
    space: String, isGray: Bool, keepsColorProfile: Bool, isCarried: Bool
  ) throws {
    let metadata = try profile([(1, 1, Fixture.profile(space: space)[...])])
    let (segments, losses) = metadata.segments(
      forRendering: RenderedImageProperties(
        size: PixelSize(width: 1, height: 1), isGray: isGray, keepsColorProfile: keepsColorProfile))
    #expect(segments.contains { $0.kind == .icc } == isCarried)
    #expect(losses.map(\.kind) == (isCarried ? [] : [.colorProfile]))
  }

  // MARK: Photoshop

  private func resource(_ id: Int, _ data: [UInt8], name: String = "") -> [UInt8] {
    let named = [UInt8(name.utf8.count)] + name.utf8
    return Array("8BIM".utf8) + [UInt8(id >> 8), UInt8(id & 0xFF)] + named
      + (named.count % 2 == 0 ? [] : [0]) + Fixture.big32(data.count) + data
      + (data.count % 2 == 0 ? [] : [0])
  }

  @Test func `Photoshop thumbnails are removed, IPTC and other resources stay`() throws {
    let iptc = resource(1028, Array("iptc!".utf8), name: "odd")
    let thumbnail = resource(1036, [UInt8](repeating: 7, count: 31))
    let guide = resource(1032, [1, 2, 3, 4], name: "x")
    let stream = iptc + thumbnail + guide + resource(1033, [9])
    let header = "Photoshop 3.0\0"
    // The stream may be divided anywhere.
    for truncated in 1..<stream.count {
      let metadata = try Fixture.read([
        Fixture.app(13, header, Array(stream[..<truncated])), comment,
        Fixture.app(13, header, Array(stream[truncated...])),
      ])
      let carried = metadata.segments(forRendering: facts).segments.filter { $0.kind == .photoshop }
      #expect(carried.flatMap { $0.payload.dropFirst(14) } == iptc + guide)
      #expect(carried.allSatisfy { $0.payload.count > 14 })
    }
    let untouched = [Fixture.app(13, header, iptc), Fixture.app(13, header, Array("junk".utf8))]
    #expect(
      try Array(Fixture.read(untouched).segments(forRendering: facts).segments.dropFirst())
        == untouched)
  }

  @Test(arguments: [
    (0, 0, "1970:01:01 00:00:00"), (951_782_400, 0, "2000:02:29 00:00:00"),
    (4_107_542_399, 0, "2100:02:28 23:59:59"), (4_107_542_400, 0, "2100:03:01 00:00:00"),
    (-1, 0, "1969:12:31 23:59:59"), (0, -12_600, "1969:12:31 20:30:00"),
    (1_735_689_599, 3600, "2025:01:01 00:59:59"),
  ])
  func `a date is written in the calendar of its time zone`(
    seconds: Int, offset: Int, expected: String
  ) throws {
    var fixture = ExifFixture()
    let metadata = try Fixture.read([Fixture.exif(fixture.build())])
    let facts = RenderedImageProperties(
      size: PixelSize(width: 1, height: 1),
      modificationDate: .init(secondsSince1970: seconds, utcOffset: offset))
    let payload = metadata.segments(forRendering: facts).segments[0].payload
    let start = 6 + (try #require(fixture.positions[0x0132]))
    #expect(String(decoding: payload[start..<(start + 19)], as: UTF8.self) == expected)
  }
}
