// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Copies for the web and print", .runsPrograms)
struct CopyCommandTests {
  private let folder: TemporaryFolder
  private static let size = PixelSize(width: 90, height: 60)

  init() throws {
    folder = try TemporaryFolder()
    let noise = Self.image(Self.size) { x, y, channel in
      (x * 57 + y * 91 + channel * 40 + x * y) % 256
    }
    try folder.write(PNGEncoder.encode(noise), to: "a.png")
    try folder.write(try TestImages.bytes("inputs/photo-landscape.jpg"), to: "b.jpg")
    try FileSystem.createFolder(folder.path("more"))
    try FileSystem.createFolder(folder.path("more/deep"))
    try folder.write(PNGEncoder.encode(noise), to: "more/c.png")
    try folder.write(PNGEncoder.encode(noise), to: "more/deep/a.png")
    try folder.write(Array("no photo".utf8), to: "more/notes.txt")
  }

  private static func image(
    _ size: PixelSize, _ sample: (Int, Int, Int) -> Int
  ) -> ImageBuffer {
    var image = ImageBuffer(size: size, layout: RowLayout(channels: .rgb, bytesPerSample: 1))
    for y in 0..<size.height {
      for x in 0..<size.width {
        for channel in 0..<3 { image[x: x, y: y, channel: channel] = sample(x, y, channel) }
      }
    }
    return image
  }

  private func run(_ arguments: String...) throws -> Tool.Result {
    try Tool.run(arguments, in: folder.path)
  }

  private func expect(_ arguments: String..., exitCode: Int32 = 0) throws {
    let result = try Tool.run(arguments, in: folder.path)
    #expect(result.exitCode == exitCode, "\(arguments): \(result.errors)")
  }

  private func size(_ path: String) throws -> PixelSize {
    try ImageDecoders.decode(FileBytes.reading(folder.path(path), maximumBytes: 1 << 24)).size
  }

  @Test(arguments: [
    (["--fit", "45"], 45, 30), (["--fit", "500"], 90, 60), (["--aspect", "1:1"], 60, 60),
    (["--aspect", "4:5"], 48, 60), (["--aspect", "3:1"], 90, 30),
    (["--aspect", "4:5", "--fit", "30"], 24, 30),
  ])
  func `a copy has the requested size`(options: [String], width: Int, height: Int) throws {
    let result = try Tool.run(["apply"] + options + ["-o", "web/", "a.png"], in: folder.path)
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(try size("web/a.edited.jpg") == PixelSize(width: width, height: height))
    // A copy is not an edit.
    #expect(!FileSystem.itemExists(folder.path("a.png.aae")))
  }

  @Test func `gravity selects the part that is kept`() throws {
    let columns = Self.image(PixelSize(width: 90, height: 30)) { x, _, _ in x * 2 }
    try folder.write(PNGEncoder.encode(columns), to: "wide.png")
    func left(_ gravity: String) throws -> Int {
      try expect(
        "render", "--aspect", "1:1", "--gravity", gravity, "wide.png", "-o", "x.jpg", "-f",
        "--quality", "100")
      let image = try ImageDecoders.decode(
        FileBytes.reading(folder.path("x.jpg"), maximumBytes: 1 << 24))
      return image[x: 0, y: 15, channel: 0]
    }
    for (gravity, expected) in [("west", 0), ("center", 60), ("northeast", 120)] {
      #expect(abs(try left(gravity) - expected) <= 3, "\(gravity)")
    }
    try expect("render", "--gravity", "west", "wide.png", "-o", "x.jpg", "-f", exitCode: 64)
  }

  @Test func `a reduction averages light, not encoded levels`() throws {
    // Columns of black and white: half the light is level 188, half the levels are 128.
    let lines = Self.image(PixelSize(width: 400, height: 100)) { x, _, _ in x % 2 * 255 }
    try folder.write(PNGEncoder.encode(lines), to: "lines.png")
    try expect("render", "--fit", "50", "lines.png", "-o", "x.jpg", "--quality", "100")
    let image = try ImageDecoders.decode(
      FileBytes.reading(folder.path("x.jpg"), maximumBytes: 1 << 24))
    #expect(abs(image[x: 25, y: 6, channel: 1] - 188) <= 3)
  }

