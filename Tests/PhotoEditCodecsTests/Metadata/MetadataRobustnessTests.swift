// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Damaged metadata", .seeded)
struct MetadataRobustnessTests {
  typealias Fixture = MetadataFixture

  private func samples() -> [[UInt8]] {
    var middle = ExifFixture(isBig: false)
    middle.thumbnail = .middle
    var tail = ExifFixture()
    let packet = Fixture.packet(
      #"tiff:Orientation="6" exif:PixelXDimension="1""#,
      "<tiff:ImageWidth>&#49;</tiff:ImageWidth>")
    let jpeg = Fixture.jpeg(
      [
        Fixture.app(0, "JFIF\0", [1, 1, 1, 0, 72, 0, 72, 0, 0]), Fixture.exif(tail.build()),
        Fixture.xmp(packet), Fixture.iccPiece(1, 1, Fixture.profile(count: 200)),
        Fixture.app(13, "Photoshop 3.0\0", Array("8BIM".utf8) + [4, 12, 0, 0, 0, 0, 0, 2, 1, 2]),
        Fixture.app(2, "MPF\0", middle.build()),
      ], trailer: [1, 2])
    let png = Fixture.png([
      ("pHYs", Fixture.big32(1) + Fixture.big32(2) + [0]), ("eXIf", middle.build()),
      ("iCCP", Array("p\0\0".utf8) + Fixture.stored(Fixture.profile(count: 200))),
      ("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + packet.utf8),
      ("zTXt", Array("a\0\0".utf8) + Fixture.stored(Array("text".utf8))),
    ])
    return [jpeg, png, Fixture.jpeg([Fixture.exif(middle.build())])]
  }

  /// Reads and renders; for any input the result must be valid.
  private func check(_ bytes: [UInt8], _ label: @autoclosure () -> String) throws {
    let metadata = try ImageMetadata.read(FileBytes(bytes))
    let segments = metadata.segments(forRendering: ExifMetadataTests.facts).segments
    let again = try Fixture.read(segments)
    #expect(again.segments == segments, "\(label())")
    #expect(again.orientation == .up, "\(label())")
  }

  @Test func `a file truncated anywhere is read up to the end`() throws {
    for (number, sample) in samples().enumerated() {
      for count in (0..<sample.count).some(number) {
        try check(Array(sample[..<count]), "cut at \(count)")
      }
    }
  }

  @Test(arguments: 0..<3)
  func `any changed bytes give metadata that renders as orientation up`(index: Int) throws {
    let sample = samples()[index]
    var random = SeededNumbers(20_260_501 + index)
    for round in 0..<SeededNumbers.cases(6700) {
      var bytes = sample
      for _ in 0...random.below(4) {
        bytes[random.below(bytes.count)] = UInt8(random.below(256))
      }
      // PNG checksums would hide the damage.
      if index == 1 { bytes = withChecksums(bytes) }
      try check(bytes, "round \(round)")
    }
  }

  private func withChecksums(_ png: [UInt8]) -> [UInt8] {
    var result = Array(png.prefix(8))
    var rest = png.dropFirst(8)
    while rest.count >= 12 {
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard length <= rest.count - 12 else { break }
      let type = rest.dropFirst(4).prefix(4).map { String(UnicodeScalar($0 & 0x7F)) }.joined()
      result += Fixture.chunk(type, Array(rest.dropFirst(8).prefix(length)))
      rest = rest.dropFirst(12 + length)
    }
    return result + rest
  }

  @Test func `hostile sizes are read in linear time`() throws {
    let prefixes = (0..<1000).map { "xmlns:p\($0)='u' p\($0):a='1' tiff:Orientation='6'" }
    let broken = Fixture.app(13, "Photoshop 3.0\0", Array("junk".utf8))
    // As many entries as 16 directories hold in one segment, all of them dates at the same offset.
    let entry: [UInt8] = [1, 0x32, 0, 2, 0, 0, 0, 20, 0, 0, 0, 8]
    let dates =
      [UInt8]("MM".utf8) + [0, 42, 0, 0, 0, 8, 0x14, 0]
      + [[UInt8]](repeating: entry, count: 5120).joined() + [0, 0, 0, 8]
    let files = [
      [
        Fixture.xmp(Fixture.packet(prefixes.joined(separator: " "))),
        Fixture.xmp(String(repeating: "<a b='", count: 10_000)),
      ],
      [JPEGSegment](repeating: broken, count: 20_000), [Fixture.exif(dates)],
      [Fixture.xmp(String(repeating: "&#54;<!--", count: 7000))],
      [JPEGSegment](repeating: Fixture.iccPiece(1, 255, [0]), count: 20_000),
    ]
    for file in files {
      let bytes = Fixture.jpeg(file)
      // This takes tenths of a second; quadratic work would take minutes.
      try check(bytes, "\(file.count) segments")
    }
  }

  @Test func `every corpus image keeps its metadata through a rendering`() throws {
    let files = MetadataCorpora.images()
    // Without corpora the list is empty and the test does nothing.
    for path in files {
      guard let data = FileManager.default.contents(atPath: path) else { continue }
      try check([UInt8](data), path)
    }
    #expect(files.isEmpty || files.count > 100)
  }
}

/// Finds the JPEG and PNG files of the test corpora, which are not part of the repository.
enum MetadataCorpora {
  static func images() -> [String] {
    let package = #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
    let root =
      ProcessInfo.processInfo.environment["PHOTOEDIT_CORPORA"] ?? "/\(package)/shared/corpora"
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
    return names.sorted().filter { name in
      [".jpg", ".jpeg", ".png"].contains { name.lowercased().hasSuffix($0) }
    }.map { "\(root)/\($0)" }
  }
}
