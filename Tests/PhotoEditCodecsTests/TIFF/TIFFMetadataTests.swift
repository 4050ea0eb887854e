// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

@Suite("Metadata of TIFF")
struct TIFFMetadataTests {
  typealias Fixture = TIFFTagFixture

  /// Only the profile header, which readers check.
  private static let profile: [UInt8] = {
    var bytes = [UInt8](repeating: 7, count: 200)
    bytes.store32(200, at: 0)
    bytes.replaceSubrange(16..<20, with: Array("GRAY".utf8))
    bytes.replaceSubrange(36..<40, with: Array("acsp".utf8))
    return bytes
  }()

  private func full(_ fixture: Fixture) -> [UInt8] {
    let packet = "<x:xmpmeta xmlns:x='adobe:ns:meta/'></x:xmpmeta>"
    return fixture.file(
      [
        fixture.text(270, "A caption"), fixture.text(271, "Maker"), fixture.text(272, "Model X"),
        fixture.short(274, 6), fixture.fraction(282, 300, 1), fixture.fraction(283, 300, 1),
        fixture.short(296, 2), fixture.text(305, "Program"), fixture.text(315, "Somebody"),
        fixture.bytes(700, Array(packet.utf8), type: 1),
        fixture.bytes(34_675, Self.profile), fixture.bytes(33_723, [0x1C, 2, 5, 0, 1, 65]),
      ],
      below: [
        (
          34_665,
          [
            fixture.fraction(0x829A, 1, 125), fixture.short(0x8827, 400),
            fixture.text(0x9003, "2020:01:02 03:04:05"), fixture.fraction(0x920A, 35, 1),
            fixture.bytes(0x927C, Array("Apple iOS\0 and so on".utf8)),
            fixture.text(0xA434, "Lens 35mm"),
          ]
        ),
        (34_853, [fixture.text(1, "N"), fixture.text(3, "E")]),
      ])
  }

  @Test(arguments: [false, true], [false, true])
  func `all metadata that describes the image is converted for a JPEG`(
    isBigEndian: Bool, isBigTIFF: Bool
  ) throws {
    let fixture = Fixture(isBigEndian: isBigEndian, isBigTIFF: isBigTIFF)
    let metadata = try ImageMetadata.read(FileBytes(full(fixture)))
    #expect(metadata.losses.isEmpty && metadata.notices.isEmpty, "\(metadata.losses)")
    #expect(metadata.orientation == .right)
    #expect(metadata.icc == Self.profile)
    #expect(metadata.segments.map(\.kind) == [.exif, .xmp, .icc, .photoshop])
    let exif = try #require(metadata.segments.first)
    let tiff = try #require(
      TIFFStructure(exif: Array(exif.payload.dropFirst(JPEGSegment.exifPrefixCount))))
    #expect(tiff.order == (isBigEndian ? .big : .little))
    let main = try #require(tiff.main)
    func text(_ tag: Int, _ directory: TIFFStructure.Directory?) -> String? {
      directory?.entry(tag).flatMap { tiff.text($0) }
    }
    #expect(text(270, main) == "A caption" && text(271, main) == "Maker")
    #expect(text(272, main) == "Model X" && text(305, main) == "Program")
    #expect(text(315, main) == "Somebody")
    #expect(main.entry(282).flatMap { tiff.fraction($0) } == 300)
    // Tags about the storage of the samples no longer apply.
    for tag in [256, 257, 258, 259, 262, 273, 277, 278, 279] { #expect(main.entry(tag) == nil) }
    #expect(main.entries.map(\.tag) == main.entries.map(\.tag).sorted())
    let below = try #require(tiff.directory(pointedToBy: ExifTag.exifDirectory, in: main))
    #expect(below.entry(0x829A).flatMap { tiff.fraction($0) } == 1.0 / 125)
    #expect(below.entry(0x8827).flatMap { tiff.integer($0) } == 400)
    #expect(text(0x9003, below) == "2020:01:02 03:04:05" && text(0xA434, below) == "Lens 35mm")
    let note = try #require(below.entry(0x927C)?.value)
    #expect(tiff.bytes[note].elementsEqual("Apple iOS\0 and so on".utf8))
    let gps = tiff.directory(pointedToBy: ExifTag.gpsDirectory, in: main)
    #expect(text(1, gps) == "N" && text(3, gps) == "E")
    let resources = try #require(metadata.segments.last?.payload)
    #expect(resources.firstOffset(of: Array("8BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, 6]) != nil)
  }

