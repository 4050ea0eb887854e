// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import Testing

@testable import PhotoEditCodecs

/// Tests that every segment stays "byte for byte", as the README states, or is reported in a notice
/// or a loss.
@Suite("Changed segments")
struct RenderingNoticeTests {
  typealias Fixture = MetadataFixture

  private static let jfif = Fixture.app(0, "JFIF\0", [1, 2, 1, 0, 72, 0, 72, 0, 0])
  private static let plain = Fixture.exif(minimalTIFF)
  /// A directory without an entry.
  private static let minimalTIFF =
    Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0] as [UInt8]

  private func rendered(_ segments: [JPEGSegment]) throws -> RenderedMetadata {
    try Fixture.read(segments).rendered(
      RenderedImageProperties(size: PixelSize(width: 8, height: 8), software: "x"))
  }

  @Test func `unchanged segments are not reported`() throws {
    let comment = JPEGSegment(marker: 0xFE, payload: Array("a comment".utf8))
    let segments = [
      Self.jfif, Self.plain, Fixture.app(5, "Unknown", [1, 2, 3]),
      Fixture.iccPiece(1, 1, Fixture.profile()), comment,
    ]
    let result = try rendered(segments)
    #expect(result.segments == segments)
    #expect(result.notices.isEmpty && result.losses.isEmpty)
  }

  static let cases: [(name: String, segments: [JPEGSegment], word: String)] = [
    ("APP14", [jfif, Fixture.app(14, "Adobe", [0, 100, 0, 0, 0, 0, 1])], "APP14"),
    ("JFIF behind others", [plain, jfif], "moved before"),
    ("several JFIF", [jfif, jfif], "2 JFIF"),
    ("a cut JFIF", [Fixture.app(0, "JFIF\0", [1])], "damaged"),
    ("no JFIF", [Fixture.app(5, "Unknown", [])], "added"),
    (
      "an index of one picture",
      [
        jfif,
        Fixture.app(
          2, "MPF\0",
          Array("MM".utf8) + [
            0, 42, 0, 0, 0, 8, 0, 1, 0xB0, 1, 0, 4, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0,
          ]),
      ], "only this image"
    ),
  ]

  @Test(arguments: cases.indices)
  func `a change without a loss is a notice`(index: Int) throws {
    let entry = Self.cases[index]
    let result = try rendered(entry.segments)
    #expect(result.notices.count == 1, "\(entry.name): \(result.notices)")
    #expect(result.notices.contains { $0.contains(entry.word) }, "\(entry.name)")
    #expect(result.losses.isEmpty, "\(entry.name): \(result.losses)")
  }

  @Test
  func `thumbnails outside EXIF are reported, and are a loss without a new thumbnail`()
    throws
  {
    let resource =
      Array("8BIM".utf8) + [4, 12, 0, 0] + Fixture.big32(4) + [1, 2, 3, 4] as [UInt8]
    let segments = [Self.jfif, Fixture.app(13, "Photoshop 3.0\0", resource)]
    #expect(try rendered(segments).losses.map(\.kind) == [.thumbnail])
    var fixture = ExifFixture()
    var facts = ExifMetadataTests.facts
    facts.thumbnail = .init(
      size: PixelSize(width: 1, height: 1), isGray: true, pixels: [128])
    let result = try Fixture.read(segments + [Fixture.exif(fixture.build())]).rendered(facts)
    #expect(!result.losses.contains { $0.kind == .thumbnail })
    #expect(result.notices.contains { $0.contains("Photoshop") }, "\(result.notices)")
  }

  @Test func `segments of reserved kinds are reported as a loss`() throws {
    var file = Fixture.jpeg([Self.jfif])
    file.insert(contentsOf: [0xFF, 0xF3, 0, 4, 1, 2], at: 2)
    let metadata = try ImageMetadata.read(jpeg: FileBytes(file))
    #expect(metadata.losses.map(\.kind) == [.unknownChunks])
  }

  @Test func `an image converted from another format reports nothing about segments`() throws {
    let png = Fixture.png([])
    let metadata = try ImageMetadata.read(png: FileBytes(png))
    let facts = RenderedImageProperties(size: PixelSize(width: 8, height: 8), software: "x")
    #expect(metadata.rendered(facts).notices.isEmpty)
  }
}
