// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

@Suite("EXIF growth in a rendering")
struct ExifGrowthTests {
  typealias Fixture = MetadataFixture

  private func rendered(
    _ tiff: [UInt8], _ facts: RenderedImageProperties = ExifMetadataTests.facts
  ) throws -> TIFFStructure {
    let metadata = try Fixture.read([Fixture.exif(tiff)])
    let segments = metadata.segments(forRendering: facts).segments
    let payload = try #require(segments.first { $0.kind == .exif }).payload
    return try #require(TIFFStructure(exif: Array(payload.dropFirst(6))))
  }

  private func text(_ tiff: TIFFStructure, _ tag: Int) -> String? {
    let exif = tiff.directory(pointedToBy: ExifTag.exifDirectory, in: tiff.main)
    return [tiff.main, exif].compactMap { $0?.entry(tag) }.first.flatMap { tiff.text($0) }
  }

  private func number(_ tiff: TIFFStructure, _ tag: Int, at index: Int = 0) -> Int? {
    let exif = tiff.directory(pointedToBy: ExifTag.exifDirectory, in: tiff.main)
    return [tiff.main, exif].compactMap { $0?.entry(tag) }.first.flatMap {
      tiff.integer($0, at: index)
    }
  }

  @Test(arguments: [true, false])
  func `a program name longer than the camera's is appended to the structure`(isBig: Bool) throws {
    var fixture = ExifFixture(isBig: isBig, thumbnail: .none)
    fixture.software = "1"
    let before = fixture.build()
    let facts = RenderedImageProperties(size: PixelSize(width: 4032, height: 3024))
    let after = try rendered(before, facts)
    #expect(text(after, ExifTag.software) == "photoedit 0.1")
    let entry = try #require(after.main?.entry(ExifTag.software))
    #expect(try #require(entry.value).lowerBound >= before.count)
    // Except for the entry and the orientation, the old structure is unchanged.
    let orientation = try #require(fixture.positions[0x0112])
    let changed = before.indices.filter { before[$0] != after.bytes[$0] }
    let allowed = Set(entry.position..<(entry.position + 12)).union(orientation..<orientation + 2)
    #expect(Set(changed).isSubset(of: allowed))
  }

  @Test(arguments: [true, false])
  func `a missing date is added without moving the MakerNote and its data`(
    isBig: Bool
  ) throws {
    var fixture = ExifFixture(isBig: isBig)
    fixture.omitted = [0x0131, 0x0132, 0x9010, 0x9290]
    fixture.moreExif = [.init(tag: 0x9000, type: 7, bytes: Array("0231".utf8))]
    let before = fixture.build()
    let after = try rendered(before)
    #expect(text(after, ExifTag.modifyDate) == "2026:05:01 12:00:00")
    #expect(text(after, ExifTag.software) == "photoedit 0.1")
    #expect(text(after, ExifTag.offsetTime) == "+02:00")
    #expect(text(after, ExifTag.subSecTime) == nil, "the fraction of the second is unknown")
    #expect(text(after, ExifTag.dateTimeOriginal) == "2020:01:02 03:04:05")
    #expect(Array(after.bytes[fixture.makerNote]) == Array(before[fixture.makerNote]))
    #expect(Array(after.bytes[fixture.external]) == ExifFixture.externalBytes)
    let exif = after.directory(pointedToBy: ExifTag.exifDirectory, in: after.main)
    for directory in [after.main, exif] {
      let tags = try #require(directory).entries.map(\.tag)
      #expect(tags == tags.sorted())
    }
    let note = try #require(exif?.entry(0x927C)?.value)
    #expect(note == fixture.makerNote)
    let gps = after.directory(pointedToBy: ExifTag.gpsDirectory, in: after.main)
    #expect(gps?.entries.count == 4)
  }

  @Test func `an old EXIF version does not get newer tags`() throws {
    var fixture = ExifFixture()
    fixture.omitted = [0x9010]
    fixture.moreExif = [.init(tag: 0x9000, type: 7, bytes: Array("0220".utf8))]
    #expect(text(try rendered(fixture.build()), ExifTag.offsetTime) == nil)
  }

  @Test func `nothing is added without a date`() throws {
    var fixture = ExifFixture(thumbnail: .none)
    fixture.omitted = [0x0131, 0x0132]
    let before = fixture.build()
    let after = try rendered(before, RenderedImageProperties(size: PixelSize(width: 1, height: 1)))
    #expect(after.bytes.count == before.count)
    #expect(after.main?.entries.count == 7)
  }

  @Test func `a structure that fills its segment does not grow, and its dates stay consistent`()
    throws
  {
    var fixture = ExifFixture(thumbnail: .none)
    fixture.software = "1"
    fixture.modifyDate = "2020\0"
    let small = fixture.build()
    let full = small + [UInt8](repeating: 7, count: 65_533 - 6 - small.count)
    let after = try rendered(full)
    #expect(after.bytes.count == full.count)
    #expect(text(after, ExifTag.modifyDate) == "2020")
    #expect(text(after, ExifTag.offsetTime) == "+00:00")
    #expect(text(after, ExifTag.software) == "1")
  }

