// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

/// Compared with hb-shape, which shapes a line of one script with the same font.
@Suite("Shaping of texts")
struct ShapingTests {
  private static let fonts = "/usr/share/fonts/"
  private static let amiri = fonts + "opentype/fonts-hosny-amiri/Amiri-Regular.ttf"
  private static let loma = fonts + "truetype/tlwg/Loma.ttf"
  private static let emoji = fonts + "truetype/noto/NotoColorEmoji.ttf"

  private static let isReady =
    Program.find("hb-shape") != nil
    && [amiri, loma].allSatisfy(FileSystem.itemExists)

  @Test(
    .enabled(if: isReady, "hb-shape, fonts-hosny-amiri or fonts-tlwg-loma-ttf is not installed"),
    arguments: [
      (amiri, "السلام عليكم", ["--direction=rtl", "--script=arab"]), (amiri, "Office AV", []),
      (amiri, "مُحَمَّد", ["--direction=rtl", "--script=arab"]),
      (loma, "น้ำที่นี่ ภาษาไทย", ["--script=thai"]),
    ])
  func `glyphs and positions are those of HarfBuzz`(
    font: String, text: String, options: [String]
  ) throws {
    let folder = try TemporaryFolder()
    let output = folder.path + "/glyphs"
    let program = try #require(Program.find("hb-shape"))
    let arguments = ["--no-glyph-names", "--no-clusters", "--font-size=upem"] + options
    #expect(Program.run(program, arguments + [font, text], output: output) == 0)
    let line = String(decoding: try FileBytes.reading(output).array, as: UTF8.self)
    var expected: [(index: UInt32, x: Double)] = []
    var x = 0.0
    for glyph in line.split(whereSeparator: { "[]|\n".contains($0) }) {
      let (name, advance) = (glyph.prefix { $0 != "@" && $0 != "+" }, glyph.split(separator: "+"))
      let offset =
        glyph.split(separator: "@").dropFirst().first?
        .split(separator: ",").first.flatMap { Double($0) } ?? 0
      expected.append((try #require(UInt32(name)), x + offset))
      x += try #require(Double(advance[1]))
    }
    let unit = font == Self.amiri ? 1000.0 : 2048
    let shaped = try FontFile(FileBytes.reading(font).array).shaped(text)
    #expect(shaped.glyphs.map(\.index) == expected.map(\.index))
    for (own, other) in zip(shaped.glyphs, expected) {
      #expect(abs(own.x * unit - other.x) < 0.51, "\(text): \(own.x * unit), \(other.x)")
    }
    #expect(abs(shaped.width * unit - x) < 0.51)
  }

  @Test func `directions follow the algorithm of Unicode`() throws {
    // Boxes of different widths: Hebrew, a digit and Latin letters.
    let font = TestFont([
      .init([0x05D0], advance: 100, box: nil), .init([0x05D1], advance: 200, box: nil),
      .init([0x31], advance: 300, box: nil), .init([0x41], advance: 400, box: nil),
      .init([0x20], advance: 50, box: nil),
    ])
    let file = try FontFile(font.bytes)
    // Right to left: the first character is the rightmost; a number keeps its order.
    #expect(try file.shaped("אב 1A").glyphs.map(\.index) == [3, 4, 5, 2, 1])
    #expect(try file.shaped("A אב").glyphs.map(\.index) == [4, 5, 2, 1])
  }

  @Test(.enabled(if: FileSystem.itemExists(emoji), "fonts-noto-color-emoji is not installed"))
  func `an emoji is drawn in its colors, and a sequence as one`() throws {
    let bytes = try FileBytes.reading(Self.emoji).array
    let file = try FontFile(bytes)
    #expect(try file.shaped("👨‍👩‍👧").glyphs.count == 1)
    var filter = Text("😀", asset: "emoji")
    (filter.size, filter.anchor, filter.outline) = (0.5, .center, 0)
    var graph = FilterGraph()
    graph.assets["emoji"] = GraphAttachment(bytes, mediaType: "font/sfnt")
    try graph.append(filter)
    var options = RenderOptions()
    options.assetFiles = { _ in bytes }
    let flat = Charts.image(100, 100, .rgb) { _, _, _ in 0 }
    let planes = try Renderer.raster(Charts.source(flat), graph, options: options).planes
    let middle = 40 * 100 + 50
    // Yellow.
    #expect(planes[0][middle] > 0.7 && planes[1][middle] > 0.5 && planes[2][middle] < 0.5)
    #expect(planes[0][5 * 100 + 5] == 0)
  }
}
