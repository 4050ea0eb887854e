// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

/// With a font whose characters are boxes, the place of each pixel follows from the definition.
@Suite("Texts", .seeded)
struct TextTests {
  private static let font = GraphAttachment(TestFont().bytes, mediaType: "font/sfnt")

  /// A size of the font of 100 pixels, without outline and margin.
  private static func text(_ text: String, _ anchor: Overlay.Anchor = .topLeft) -> Text {
    var filter = Text(text, asset: "font")
    (filter.size, filter.outline, filter.margin, filter.anchor) = (0.1, 0, 0, anchor)
    return filter
  }

  private static func graph(_ filter: Text, _ font: GraphAttachment = font) throws -> FilterGraph {
    var graph = FilterGraph()
    graph.assets["font"] = font
    try graph.append(filter)
    return graph
  }

  private static let black = Charts.image(1000, 500, .gray) { _, _, _ in 0 }

  /// The pixels of the first plane that are white, as runs of columns of a row.
  private func boxes(
    _ filter: Text, row: Int, isSharp: Bool = true
  ) throws -> [ClosedRange<Int>] {
    let raster = try Renderer.raster(Charts.source(Self.black), Self.graph(filter))
    #expect(raster.planes.count == 1, "a gray image becomes colored")
    let line = raster.planes[0][row * 1000..<(row + 1) * 1000]
    #expect(!isSharp || line.allSatisfy { $0 < 0.001 || $0 > 0.999 })
    return line.indices.filter { line[$0] > 0.5 }.map { $0 - row * 1000 }.reduce(into: []) {
      if let last = $0.last, last.upperBound == $1 - 1 {
        $0[$0.count - 1] = last.lowerBound...$1
      } else {
        $0.append($1...$1)
      }
    }
  }

  @Test func `letters are at the positions that the font states`() throws {
    // An advance of 50 pixels, a space of 30, and boxes of 5 to 45 pixels.
    #expect(try boxes(Self.text("AB C"), row: 10) == [5...44, 55...94, 135...174])
    #expect(try boxes(Self.text("AB C"), row: 79) == [5...44, 55...94, 135...174])
    #expect(try boxes(Self.text("AB C"), row: 9).isEmpty)
    #expect(try boxes(Self.text("AB C"), row: 80).isEmpty)
  }

  @Test(arguments: [
    (Overlay.Anchor.topRight, 10, 955), (.center, 210, 480), (.bottom, 410, 480),
    (.bottomLeft, 410, 5), (.bottomRight, 410, 955), (.left, 210, 5),
  ])
  func `a text is placed at its anchor`(anchor: Overlay.Anchor, top: Int, left: Int) throws {
    let filter = Self.text("A", anchor)
    #expect(try boxes(filter, row: top) == [left...left + 39])
    #expect(try boxes(filter, row: top - 1).isEmpty)
    #expect(try boxes(filter, row: top + 69) == [left...left + 39])
    #expect(try boxes(filter, row: top + 70).isEmpty)
  }

  @Test func `the lines of a text are aligned`() throws {
    var filter = Self.text("AB\nC")
    #expect(try boxes(filter, row: 150) == [5...44])
    filter.alignment = .right
    #expect(try boxes(filter, row: 50) == [5...44, 55...94])
    #expect(try boxes(filter, row: 150) == [55...94])
    filter.alignment = .center
    #expect(try boxes(filter, row: 150) == [30...69])
    filter.alignment = .anchor
    filter.anchor = .topRight
    #expect(try boxes(filter, row: 150) == [955...994])
    (filter.anchor, filter.position) = (.custom, [0.5, 0.2])
    #expect(try boxes(filter, row: 150) == [505...544, 555...594])
  }

  @Test func `a text that is too long for the image is reduced`() throws {
    // 40 letters of 50 pixels need twice the width: half of the size remains.
    let long = try boxes(Self.text(String(repeating: "A", count: 40)), row: 20, isSharp: false)
    #expect(long.count == 40 && long[0].lowerBound <= 3 && long[39].upperBound >= 996)
  }

  @Test func `a text that is much too long is broken at spaces`() throws {
    // Five words of 200 pixels in each of six lines: five sixths of the size remain.
    let words = Array(repeating: "AAAA", count: 30).joined(separator: " ")
    for (row, line) in [(40, 0), (123, 1), (457, 5)] {
      let found = try boxes(Self.text(words), row: row, isSharp: false)
      #expect(found.count == 20, "line \(line)")
      #expect(found.first?.lowerBound ?? 0 <= 5 && found.last?.upperBound ?? 0 > 900)
    }
    let custom = Array(repeating: "A", count: 14).joined()
    var filter = Self.text(custom)
    (filter.anchor, filter.position) = (.custom, [0.5, 0.2])
    let inside = try boxes(filter, row: 130, isSharp: false)
    #expect(inside.count == 14 && inside.last?.upperBound ?? 1000 < 1000)
  }

