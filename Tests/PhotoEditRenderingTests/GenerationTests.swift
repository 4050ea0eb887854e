// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import Testing

@Suite("Repeated renders")
struct GenerationTests {
  private static func source() throws -> [UInt8] {
    try JPEGs.encode(
      JPEGs.waves(96, 64), luma: .standardLuma(quality: 90),
      chroma: .standardChroma(quality: 90), sampling: .s420
    ).array
  }

  private static func render(_ bytes: [UInt8], _ filters: [any Filter]) throws -> Rendering {
    var options = RenderOptions()
    options.modificationDate = .init(secondsSince1970: 1_700_000_000, utcOffset: 3600)
    return try Renderer.render(
      ImageSource(FileBytes(bytes)), FilterGraph(filters), options: options)
  }

  /// The scans and tables: everything in a file from its first table on.
  private static func imageData(_ jpeg: [UInt8]) throws -> ArraySlice<UInt8> {
    jpeg[try #require(jpeg.firstRange(of: [0xFF, 0xDB])).lowerBound...]
  }

  @Test func `ten renders of a photo from its base equal one`() throws {
    let base = try Self.source()
    let filters: [any Filter] = [Exposure(ev: 0.4), Straighten(angle: 2)]
    let first = try Self.render(base, filters).jpeg
    for _ in 1..<10 { #expect(try Self.render(base, filters).jpeg == first) }
  }

  @Test func `four 90° rotations of an aligned photo restore the coefficients`() throws {
    let oriented = try Self.render(Self.source(), [])
    var file = oriented.jpeg
    for _ in 0..<4 {
      let rotated = try Self.render(file, [Rotate90(turns: 1)])
      #expect(rotated.path == .coefficients)
      #expect(try Self.imageData(rotated.jpeg) != Self.imageData(file))
      file = rotated.jpeg
    }
    #expect(try Self.imageData(file) == Self.imageData(oriented.jpeg))
  }

  @Test func `flipping twice restores the coefficients`() throws {
    let oriented = try Self.render(Self.source(), [])
    var file = oriented.jpeg
    for _ in 0..<2 { file = try Self.render(file, [Flip(.horizontal)]).jpeg }
    #expect(try Self.imageData(file) == Self.imageData(oriented.jpeg))
  }
}