  @Test func `IPTC already present in the Photoshop resources is not repeated`() throws {
    let fixture = Fixture()
    let resources = Array("8BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, 2, 9, 9]
    let file = fixture.file([
      fixture.bytes(34_377, resources), fixture.bytes(33_723, [0x1C, 2, 5, 0, 1, 65]),
    ])
    let segment = try ImageMetadata.read(FileBytes(file)).segments.last
    #expect(segment?.payload == JPEGSegment.Signature.photoshop + resources)
  }

  @Test func `resources too large for one segment are divided without loss`() throws {
    let fixture = Fixture()
    var resources = Array("8BIM".utf8) + [4, 0, 0, 0]
    resources += [0, 1, 0x86, 0xA0] + [UInt8](repeating: 3, count: 100_000)
    let file = fixture.file([fixture.bytes(34_377, resources)])
    let metadata = try ImageMetadata.read(FileBytes(file))
    let pieces = metadata.segments.filter { $0.kind == .photoshop }.map(\.payload)
    #expect(pieces.count == 2)
    #expect(pieces.allSatisfy { $0.count <= JPEGSegment.maximumPayloadCount })
    #expect(Array(pieces.map { $0.dropFirst(14) }.joined()) == resources)
  }

  @Test func `a MakerNote with offsets from the file start is kept and reported`() throws {
    let fixture = Fixture()
    let file = fixture.file(below: [
      (34_665, [fixture.bytes(0x927C, Array("Panasonic\0\0\0 and so on".utf8))])
    ])
    let metadata = try ImageMetadata.read(FileBytes(file))
    #expect(metadata.losses.map(\.kind) == [.makerNote])
    let note = metadata.segments.first?.payload.firstOffset(of: Array("Panasonic".utf8))
    #expect(note != nil)
  }

  @Test func `a value too large for EXIF is omitted and reported, and the rest stays`()
    throws
  {
    let fixture = Fixture()
    let file = fixture.file(
      [fixture.text(270, "A caption")],
      below: [(34_665, [fixture.bytes(0x927C, [UInt8](repeating: 1, count: 70_000))])])
    let metadata = try ImageMetadata.read(FileBytes(file))
    #expect(metadata.losses.contains { $0.detail.contains("70000 bytes") && $0.kind == .makerNote })
    let exif = try #require(metadata.segments.first)
    #expect(exif.payload.count <= JPEGSegment.maximumPayloadCount)
    #expect(exif.payload.firstOffset(of: Array("A caption".utf8)) != nil)
  }

  @Test func `the maximum number of tags in a directory is reduced to fit`() throws {
    let fixture = Fixture()
    let tags = (1...60_000).filter { $0 != ExifTag.interoperabilityDirectory }
    let fields = tags.map { fixture.long($0, $0) }
    let file = FileBytes(fixture.file([fixture.text(270, "A caption")], below: [(34_665, fields)]))
    let metadata = try ImageMetadata.read(file)
    let exif = try #require(metadata.segments.first)
    #expect(exif.payload.count <= JPEGSegment.maximumPayloadCount)
    #expect(exif.payload.count > JPEGSegment.maximumPayloadCount - 12)
    // Of values of the same size the first ones are removed, and the caption as the largest of all.
    #expect(metadata.losses.first?.detail.contains("tag 270 (10 bytes)") == true)
    #expect(metadata.losses.dropFirst().first?.detail.contains("tag 1 (4 bytes)") == true)
  }

  @Test func `metadata that a JPEG cannot hold is reported`() throws {
    let fixture = Fixture()
    let file = fixture.file(
      [
        fixture.bytes(37_724, [1, 2, 3]), fixture.short(338, 0), fixture.short(277, 2),
        fixture.bytes(319, [UInt8](repeating: 1, count: 48), type: 5),
      ], next: [[fixture.short(256, 1)], [fixture.short(254, 1)], [fixture.short(254, 4)]])
    let losses = try ImageMetadata.read(FileBytes(file)).losses
    #expect(Set(losses.map(\.kind)) == [.frames, .channels, .colorTags, .unknownChunks])
    // A thumbnail and a mask are not pages.
    #expect(losses.contains { $0.detail.contains("2 pages") })
    #expect(losses.contains { $0.detail.contains("37724") })
  }

  @Test(arguments: [
    ([3127, 3290], 6400, false), ([3127, 3290], 7000, true), ([3457, 3585], 6400, true),
    ([], 6400, false), ([], 7000, true),
  ])
  func `the primaries of sRGB are no loss`(white: [Int], redX: Int, isLost: Bool) throws {
    let fixture = Fixture()
    func fractions(_ tag: Int, _ tops: [Int]) -> Fixture.Field {
      let bytes = tops.flatMap { fixture.number($0, 4) + fixture.number(10_000, 4) }
      return Fixture.Field(tag: tag, type: 5, count: tops.count, bytes: bytes)
    }
    let fields =
      (white.isEmpty ? [] : [fractions(318, white)])
      + [fractions(319, [redX, 3300, 3000, 6000, 1500, 600])]
    let losses = try ImageMetadata.read(FileBytes(fixture.file(fields))).losses
    #expect(losses.map(\.kind) == (isLost ? [.colorTags] : []))
  }

  @Test func `metadata over the limit is rejected`() {
    let fixture = Fixture()
    let file = FileBytes(fixture.file([fixture.bytes(700, [UInt8](repeating: 32, count: 5000))]))
    #expect(throws: MetadataError.tooManyBytes(limit: 4000)) {
      try ImageMetadata.read(file, limits: ImageLimits(maximumMetadataBytes: 4000))
    }
  }

  @Test func `circular or overlapping directories are read in bounded time`() throws {
    let fixture = Fixture()
    var circle = fixture.file()
    let count = circle.count
    // The link of the only directory is at its end.
    circle.store32(24, at: count - 4, .little)
    #expect(try ImageMetadata.read(FileBytes(circle)).losses.isEmpty)
    // Every offset is a directory with the maximum number of entries.
    var heap = Array("II*\0".utf8) + little(8, 4)
    while heap.count < 1 << 20 { heap += [255, 255, 0, 0] + little(heap.count + 14, 4) }
    #expect(throws: Never.self) { try ImageMetadata.read(FileBytes(heap)) }
  }
}