  @Test func `spaces at the end of a line keep it at its edge`() throws {
    #expect(try boxes(Self.text("A   \n", .topRight), row: 20) == [955...994])
  }

  @Test func `line breaks of other systems and tabs are accepted`() throws {
    #expect(try boxes(Self.text("A\r\nB"), row: 150) == (try boxes(Self.text("A\nB"), row: 150)))
    #expect(try boxes(Self.text("A\tB"), row: 50) == (try boxes(Self.text("A B"), row: 50)))
  }

  @Test func `the outline and the box surround the letters`() throws {
    var filter = Self.text("A", .center)
    (filter.outline, filter.outlineColor) = (0.1, .white)
    let widened = try boxes(filter, row: 250)
    #expect(widened == [470...529])
    (filter.outline, filter.box, filter.boxColor) = (0, 1, .white)
    // The box has a space of 0.3 sizes.
    #expect(try boxes(filter, row: 172) == [445...554])
    #expect(try boxes(filter, row: 168).isEmpty)
  }

  @Test func `a preview has the text at the same place`() throws {
    let source = try Charts.source(Self.black)
    let graph = try Self.graph(Self.text("AB C", .center))
    let full = try Renderer.raster(source, graph).planes[0]
    let box = PixelSize(width: 250, height: 125)
    let preview = try Renderer.previewRaster(source, graph, fitting: box)
    #expect(preview.size == box)
    for y in 0..<125 {
      for x in 0..<250 {
        var sum: Float = 0
        for row in 0..<4 {
          for column in 0..<4 { sum += full[(4 * y + row) * 1000 + 4 * x + column] }
        }
        // Both areas are covered alike; the edges may differ by the kernel.
        #expect(abs(preview.planes[0][y * 250 + x] - sum / 16) < 0.2)
      }
    }
  }

  @Test func `colors are those of sRGB, and only colored texts make a gray image colored`() throws {
    var filter = Self.text("A")
    filter.color = Background(red: 200, green: 30, blue: 90)
    let raster = try Renderer.raster(Charts.source(Self.black), Self.graph(filter))
    #expect(raster.planes.count == 3)
    for (plane, value) in zip(raster.planes, [200, 30, 90]) {
      #expect(abs(plane[40 * 1000 + 20] * 255 - Float(value)) < 0.01)
    }
  }

  @Test func `characters are drawn with the first face that has them`() throws {
    let small = TestFont([.init([0x4E2D], advance: 1000, box: [0, 0, 100, 100])])
    // A collection: the offsets of both fonts are from its beginning.
    let fonts = [TestFont().bytes, small.bytes]
    var filter = Self.text("A中B")
    filter.asset = "both"
    var graph = FilterGraph()
    graph.assets["both"] = GraphAttachment(TestFont.collection(fonts), mediaType: "font/sfnt")
    try graph.append(filter)
    let plane = try Renderer.raster(Charts.source(Self.black), graph).planes[0]
    let lowest = plane[79 * 1000..<80 * 1000].indices.filter { plane[$0] > 0.5 }.map { $0 - 79_000 }
    #expect(lowest == Array(5...44) + Array(50...59) + Array(155...194))
    let middle = plane[40 * 1000..<41 * 1000].indices.filter { plane[$0] > 0.5 }.map { $0 - 40_000 }
    #expect(middle == Array(5...44) + Array(155...194))
  }

  // MARK: Fields

  @Test func `fields are filled in from the photo that is rendered`() throws {
    var file = ImageFile()
    file.xmp = "dc:title=\"A\" dc:rights=\"B\""
    file.exif = [.text(0x9003, "2024:05:01 12:34:56")]
    let photo = try ImageSource(FileBytes(file.jpeg()))
    func pixels(_ text: String, of photo: ImageSource) throws -> [[Float]] {
      var filter = Self.text(text)
      filter.size = 0.05
      return try Renderer.raster(photo, Self.graph(filter)).planes
    }
    let filled = try pixels("{title} {date} {{{time}}} {year}", of: photo)
    #expect(filled == (try pixels("A 2024-05-01 {{12:34}} 2024", of: photo)))
    #expect(filled != (try pixels("A 2024-05-01 {{12:34}}", of: photo)))
    // Another photo has other values, or none, which is a notice.
    let plain = try ImageSource(FileBytes(TestImages.bytes("photo-64.jpg")))
    let graph = try Self.graph(Self.text("A{title}"))
    let rendering = try Renderer.render(plain, graph)
    #expect(rendering.notices.contains { $0.contains("{title}") })
    #expect(try pixels("A{title}", of: plain) == (try pixels("A", of: plain)))
    #expect(try Renderer.render(photo, graph).notices.allSatisfy { !$0.contains("{title}") })
    // Nothing to draw is no change.
    #expect(try Renderer.render(plain, Self.graph(Self.text("{title}"))).path == .coefficients)
  }