  // MARK: Color

  private static let sRGB = profile(.sRGB, .sRGB)
  private static let wide = profile(.displayP3, .sRGB)
  /// The primaries of sRGB with a power curve, which differs by several levels in the shadows.
  private static let power = profile(.sRGB, .gamma(2.2))

  private static func profile(
    _ primaries: ColorPrimaries, _ transfer: TransferFunction
  ) -> [UInt8]? {
    ICCProfile.matrix(primaries: primaries, transfer: transfer, description: "x")?.bytes
  }

  @Test(arguments: [
    (RenderedImageProperties.Colors.ofSource, nil as [UInt8]?, 1, 1),
    (.ofSource, nil, 0xFFFF, 0xFFFF),
    (.ofSource, sRGB, 1, 1), (.ofSource, sRGB, 0xFFFF, 0xFFFF), (.ofSource, sRGB, 2, 1),
    (.ofSource, wide, 1, 0xFFFF), (.ofSource, wide, 0xFFFF, 0xFFFF), (.ofSource, wide, 2, 2),
    (.ofSource, power, 1, 0xFFFF), (.ofSource, TestProfiles.camera.bytes, 1, 0xFFFF),
    (.sRGB, nil, 0xFFFF, 1), (.sRGB, nil, 2, 1), (.other, nil, 1, 0xFFFF),
  ])
  func `ColorSpace is sRGB for an sRGB rendering and changes only if it is wrong`(
    colors: RenderedImageProperties.Colors, profile: [UInt8]?, before: Int, after: Int
  ) throws {
    var fixture = ExifFixture()
    fixture.moreExif = [fixture.field(0xA001, short: before)]
    var segments = [
      Fixture.exif(fixture.build()),
      Fixture.xmp(Fixture.packet("exif:ColorSpace=\"\(before)\"", padding: 20)),
    ]
    if let profile { segments.append(Fixture.iccPiece(1, 1, profile)) }
    var facts = ExifMetadataTests.facts
    facts.colors = colors
    let result = try Fixture.read(segments).segments(forRendering: facts).segments
    let payload = try #require(result.first { $0.kind == .exif }).payload
    let tiff = try #require(TIFFStructure(exif: Array(payload.dropFirst(6))))
    #expect(number(tiff, ExifTag.colorSpace) == after)
    let packet = try #require(result.first { $0.kind == .xmp }).payload
    #expect(String(decoding: packet, as: UTF8.self).contains("exif:ColorSpace=\"\(after)\""))
  }

  @Test(arguments: [(RenderedImageProperties.Colors.sRGB, "R98"), (.ofSource, "R03")])
  func `the interoperability index follows a conversion to sRGB`(
    colors: RenderedImageProperties.Colors, expected: String
  ) throws {
    var fixture = ExifFixture(thumbnail: .none)
    fixture.moreExif = [
      fixture.field(0xA001, short: 0xFFFF), fixture.field(0xA005, long: 0),
    ]
    var tiff = fixture.build()
    let pointer = try #require(fixture.positions[0xA005])
    tiff.replaceSubrange(pointer..<(pointer + 4), with: fixture.long(tiff.count))
    tiff += fixture.short(1) + fixture.short(1) + fixture.short(2) + fixture.long(4)
    tiff += Array("R03\0".utf8) + fixture.long(0)
    var facts = RenderedImageProperties(size: PixelSize(width: 1, height: 1), software: "x")
    facts.colors = colors
    let after = try rendered(tiff, facts)
    let exif = after.directory(pointedToBy: ExifTag.exifDirectory, in: after.main)
    let index = after.directory(pointedToBy: ExifTag.interoperabilityDirectory, in: exif)
    #expect(index?.entry(1).flatMap { after.text($0) } == expected)
  }

  @Test func `chroma tags are those of the encoder, or of the source if its chroma was kept`()
    throws
  {
    var fixture = ExifFixture()
    fixture.moreMain = [
      .init(tag: 0x0212, type: 3, bytes: fixture.short(2) + fixture.short(1)),
      fixture.field(0x0213, short: 2),
    ]
    let before = fixture.build()
    var facts = ExifMetadataTests.facts
    var after = try rendered(before, facts)
    #expect([0, 1].map { number(after, 0x0212, at: $0) } == [2, 1])
    #expect(number(after, 0x0213) == 2)
    facts.sampling = .s420
    after = try rendered(before, facts)
    #expect([0, 1].map { number(after, 0x0212, at: $0) } == [2, 2])
    #expect(number(after, 0x0213) == 1)
  }

