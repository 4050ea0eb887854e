// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

@Suite(
  "Metadata of HEIC and AVIF",
  .enabled(if: CodedPicture.isPossible, "the program ffmpeg is not installed"))
struct HEIFMetadataTests {
  private static let plain = CodedPicture.Settings()

  /// A TIFF structure with only an orientation.
  private func exif(orientation: Int) -> [UInt8] {
    Array("MM\0*\0\0\0\u{8}".utf8) + [0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0]
      + [0, 0, 0, 0]
  }

  private func file(
    _ settings: CodedPicture.Settings = plain, properties: [[UInt8]] = [],
    items: [HEIFFile.Item] = []
  ) throws -> HEIFFile {
    var file = HEIFFile(try CodedPicture.make(settings), properties: properties)
    file.items += items
    file.references = items.map { ("cdsc", $0.identifier, [1]) }
    return file
  }

  private func read(_ file: HEIFFile) throws -> ImageMetadata {
    try ImageMetadata.read(FileBytes(file.bytes))
  }

  private func losses(_ file: HEIFFile) throws -> [MetadataLoss.Kind] {
    try read(file).losses.map(\.kind)
  }

  @Test(arguments: [0, 6, 40])
  func `EXIF is found at its offset`(offset: Int) throws {
    let gap = [UInt8](repeating: 7, count: offset)
    let item = HEIFFile.Item(
      2, "Exif", HEIFFile.number(offset, 4) + gap + exif(orientation: 1))
    let metadata = try read(try file(items: [item]))
    #expect(metadata.segments.map(\.kind) == [.exif])
    #expect(metadata.segments.first?.payload == Array("Exif\0\0".utf8) + exif(orientation: 1))
    #expect(metadata.notices.isEmpty && metadata.losses.isEmpty)
  }

  @Test(arguments: [0xFFFF_FFFF, 1000, 26])
  func `an EXIF offset outside the data is a loss`(offset: Int) throws {
    let item = HEIFFile.Item(2, "Exif", HEIFFile.number(offset, 4) + exif(orientation: 1))
    #expect(try losses(try file(items: [item])) == [.exif])
  }

  @Test func `EXIF does not rotate an image that its boxes already rotate`() throws {
    for orientation in 1...8 {
      for box in [[], [HEIFFile.box("irot", [3])]] {
        let item = HEIFFile.Item(
          2, "Exif", HEIFFile.number(0, 4) + exif(orientation: orientation))
        let metadata = try read(try file(properties: box, items: [item]))
        #expect(metadata.orientation == .up)
        // A camera states a clockwise 90° rotation twice: as irot 3 and as orientation 6.
        let agrees = orientation == 1 || (orientation == 6 && !box.isEmpty)
        #expect(metadata.notices.isEmpty == agrees, "\(orientation) \(metadata.notices)")
      }
    }
  }

  @Test func `an XMP packet is taken unchanged or decompressed`() throws {
    let packet = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'></x:xmpmeta>".utf8)
    var plain = HEIFFile.Item(2, "mime", packet)
    plain.contentType = "application/rdf+xml"
    // One stored zlib block and its checksum.
    let (low, high) = packet.reduce((1, 0)) { sums, byte in
      let low = (sums.0 + Int(byte)) % 65_521
      return (low, (sums.1 + low) % 65_521)
    }
    let length = UInt8(packet.count)
    let header: [UInt8] = [0x78, 0x01, 1, length, 0, ~length, 0xFF]
    var folded = plain
    folded.data = header + packet + HEIFFile.number(high << 16 | low, 4)
    folded.contentEncoding = "deflate"
    for item in [plain, folded] {
      let metadata = try read(try file(items: [item]))
      #expect(metadata.segments.map(\.kind) == [.xmp])
      #expect(metadata.segments.first?.payload.suffix(packet.count).elementsEqual(packet) == true)
    }
    folded.data[9] ^= 1
    #expect(try losses(try file(items: [folded])) == [.damagedMetadata])
    plain.contentEncoding = "br"
    #expect(try losses(try file(items: [plain])) == [.xmp])
  }

