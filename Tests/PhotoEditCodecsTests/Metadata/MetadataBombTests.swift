// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

@Suite("Metadata bombs")
struct MetadataBombTests {
  typealias Fixture = MetadataFixture

  /// Every feature at once, so that all code paths run.
  private static let facts: [RenderedImageProperties] = {
    var plain = ExifMetadataTests.facts
    plain.instance = Array(0..<16)
    plain.thumbnail = .init(
      size: PixelSize(width: 160, height: 160), isGray: true,
      pixels: [UInt8](repeating: 9, count: 160 * 160))
    plain.geometry = .orientation(.right)
    var stripping = plain
    stripping.strip = [.location, .people, .device, .dates]
    var warped = plain
    warped.geometry = nil
    return [plain, stripping, warped]
  }()

  /// A packet that repeats one text as often as it fits.
  private static func flood(
    _ unit: String, in attributes: String = "", before: String = "", after: String = "",
    count: Int
  ) -> [JPEGSegment] {
    let text = String(repeating: unit, count: min(count, 64_000 / unit.utf8.count))
    return [Fixture.xmp(Fixture.packet(attributes, before + text + after))]
  }

  private static func exif(_ entries: [[UInt8]], next: [UInt8] = [0, 0, 0, 0]) -> [JPEGSegment] {
    let head: [UInt8] = Array("MM".utf8) + [0, 42, 0, 0, 0, 8]
    let count = [UInt8(entries.count >> 8), UInt8(entries.count & 255)]
    return [Fixture.exif(head + count + entries.joined() + next)]
  }

  private static let regions = "xmlns:m=\"http://www.metadataworkinggroup.com/schemas/regions/\""

  /// Floods by name, for a size between 0 and 1.
  private static let floods: [(name: String, segments: @Sendable (Double) -> [JPEGSegment])] = [
    ("nested elements", { flood("<a>", count: Int(16_000 * $0)) }),
    (
      "character references",
      {
        flood(
          "&#54;", before: "<dc:title>", after: "</dc:title>",
          count: Int(12_000 * $0))
      }
    ),
    ("orientations", { flood("<tiff:Orientation>6</tiff:Orientation>", count: Int(1600 * $0)) }),
    ("comments", { flood("<!---->", count: Int(9000 * $0)) }),
    (
      "histories",
      {
        flood(
          "<x:History><rdf:Seq/></x:History>",
          in: "xmlns:x=\"http://ns.adobe.com/xap/1.0/mm/\"", count: Int(1600 * $0))
      }
    ),
    (
      "regions",
      {
        flood(
          "<rdf:li><m:Area x='0.5' y='0.5'/></rdf:li>", in: regions,
          before: "<m:Regions><m:RegionList><rdf:Bag>",
          after: "</rdf:Bag></m:RegionList></m:Regions>", count: Int(1500 * $0))
      }
    ),
    (
      "lists of regions",
      {
        flood(
          "<m:Regions><m:RegionList><rdf:Bag/></m:RegionList></m:Regions>",
          in: regions, count: Int(1000 * $0))
      }
    ),
    (
      "directories that lead to themselves",
      { size in
        exif(
          [[UInt8]](
            repeating: [0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 8],
            count: Int(5000 * size)), next: [0, 0, 0, 8])
      }
    ),
    (
      "values that cover everything",
      { size in
        exif(
          [[UInt8]](
            repeating: [0x92, 0x7C, 0, 7, 0, 0, 0xEA, 0, 0, 0, 0, 8],
            count: Int(5000 * size)))
      }
    ),
    (
      "thumbnails in many segments",
      { size in
        let tiff: [UInt8] =
          Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 0, 0, 0, 0, 14, 0, 1]
          + [2, 1, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
        return [JPEGSegment](repeating: Fixture.exif(tiff), count: Int(4000 * size))
      }
    ),
    (
      "resources",
      { size in
        let one = Array("8BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, 0]
        return [JPEGSegment](
          repeating: Fixture.app(
            13, "Photoshop 3.0\0",
            [[UInt8]](repeating: one, count: 100).joined().map { $0 }), count: Int(200 * size))
      }
    ),
    (
      "pieces of a profile",
      { size in
        (0..<Int(4000 * size)).map { Fixture.iccPiece(UInt8($0 % 255 + 1), 255, [0]) }
      }
    ),
    (
      "names of extended packets",
      { size in
        (0..<Int(2000 * size)).map { index in
          let digits = String(index)
          let name = String(repeating: "0", count: 32 - digits.utf8.count) + digits
          return Fixture.app(
            1, "http://ns.adobe.com/xmp/extension/\0" + name,
            [0, 0, 0, 1, 0, 0, 0, 0, 0x20])
        }
      }
    ),
    (
      "empty segments",
      {
        [JPEGSegment](
          repeating: JPEGSegment(marker: 0xE5, payload: []),
          count: Int(50_000 * $0))
      }
    ),
  ]

  private func work(_ segments: [JPEGSegment]) throws {
    let metadata = try Fixture.read(segments)
    for facts in Self.facts {
      let result = metadata.rendered(facts)
      #expect(result.losses.count <= 128 && result.stripped.count <= 64)
      #expect(result.segments.allSatisfy { $0.payload.count <= JPEGSegment.maximumPayloadCount })
    }
  }

  /// Quadratic work would keep the test busy for minutes.
  @Test(arguments: floods.indices)
  func `a flood of metadata is read and written within its limits`(index: Int) throws {
    try work(Self.floods[index].segments(1))
  }
}
