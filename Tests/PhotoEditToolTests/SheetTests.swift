// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Pages with photos before and after", .runsPrograms)
struct SheetTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String...) throws -> Tool.Result {
    try Tool.run(arguments, in: folder.path)
  }

  private func page(_ name: String = "sheet.html") throws -> String {
    String(decoding: try FileBytes.reading(folder.path(name)).array, as: UTF8.self)
  }

  /// The sizes of the images of a page.
  private func images(_ page: String) throws -> [PixelSize] {
    try page.split(separator: "data:image/jpeg;base64,").dropFirst().map { rest in
      let text = String(rest.prefix { $0 != "\"" })
      let bytes = FileBytes(Array(try #require(Data(base64Encoded: text))))
      return try ImageDecoders.open(bytes).header.size
    }
  }

  @Test func `a page shows both versions, the filters and the losses, and loads nothing`() throws {
    try folder.write(try TestImages.bytes("inputs/photo-landscape.jpg"), to: "a.jpg")
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "b.jpg")
    #expect(try run("apply", "-q", "--filter", "exposure:ev=0.5", "a.jpg").exitCode == 0)
    let result = try run("sheet", "a.jpg", "b.jpg", "-o", "sheet.html", "--size", "100")
    #expect(result.exitCode == 0, "\(result.errors)")
    let page = try page()
    let images = try images(page)
    #expect(images.map(\.longEdge) == [100, 100, 64])
    #expect(page.contains("<li>exposure black=0 ev=0.5 rolloff=0.35</li>"))
    #expect(page.contains("<p>Not edited.</p>") && page.contains("<footer>2 photos</footer>"))
    #expect(page.contains("default-src 'none'") && !page.contains("<script"))
    #expect(!page.contains("http://") && !page.contains("https://"))
  }

  @Test func `names of files are shown literally`() throws {
    let name = "<img src=x onerror=1>&\u{202E}\"'.jpg"
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: name)
    #expect(try run("sheet", name, "-o", "sheet.html").exitCode == 0)
    let page = try page()
    #expect(page.contains("<h2>&lt;img src=x onerror=1&gt;&amp;"))
    #expect(!page.contains("<img src=x") && !page.contains("\u{202E}"))
  }

  @Test func `photos that cannot be read are left out, and a page without photos is not written`()
    throws
  {
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "a.jpg")
    try folder.write(Array("no image".utf8), to: "bad.jpg")
    let result = try run("sheet", "bad.jpg", "a.jpg", "-o", "sheet.html")
    #expect(result.exitCode == 1 && result.errors.contains("bad.jpg"))
    #expect(try page().contains("<footer>1 photo</footer>"))
    let alone = try run("sheet", "bad.jpg", "-o", "none.html")
    #expect(alone.exitCode == 65 && !FileSystem.itemExists(folder.path("none.html")))
    let again = try run("sheet", "a.jpg", "-o", "sheet.html")
    #expect(again.exitCode == 73 && again.errors.contains("--force"))
    #expect(try run("sheet", "a.jpg", "-o", "a.jpg", "-f").exitCode == 64)
  }

  @Test(arguments: [[], ["--no-sidecar"]])
  func `a batch writes a page with its results and failures`(options: [String]) throws {
    try folder.write(try TestImages.bytes("inputs/photo-landscape.jpg"), to: "a.jpg")
    try folder.write(Array("no image".utf8), to: "bad.jpg")
    let result = try Tool.run(
      ["apply", "--filter", "sepia:amount=0.5", "--sheet", "s.html", "a.jpg", "bad.jpg"] + options,
      in: folder.path)
    #expect(result.exitCode == 1, "\(result.errors)")
    let page = try page("s.html")
    #expect(try images(page).count == 2)
    #expect(page.contains("<li>sepia amount=0.5</li>"))
    #expect(page.contains("<h2>bad.jpg</h2>\n<p class=\"failure\">"))
    #expect(page.contains("<footer>1 photo, 1 failed</footer>"))
    let piped = try run("apply", "--filter", "sepia", "--sheet", "p.html", "a.jpg", "-o", "-")
    #expect(piped.exitCode == 64 && !FileSystem.itemExists(folder.path("p.html")))
  }

  @Test func `an asset of a library is shown`() throws {
    let library = try ToolLibrary()
    let page = library.folder.path("sheet.html")
    try library.folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "a.jpg")
    #expect(try library.run("asset", "import", "a.jpg").exitCode == 0)
    let identifier = try #require(try library.list().first)
    #expect(try library.run("apply", identifier, "--filter", "invert", "-q").exitCode == 0)
    #expect(try library.run("sheet", identifier, "-o", page).exitCode == 0)
    let text = String(decoding: try FileBytes.reading(page).array, as: UTF8.self)
    #expect(try images(text).count == 2 && text.contains("<li>invert amount=1</li>"))
  }
}
