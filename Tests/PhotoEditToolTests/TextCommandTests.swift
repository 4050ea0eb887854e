// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Texts on the command line", .runsPrograms)
struct TextCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for (index, title) in ["A", "BCDE"].enumerated() {
      var file = ImageFile()
      file.xmp = "dc:title=\"\(title)\" dc:rights=\"Jane\""
      file.exif = [.text(0x9003, "202\(4 + index):05:01 12:34:56")]
      try folder.write(try file.jpeg(index + 1), to: index == 0 ? "a.jpg" : "b.jpg")
    }
    try folder.write(TestFont().bytes, to: "boxes.ttf")
  }

  @discardableResult
  private func run(_ words: String..., expecting exitCode: Int32 = 0) throws -> Tool.Result {
    let result = try Tool.run(words, in: folder.path)
    #expect(result.exitCode == exitCode, "\(words): \(result.errors)")
    return result
  }

  /// The parameters of the only node of a stored edit.
  private func node(of photo: String) throws -> JSONValue? {
    let lines = try run("show", photo, "--json").jsonLines()
    return lines.first?["graph"]?["nodes"]?.arrayValue?.first?["params"]
  }

  private func pixels(_ name: String, _ filter: String) throws -> [UInt8] {
    try run("render", name, "--filter", filter, "--raster", "out.png", "-f")
    return try FileBytes.reading(folder.path + "/out.png").array
  }

  @Test func `each photo of a batch gets its own text, and keeps it`() throws {
    try run("apply", "a.jpg", "b.jpg", "--filter", "text:text=© {copyright}, {year},file=boxes.ttf")
    #expect(try node(of: "a.jpg")?["filled"]?.stringValue == "© Jane, 2024")
    #expect(try node(of: "b.jpg")?["filled"]?.stringValue == "© Jane, 2025")
    #expect(try node(of: "b.jpg")?["text"]?.stringValue == "© {copyright}, {year}")
    // A preset has the fields, not the values, and neither has a graph.
    try run("preset", "a.jpg", "-o", "mark.json")
    let preset = try JSONValue(
      parsing: FileBytes.reading(folder.path + "/mark.json").array)
    #expect(preset["nodes"]?.arrayValue?[0]["params"]?["filled"]?.stringValue == "")
    try run("apply", "b.jpg", "--replace", "--preset", "mark.json")
    #expect(try node(of: "b.jpg")?["filled"]?.stringValue == "© Jane, 2025")
    // The same command has nothing to do.
    let again = try run("apply", "b.jpg", "--update", "--preset", "mark.json", "--json")
    #expect(try again.jsonLines().first?["outcome"]?.stringValue == "unchanged", "\(again.output)")
    try FileSystem.remove(folder.path + "/boxes.ttf")
    try run("adjust", "b.jpg", "--set", "text.text=({year}) {lens}")
    #expect(try node(of: "b.jpg")?["filled"]?.stringValue == "(2025)")
    try run("undo", "b.jpg")
    #expect(try node(of: "b.jpg")?["filled"]?.stringValue == "© Jane, 2025")
  }

  @Test func `a rendering has the text of its photo`() throws {
    let file = "file=boxes.ttf,size=0.1"
    let template = try pixels("a.jpg", "text:text={title} {date},\(file)")
    #expect(template == (try pixels("a.jpg", "text:text=A 2024-05-01,\(file)")))
    #expect(template != (try pixels("a.jpg", "text:text=BCDE 2025-05-01,\(file)")))
    let other = try pixels("b.jpg", "text:text={title} {date},\(file)")
    #expect(other == (try pixels("b.jpg", "text:text=BCDE 2025-05-01,\(file)")))
  }

  @Test func `fonts and fields that do not exist are refused`() throws {
    let font = try run(
      "apply", "a.jpg", "--filter", "text:text=A,font=No Such Font", expecting: 65)
    #expect(font.errors.contains("'No Such Font'") && font.errors.contains("file=PATH"))
    let field = try run(
      "apply", "a.jpg", "--filter", "text:text={size},file=boxes.ttf", expecting: 64)
    #expect(field.errors.contains("{size}") && field.errors.contains("{copyright}"))
    let file = try run("apply", "a.jpg", "--filter", "text:text=A,file=a.jpg", expecting: 65)
    #expect(file.errors.contains("not a TrueType or OpenType font"))
  }

  @Test func `an error of a batch names the photo`() throws {
    var file = ImageFile()
    file.xmp = "dc:title=\"\u{10FFFD}\""
    try folder.write(try file.jpeg(3), to: "c.jpg")
    let filter = "text:text={title},file=boxes.ttf"
    let result = try run("apply", "a.jpg", "c.jpg", "b.jpg", "--filter", filter, expecting: 1)
    let lines = result.errors.split(separator: "\n").filter { $0.contains("U+10FFFD") }
    #expect(lines.count == 1 && lines[0].contains("c.jpg"), "\(result.errors)")
    #expect(try node(of: "b.jpg")?["filled"]?.stringValue == "BCDE")
  }

  @Test func `an edit gets another font file`() throws {
    try folder.write(try FileBytes.reading(folder.path + "/a.jpg").array, to: "d.jpg")
    try run("apply", "a.jpg", "--filter", "text:text=A,size=0.1,file=boxes.ttf")
    let narrow = TestFont([.init(0x21...0x7E, advance: 300, box: [50, 0, 150, 700])])
    try folder.write(narrow.bytes, to: "narrow.ttf")
    try run("adjust", "a.jpg", "--set", "text.file=narrow.ttf")
    #expect(try node(of: "a.jpg")?["asset"]?.stringValue == "narrow")
    try run("apply", "d.jpg", "--filter", "text:text=A,size=0.1,file=narrow.ttf")
    try FileSystem.remove(folder.path + "/narrow.ttf")
    let images = try ["a", "d"].map { name in
      try run("render", "\(name).edited.jpg", "--raster", "\(name).png")
      return try FileBytes.reading(folder.path + "/\(name).png").array
    }
    #expect(images[0] == images[1])
    let missing = try run("adjust", "a.jpg", "--set", "text.file=none.ttf", expecting: 66)
    #expect(missing.errors.contains("none.ttf"))
    let wrong = try run("adjust", "a.jpg", "--set", "text.file=b.jpg", expecting: 65)
    #expect(wrong.errors.contains("not a TrueType or OpenType font"))
  }

  @Test func `a font that lacks a character of a photo draws no empty box`() throws {
    let graph = """
      {"format":"org.photoedit.filter-graph","version":"1.0","nodes":[{"id":"n1","filter":"text",\
      "params":{"text":"{title}","font":"No Such Font"}}]}
      """
    try folder.write(Array(graph.utf8), to: "graph.json")
    let font = try run("render", "a.jpg", "--graph", "graph.json", "-o", "o.jpg", expecting: 65)
    #expect(font.errors.contains("'No Such Font'"), "\(font.errors)")
  }

  @Test func `an asset's text is that of the library`() throws {
    let library = try ToolLibrary()
    var file = ImageFile()
    file.xmp = "dc:title=\"of the file\""
    let asset = try library.add(try file.jpeg(3), as: "c.jpg")
    try library.folder.write(TestFont().bytes, to: "boxes.ttf")
    _ = try library.json("asset", "set", asset, "--title", "of the library")
    _ = try library.json("apply", "--filter", "text:text={title},file=boxes.ttf", asset)
    let show = try library.json("show", asset)
    #expect(
      show["graph"]?["nodes"]?.arrayValue?[0]["params"]?["filled"]?.stringValue == "of the library")
  }
}