  @Test func `the first of several items of a kind is used, even if it is damaged`() throws {
    var items = [
      HEIFFile.Item(2, "Exif", HEIFFile.number(1000, 4) + exif(orientation: 1)),
      HEIFFile.Item(3, "Exif", HEIFFile.number(0, 4) + exif(orientation: 1)),
      HEIFFile.Item(4, "mime", [1, 2, 3]),
      HEIFFile.Item(5, "mime", Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8)),
    ]
    for index in 2...3 { items[index].contentType = "application/rdf+xml" }
    items[2].contentEncoding = "deflate"
    let metadata = try read(try file(items: items))
    #expect(metadata.segments.isEmpty)
    #expect(metadata.losses.map(\.kind) == [.exif, .damagedMetadata])
  }

  @Test func `metadata of another image is not used`() throws {
    var other = try file(items: [
      HEIFFile.Item(3, "Exif", HEIFFile.number(0, 4) + exif(orientation: 1))
    ])
    other.items.append(HEIFFile.item(2, try CodedPicture.make(Self.plain)))
    other.references = [("cdsc", 3, [2]), ("thmb", 2, [1])]
    let metadata = try read(other)
    #expect(metadata.segments.isEmpty && metadata.losses.isEmpty)
  }

  @Test func `profiles of both kinds are kept byte for byte`() throws {
    let profile = try #require(ICCProfile.adobeRGB).bytes
    for kind in ["prof", "rICC"] {
      let box = HEIFFile.box("colr", Array(kind.utf8) + profile)
      #expect(try read(try file(properties: [box])).icc == profile)
    }
  }

  @Test func `a profile on the tiles of a grid only applies to the image`() throws {
    let profile = try #require(ICCProfile.adobeRGB).bytes
    let other = try #require(try ICCProfile.matrix(primariesCode: 9, transferCode: 13)).bytes
    func box(_ profile: [UInt8]) -> [UInt8] { HEIFFile.box("colr", Array("prof".utf8) + profile) }
    var tiles = try HEIFDecoderTests.grid()
    for index in 1...4 { tiles.items[index].properties.append(box(profile)) }
    #expect(try read(tiles).icc == profile)
    // The grid's own color box takes precedence, unless its codes leave the primaries open.
    var open = tiles
    open.items[0].properties.append(HEIFFile.color(2, 2, 6, isFullRange: true))
    #expect(try read(open).icc == profile)
    var numbers = tiles
    numbers.items[0].properties.append(HEIFFile.color(12, 13, 6, isFullRange: true))
    #expect(try read(numbers).iccDescription == "Display P3")
    tiles.items[0].properties.append(box(other))
    #expect(try read(tiles).icc == other)
  }

  @Test func `colors without a profile get one unless they are sRGB`() throws {
    for (numbers, name) in [
      ([12, 13], "Display P3"), ([9, 14], "Primaries 9, transfer 14 of H.273"),
      ([1, 8], "Primaries 1, transfer 8 of H.273"),
    ] {
      let box = HEIFFile.color(numbers[0], numbers[1], 6, isFullRange: true)
      #expect(try read(try file(properties: [box])).iccDescription == name)
      // Only the coded image may state it.
      for codec in ["hevc", "av1"] {
        let settings = Self.plain.with { ($0.codec, $0.color) = (codec, numbers + [6]) }
        #expect(try read(try file(settings)).iccDescription == name, "\(codec)")
      }
    }
    for numbers in [[1, 13], [1, 1], [2, 2], [1, 6]] {
      let box = HEIFFile.color(numbers[0], numbers[1], 6, isFullRange: true)
      #expect(try read(try file(properties: [box])).icc == nil)
    }
  }

  static let auxiliaries: [(String, MetadataLoss.Kind)] = [
    ("urn:com:apple:photo:2020:aux:hdrgainmap", .gainMap),
    ("urn:mpeg:hevc:2015:auxid:2", .depthMap),
    ("urn:mpeg:mpegB:cicp:systems:auxiliary:depth", .depthMap),
    ("urn:com:apple:photo:2018:aux:portraiteffectsmatte", .auxiliaryImages),
    ("urn:com:apple:photo:2019:aux:semanticskinmatte", .auxiliaryImages),
  ]

  @Test(arguments: auxiliaries)
  func `an auxiliary image is a loss`(type: String, kind: MetadataLoss.Kind) throws {
    var adjacent = try file()
    let matte = try CodedPicture.make(Self.plain.with { $0.chroma = nil })
    adjacent.items.append(HEIFFile.item(2, matte, properties: [HEIFFile.auxiliary(type)]))
    adjacent.references = [("auxl", 2, [1])]
    #expect(try losses(adjacent) == [kind])
    // It is not an alpha plane, and the image is unchanged.
    let alone = try ImageDecoders.decode(FileBytes(try file().bytes))
    #expect(try ImageDecoders.decode(FileBytes(adjacent.bytes)) == alone)
  }

  @Test func `an ISO 21496 gain map is a loss and not a second image`() throws {
    var mapped = try file()
    mapped.items.append(
      HEIFFile.item(2, try CodedPicture.make(Self.plain.with { $0.chroma = nil })))
    mapped.items.append(
      HEIFFile.Item(3, "tmap", [0, 0, 0], properties: [HEIFFile.size(32, 24)]))
    mapped.references = [("dimg", 3, [1, 2])]
    #expect(try losses(mapped) == [.gainMap])
  }

  @Test func `additional images are a loss, except tiles, thumbnails and hidden ones`() throws {
    let coded = try CodedPicture.make(Self.plain)
    var several = try file()
    several.items += (2...4).map { HEIFFile.item($0, coded) }
    several.items[3].isHidden = true
    several.references = [("thmb", 2, [1])]
    #expect(
      try read(several).losses.map(\.detail) == [
        "The file contains 2 images; only the primary image is kept."
      ])
    #expect(try losses(try HEIFDecoderTests.grid()).isEmpty)
  }

  @Test func `videos, sequences and credentials after the image are losses`() throws {
    var file = try file()
    let sizes = HEIFFile.fullBox("stsz", HEIFFile.number(0, 4) + HEIFFile.number(17, 4))
    let handler = HEIFFile.fullBox("hdlr", HEIFFile.number(0, 4) + Array("pict".utf8))
    let table = HEIFFile.box("minf", HEIFFile.box("stbl", sizes))
    let track = HEIFFile.box("trak", HEIFFile.box("mdia", handler + table))
    let identifier: [UInt8] = [
      0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4,
      0x81,
    ]
    file.trailer =
      HEIFFile.box("moov", track) + HEIFFile.box("mpvd", [1, 2, 3, 4])
      + HEIFFile.box("uuid", identifier + [0, 0]) + HEIFFile.box("jumb", [1, 2, 3])
    let metadata = try read(file)
    #expect(metadata.losses.map(\.kind) == [.frames, .motionPhoto, .contentCredentials, .jumbf])
    #expect(metadata.losses.first?.detail.contains("17 frames") == true)
    #expect(metadata.losses.contains { $0.detail.contains("(4 bytes)") })
  }

  @Test(arguments: ["mpvd", "sefd", "behind"])
  func `the video of a motion photo is found in every known layout`(layout: String) throws {
    let movie = MovieFile().bytes
    var file = try file()
    let body =
      layout == "sefd"
      ? [0, 0, 0x30, 0x0A, 16, 0, 0, 0] + Array("MotionPhoto_Data".utf8) + movie
        + Array("SEFH".utf8) + [UInt8](repeating: 1, count: 24) + Array("SEFT".utf8)
      : movie
    file.trailer = layout == "behind" ? body : HEIFFile.box(layout, body)
    let metadata = try read(file)
    let range = try #require(metadata.motionPhotoRange)
    #expect(Array(file.bytes[range]) == movie)
    // It is not an image sequence, although it has tracks.
    #expect(metadata.losses.map(\.kind) == [.motionPhoto])
  }

  @Test func `boxes with invalid sizes contain no video`() throws {
    let movie = MovieFile().bytes
    var long = movie
    long.replaceSubrange(0..<4, with: [0x7F, 0xFF, 0xFF, 0xFF])
    for body in [Array(movie.dropLast(40)), Array(movie.dropFirst(8)), long, []] {
      var file = try file()
      file.trailer = HEIFFile.box("mpvd", body) + HEIFFile.box("free", [1, 2, 3])
      let metadata = try read(file)
      #expect(metadata.motionPhotoRange == nil)
      #expect(metadata.losses.map(\.kind) == [.motionPhoto])
    }
    // A box longer than the file makes the whole file invalid.
    var file = try file()
    file.trailer = HEIFFile.number(1 << 30, 4) + Array("mpvd".utf8) + movie
    let metadata = try read(file)
    #expect(metadata.motionPhotoRange == nil && !metadata.notices.isEmpty)
  }

  @Test func `metadata over the limit is rejected`() throws {
    let item = HEIFFile.Item(
      2, "Exif", HEIFFile.number(0, 4) + exif(orientation: 1) + [UInt8](repeating: 0, count: 5000))
    let bytes = FileBytes(try file(items: [item]).bytes)
    #expect(throws: MetadataError.tooManyBytes(limit: 4000)) {
      try ImageMetadata.read(bytes, limits: ImageLimits(maximumMetadataBytes: 4000))
    }
  }
}