  // MARK: Thumbnail

  private static func thumbnail(_ width: Int, _ height: Int, isNoise: Bool = false) throws
    -> RenderedImageProperties.Thumbnail
  {
    var state: UInt32 = 1
    let pixels = (0..<(width * height * 3)).map { i -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return isNoise ? UInt8(state >> 24) : UInt8(i / 3 % width)
    }
    return try #require(
      RenderedImageProperties.Thumbnail(
        size: PixelSize(width: width, height: height), isGray: false, pixels: pixels))
  }

  private func image(_ tiff: TIFFStructure) throws -> [UInt8] {
    let directory = try #require(tiff.thumbnail)
    let start = try #require(
      directory.entry(ExifTag.thumbnailOffset).flatMap { tiff.integer($0) })
    let count = try #require(
      directory.entry(ExifTag.thumbnailByteCount).flatMap { tiff.integer($0) })
    return Array(tiff.bytes[start..<(start + count)])
  }

  @Test(arguments: ExifFixture.ThumbnailPosition.allCases, [true, false])
  func `the rendering gets a thumbnail if the source had one`(
    thumbnailPosition: ExifFixture.ThumbnailPosition, isBig: Bool
  ) throws {
    var fixture = ExifFixture(isBig: isBig)
    fixture.thumbnail = thumbnailPosition
    let before = fixture.build()
    var facts = ExifMetadataTests.facts
    facts.thumbnail = try Self.thumbnail(160, 107)
    let metadata = try Fixture.read([Fixture.exif(before)])
    #expect(metadata.hasThumbnail == (thumbnailPosition != .none))
    #expect(metadata.segments(forRendering: facts).losses.isEmpty)
    let after = try rendered(before, facts)
    #expect(Array(after.bytes[fixture.makerNote]) == Array(before[fixture.makerNote]))
    #expect(after.bytes.firstOffset(of: Array("thumbnail of everything".utf8)) == nil)
    guard thumbnailPosition != .none else {
      #expect(after.thumbnail == nil)
      return
    }
    let decoder = try ImageDecoders.open(FileBytes(try image(after)))
    #expect(decoder.header.size == PixelSize(width: 160, height: 107))
    #expect(after.thumbnail?.entry(ExifTag.orientation).flatMap { after.integer($0) } == 1)
    #expect(after.thumbnail?.entry(ExifTag.compression).flatMap { after.integer($0) } == 6)
  }

  @Test func `a thumbnail is recompressed until it fits, or else reported as a loss`() throws {
    var facts = ExifMetadataTests.facts
    facts.thumbnail = try Self.thumbnail(160, 160, isNoise: true)
    var fixture = ExifFixture()
    let small = fixture.build()
    let full = try image(try rendered(small, facts)).count
    var sizes: [Int] = []
    for space in [full + 400, full / 2, 900] {
      var fixture = ExifFixture()
      fixture.moreExif = [
        .init(tag: 0x9286, type: 7, bytes: [UInt8](repeating: 1, count: 64_800 - space))
      ]
      let metadata = try Fixture.read([Fixture.exif(fixture.build())])
      let result = metadata.segments(forRendering: facts)
      let payload = try #require(result.segments.first { $0.kind == .exif }).payload
      #expect(payload.count <= JPEGSegment.maximumPayloadCount)
      let tiff = try #require(TIFFStructure(exif: Array(payload.dropFirst(6))))
      sizes.append(tiff.thumbnail == nil ? 0 : try image(tiff).count)
      #expect(result.losses.map(\.kind) == (tiff.thumbnail == nil ? [.thumbnail] : []))
    }
    #expect(sizes[0] == full)
    #expect(sizes[1] > 0 && sizes[1] < full)
    #expect(sizes[2] == 0)
  }

  @Test func `the space of an old thumbnail in the middle is reused if it is large enough`()
    throws
  {
    var facts = ExifMetadataTests.facts
    facts.thumbnail = try Self.thumbnail(160, 120)
    for (filling, isReused) in [(0, false), (20_000, true)] {
      var fixture = ExifFixture()
      fixture.thumbnail = .middle
      fixture.thumbnailFilling = filling
      let before = fixture.build()
      let after = try rendered(before, facts)
      #expect((after.bytes.count == before.count) == isReused)
      #expect(try ImageDecoders.open(FileBytes(try image(after))).header.size.width == 160)
      #expect(Array(after.bytes[fixture.external]) == ExifFixture.externalBytes)
    }
  }

  @Test(arguments: [(0, 1), (161, 1), (1, 161)])
  func `a thumbnail of an invalid size is not written`(width: Int, height: Int) {
    let size = PixelSize(width: width, height: height)
    let pixels = [UInt8](repeating: 0, count: width * height)
    #expect(RenderedImageProperties.Thumbnail(size: size, isGray: true, pixels: pixels) == nil)
  }
}