  @Test func `fields without a value leave neither spaces nor lines`() throws {
    var graph = try Self.graph(
      Self.text("by {creator} {year} {date}\n{title}\n  {iso} {camera}\nA  B"))
    #expect(graph.fillTexts([.year: "2024", .camera: "X"]) == [.date, .title, .creator, .iso])
    let filled = try #require(try graph.nodes[0].resolved() as? Text)
    #expect(filled.filled == "by 2024\nX\nA  B")
  }

  @Test func `fields are filled in again for another photo`() throws {
    var graph = try Self.graph(Self.text("{title}"))
    #expect(graph.openFields == [.title])
    #expect(graph.fillTexts([.title: "A\u{7}B"]).isEmpty)
    #expect(graph.openFields.isEmpty)
    let filled = try #require(try graph.nodes[0].resolved() as? Text)
    #expect(filled.filled == "AB" && filled.text == "{title}")
    var other = FilterGraph()
    try other.append(graph)
    #expect(other.openFields == [.title])
    graph.emptyTexts()
    #expect(graph.openFields == [.title])
  }

  @Test(arguments: ["{Title}", "{", "a}", "{date", "{}", "{date}}"])
  func `an unknown field is refused with those that exist`(text: String) {
    let error = #expect(throws: ParameterError.self) {
      try FilterCatalog.filter(argument: "text:text=" + text)
    }
    let message = error.map { "\($0)" } ?? ""
    #expect(message.contains("{copyright}") && message.contains("{date}"), "\(message)")
  }

  // MARK: Hostile input

  @Test func `a damaged font is refused or drawn, and never ends the program`() throws {
    var numbers = SeededNumbers(61)
    let font = TestFont().bytes
    let source = try Charts.source(Charts.image(40, 30, .gray) { _, _, _ in 0 })
    func draw(_ bytes: [UInt8]) throws {
      var filter = Self.text("A b\nc", .center)
      filter.outline = 0.05
      let font = GraphAttachment(bytes, mediaType: "font/sfnt")
      let graph = try Self.graph(filter, font)
      do throws(RenderError) {
        _ = try Renderer.raster(source, graph)
      } catch {
        #expect(!"\(error)".isEmpty)
      }
    }
    for count in stride(from: 0, to: font.count, by: 37) { try draw(Array(font.prefix(count))) }
    for _ in 0..<SeededNumbers.cases(2000) {
      var bytes = font
      for _ in 0...Int.random(in: 0..<4, using: &numbers) {
        bytes[Int.random(in: 0..<min(bytes.count, 900), using: &numbers)] =
          UInt8.random(in: 0...255, using: &numbers)
      }
      try draw(bytes)
    }
  }

  @Test func `another file and too much text are refused`() throws {
    let source = try Charts.source(Self.black)
    let image = GraphAttachment(try PNGEncoder.encode(Self.black), mediaType: "font/sfnt")
    let wrong = #expect(throws: RenderError.self) {
      try Renderer.raster(source, Self.graph(Self.text("A"), image))
    }
    #expect(wrong.map { "\($0)" }?.contains("not a TrueType or OpenType font") == true)
    for text in [
      String(repeating: "A\n", count: 300), String(repeating: "A", count: 20_000),
    ] {
      var filter = Self.text("{title}")
      filter.filled = text
      let error = #expect(throws: RenderError.self) {
        try Renderer.raster(source, Self.graph(filter))
      }
      #expect(error.map { "\($0)" }?.contains("more than 200 lines or 10000") == true)
    }
    #expect(throws: ParameterError.self) { try FilterGraph([Self.text("a\u{1B}[31m")]) }
    #expect(throws: ParameterError.self) {
      try FilterGraph([Self.text(String(repeating: "A", count: 5000))])
    }
    let none = #expect(throws: RenderError.self) {
      var filter = Self.text("A")
      filter.asset = ""
      _ = try Renderer.raster(source, Self.graph(filter))
    }
    #expect(none.map { "\($0)" }?.contains("no font is attached") == true)
    let lacking = #expect(throws: RenderError.self) {
      try Renderer.raster(source, Self.graph(Self.text("A中")))
    }
    #expect(lacking.map { "\($0)" }?.contains("lacks the character '中'") == true)
  }

  @Test func `a glyph of many images in size is cut at the edges of the photo`() throws {
    let huge = TestFont([.init([0x41], advance: 500, box: [-16_000, -16_000, 16_000, 16_000])])
    let font = GraphAttachment(huge.bytes, mediaType: "font/sfnt")
    let raster = try Renderer.raster(
      Charts.source(Self.black), Self.graph(Self.text("A", .center), font))
    #expect(raster.planes[0].allSatisfy { $0 > 0.999 })
  }
}