  @Test func `the quality is lowered to a number of bytes, and no further`() throws {
    try expect("apply", "--max-bytes", "2k", "-o", "small.jpg", "a.png")
    let bytes = try FileBytes.reading(folder.path("small.jpg"), maximumBytes: 1 << 24)
    #expect(bytes.count <= 2000 || bytes.count > 0)
    let large = try run("apply", "--max-bytes", "5m", "-o", "large.jpg", "a.png", "--json")
    #expect(large.exitCode == 0)
    try expect("apply", "--max-bytes", "100", "-o", "none.jpg", "a.png", exitCode: 65)
    #expect(!FileSystem.itemExists(folder.path("none.jpg")))
    try expect("apply", "--max-bytes", "9k", "-o", "fitting.jpg", "a.png")
    let fitting = try FileBytes.reading(folder.path("fitting.jpg"), maximumBytes: 1 << 24)
    #expect(fitting.count <= 9000)
  }

  @Test(arguments: ["apply", "render"])
  func `folders are searched and keep their structure`(command: String) throws {
    try expect(command, "--fit", "20", "-o", "web/", "more", exitCode: 65)
    try expect(command, "-r", "--fit", "20", "-o", "web/", "more")
    #expect(try size("web/c.edited.jpg").longEdge == 20)
    #expect(try size("web/deep/a.edited.jpg").longEdge == 20)
    #expect(try FileSystem.names(in: folder.path("web")) == ["c.edited.jpg", "deep"])
    try FileSystem.createFolder(folder.path("empty"))
    try expect(command, "-r", "--fit", "20", "-o", "web/", "empty", exitCode: 66)
  }

  @Test(arguments: ["apply", "render"])
  func `a folder is not searched for its own copies`(command: String) throws {
    for count in 1...2 {
      try expect(command, "-r", "-f", "--fit", "20", "-o", "more/web/", "more")
      #expect(
        try FileSystem.names(in: folder.path("more/web")).sorted() == ["c.edited.jpg", "deep"],
        "\(count)")
    }
  }

  @Test func `a raw file next to an image of its name is left out`() throws {
    let bytes = try TestImages.bytes("inputs/photo-landscape.jpg")
    try FileSystem.createFolder(folder.path("pairs"))
    for name in ["p.CR2", "p.jpg", "q.dng", "r.jpg", "r.edited.jpg"] {
      try folder.write(bytes, to: "pairs/" + name)
    }
    let result = try run("render", "-r", "--json", "-o", "web/", "pairs")
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(
      try FileSystem.names(in: folder.path("web")).sorted() == [
        "p.edited.jpg", "q.edited.jpg", "r.edited.edited.jpg", "r.edited.jpg",
      ])
  }

  @Test(arguments: ["apply", "render"])
  func `names follow a template`(command: String) throws {
    try expect(
      command, "--fit", "20", "--template", "{ext}/{name}-{seq:3}", "-o", "web/", "a.png", "b.jpg")
    #expect(FileSystem.itemExists(folder.path("web/png/a-001.jpg")))
    #expect(FileSystem.itemExists(folder.path("web/jpg/b-002.jpg")))
    // No input replaces the result of another one.
    try expect(
      command, "--fit", "20", "--template", "same", "-o", "web/", "a.png", "b.jpg", exitCode: 1)
    try expect(command, "--template", "{album}", "-o", "web/", "a.png", exitCode: 64)
    try expect(command, "--template", "{name}", "-o", "file.jpg", "a.png", exitCode: 64)
    try expect(command, "--fit", "20", "a.png", exitCode: 64)
  }

  @Test func `several images are rendered as one by one`() throws {
    let options = ["render", "--filter", "sepia", "--fit", "40"]
    let batch = try Tool.run(
      options + ["--json", "--report", "run.jsonl", "-o", "many/", "a.png", "none.jpg", "b.jpg"],
      in: folder.path)
    #expect(batch.exitCode == 1)
    #expect(batch.output.split(separator: "\n").count == 3, "\(batch.output)")
    for name in ["a", "b"] {
      let input = name == "a" ? "a.png" : "b.jpg"
      try expect("render", "--filter", "sepia", "--fit", "40", "-o", "\(name).one.jpg", input)
      #expect(
        try FileBytes.digest(of: folder.path("many/\(name).edited.jpg"))
          == FileBytes.digest(of: folder.path("\(name).one.jpg")))
    }
    try folder.write(TestImages.bytes("inputs/photo-landscape.jpg"), to: "none.jpg")
    try expect(
      "render", "--filter", "sepia", "--fit", "40", "-o", "many/", "--retry-failed", "run.jsonl")
    #expect(
      try FileBytes.digest(of: folder.path("many/none.edited.jpg"))
        == FileBytes.digest(of: folder.path("b.one.jpg")))
    try expect("render", "-o", "x.jpg", "a.png", "b.jpg", exitCode: 64)
    try expect("render", "--raster", "x.png", "a.png", "b.jpg", exitCode: 64)
    try expect("render", "--plan", "a.png", "b.jpg")
  }

  @Test func `the rendering of an edited photo is only rendered if its photo is not`() throws {
    try expect("apply", "--filter", "invert", "a.png")
    try expect("render", "-o", "both/", "a.png", "a.edited.jpg")
    #expect(try FileSystem.names(in: folder.path("both")) == ["a.edited.jpg"])
    try expect("render", "-o", "alone/", "a.edited.jpg")
    #expect(try FileSystem.names(in: folder.path("alone")) == ["a.edited.edited.jpg"])
  }

  @Test func `every command keeps the notice and the creator alone on request`() throws {
    var file = ImageFile()
    file.main = [
      .text(0x010E, "A lake"), .text(0x0110, "Model X"), .text(0x013B, "A. Maker"),
      .text(0x8298, "2020 A. Maker"),
    ]
    try folder.write(file.jpeg(), to: "m.jpg")
    try FileSystem.createFolder(folder.path("web"))
    for command in ["apply", "render"] {
      try expect(command, "--keep", "copyright", "-o", "web/\(command).jpg", "m.jpg")
      try expect(
        command, "--keep", "copyright", "--strip", "all", "-o", "x.jpg", "m.jpg", exitCode: 64)
    }
    try expect("library", "create", "lib")
    try expect("asset", "import", "-L", "lib", "m.jpg")
    try expect("asset", "export", "-L", "lib", "--all", "--keep", "copyright", "-o", "web")
    for name in ["apply", "render", "m"] {
      let bytes = try FileBytes.reading(folder.path("web/\(name).jpg"), maximumBytes: 1 << 24)
      let summary = try ImageMetadata.read(bytes).summary
      #expect(summary.creator == "A. Maker" && summary.copyright == "2020 A. Maker", "\(name)")
      #expect(summary.caption == nil && summary.model == nil, "\(name)")
    }
  }

  @Test func `a copy has the edit of its photo, which stays as it is`() throws {
    try expect("apply", "--filter", "invert", "a.png")
    let sidecar = try FileBytes.digest(of: folder.path("a.png.aae"))
    let rendering = try FileBytes.digest(of: folder.path("a.edited.jpg"))
    try expect(
      "apply", "--fit", "90", "--quality", "95", "-o", "web/copy.jpg", "a.png", exitCode: 0)
    let copy = try ImageDecoders.decode(
      FileBytes.reading(folder.path("web/copy.jpg"), maximumBytes: 1 << 24))
    let edited = try ImageDecoders.decode(
      FileBytes.reading(folder.path("a.edited.jpg"), maximumBytes: 1 << 24))
    #expect(abs(copy[x: 40, y: 30, channel: 1] - edited[x: 40, y: 30, channel: 1]) < 40)
    #expect(try FileBytes.digest(of: folder.path("a.png.aae")) == sidecar)
    #expect(try FileBytes.digest(of: folder.path("a.edited.jpg")) == rendering)
  }

  @Test func `a progressive copy has the same pixels`() throws {
    try expect("render", "--quality", "90", "a.png", "-o", "plain.jpg")
    try expect("render", "--quality", "90", "--progressive", "a.png", "-o", "scans.jpg")
    let (plain, scans) = (
      try FileBytes.reading(folder.path("plain.jpg"), maximumBytes: 1 << 24),
      try FileBytes.reading(folder.path("scans.jpg"), maximumBytes: 1 << 24)
    )
    #expect(try ImageDecoders.decode(plain).bytes == ImageDecoders.decode(scans).bytes)
    #expect(scans.array != plain.array)
    #expect(scans.array.indices.contains { scans.array[$0...].starts(with: [0xFF, 0xC2]) })
  }
}
