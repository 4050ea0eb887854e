// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Editing commands", .runsPrograms)
struct EditingCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(try TestImages.bytes("inputs/photo-landscape.jpg"), to: "photo.jpg")
  }

  private func run(_ arguments: String...) throws -> Tool.Result {
    try Tool.run(arguments, in: folder.path)
  }

  private func json(_ arguments: String...) throws -> JSONValue {
    let result = try Tool.run(arguments + ["--json"], in: folder.path)
    try #require(result.exitCode == 0, "\(result.errors)")
    return try #require(try result.jsonLines().first)
  }

  private func digest(_ name: String) throws -> SHA256Digest {
    try FileBytes.digest(of: folder.path(name))
  }

  private var files: [String] {
    get throws { try FileSystem.names(in: folder.path) }
  }

  /// All `stat` fields of the original that an edit could change.
  private func originalFacts() throws -> [Int] {
    var status = stat()
    try #require(stat(folder.path("photo.jpg"), &status) == 0)
    return [
      Int(status.st_size), Int(status.st_mode), Int(status.st_nlink), status.st_mtim.tv_sec,
      status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
      status.st_atim.tv_sec, status.st_atim.tv_nsec,
    ]
  }

  @Test func `apply, show, adjust and revert leave the original and its times unchanged`() throws {
    let before = try originalFacts()
    let original = try digest("photo.jpg")
    #expect(try run("apply", "--filter", "sepia", "photo.jpg").exitCode == 0)
    #expect(try run("show", "photo.jpg").exitCode == 0)
    #expect(try run("adjust", "photo.jpg", "--set", "sepia.amount=0.5").exitCode == 0)
    #expect(try run("revert", "photo.jpg").exitCode == 0)
    #expect(try originalFacts() == before)
    #expect(try digest("photo.jpg") == original)
    #expect(try files == ["photo.jpg", "photo.jpg.aae"])
  }

  @Test func `thousands of filters are refused at the first one too many`() throws {
    let filters = [[String]](repeating: ["--filter", "sepia"], count: 20_000).flatMap { $0 }
    let result = try Tool.run(["apply", "photo.jpg"] + filters, in: folder.path)
    #expect(result.exitCode != 0)
    #expect(result.errors.contains("the edit would have 513 nodes (maximum: 512)"))
  }

  @Test func `apply reports its result to scripts`() throws {
    let report = try json("apply", "--filter", "grayscale", "photo.jpg")
    #expect(report["schemaVersion"]?.integerValue == 1)
    #expect(report["input"]?.stringValue == "photo.jpg")
    #expect(report["output"]?.stringValue == "photo.edited.jpg")
    #expect(report["sidecar"]?.stringValue == "photo.jpg.aae")
    #expect(report["base"]?.stringValue == "original")
    #expect(report["resumed"]?.boolValue == false)
    #expect(report["path"]?.stringValue == "coefficients")
    #expect(report["formatIdentifier"]?.stringValue == "org.photoedit.filter-graph")
    let again = try json("apply", "--filter", "exposure:ev=0.5", "photo.jpg")
    #expect(again["resumed"]?.boolValue == true)
    #expect(again["path"]?.stringValue == "pixels")
    #expect(again["graph"] != report["graph"])
  }

  @Test func `ten steps with two editors return to the initial state`() throws {
    let original = try digest("photo.jpg")
    func base(_ arguments: [String]) throws -> (base: String?, resumed: Bool?) {
      let report = try #require(
        try Tool.run(["apply", "photo.jpg", "--json"] + arguments, in: folder.path).jsonLines()
          .first)
      return (report["base"]?.stringValue, report["resumed"]?.boolValue)
    }
    let b = ["--format-identifier", "com.example.b"]
    // A edits, A resumes, B edits, B resumes, A edits.
    #expect(try base(["--filter", "sepia"]) == ("original", false))
    #expect(try base(["--filter", "exposure:ev=0.2"]) == ("original", true))
    let rA = try digest("photo.edited.jpg")
    #expect(try base(["--filter", "invert"] + b) == ("current", false))
    #expect(try digest("photo.base.jpg") == rA)
    #expect(try base(["--filter", "gamma:power=1.2"] + b) == ("previous", true))
    #expect(try digest("photo.base.jpg") == rA)
    let rB = try digest("photo.edited.jpg")
    #expect(try base(["--filter", "flip"]) == ("current", false))
    #expect(try digest("photo.base.jpg") == rB)
    // A rendering replaced by a PNG is not treated as created by photoedit.
    let rendering = try FileBytes.reading(folder.path("photo.edited.jpg"))
    try folder.write(try TestImages.bytes("inputs/png-rgb-8.png"), to: "photo.edited.jpg")
    let state = try digest("photo.jpg.aae")
    #expect(try run("apply", "--filter", "sepia", "photo.jpg").exitCode == 73)
    #expect(try digest("photo.jpg.aae") == state)
    try folder.write(Array(rendering.buffer), to: "photo.edited.jpg")
    // Revert, and revert again without a record.
    #expect(try json("revert", "photo.jpg")["changed"]?.boolValue == true)
    #expect(try json("revert", "photo.jpg")["changed"]?.boolValue == false)
    #expect(try digest("photo.jpg") == original)
    #expect(try !files.contains("photo.edited.jpg") && !files.contains("photo.base.jpg"))
    // Every step is in the journal.
    for expected in [rB, nil, rA] {
      #expect(try json("undo", "photo.jpg")["edited"]?.boolValue == true)
      guard let expected else { continue }
      let name = try files.contains("photo.base.jpg") ? "photo.base.jpg" : "photo.edited.jpg"
      #expect(try digest(name) == expected)
    }
  }

  @Test func `average gray is the rounded third of the sum before encoding`() throws {
    let result = try run(
      "render", "photo.jpg", "--filter", "grayscale:mode=average", "--raster", "gray.png")
    try #require(result.exitCode == 0, "\(result.errors)")
    let source = try ImageDecoders.decode(FileBytes.reading(folder.path("photo.jpg")))
    let gray = try ImageDecoders.decode(FileBytes.reading(folder.path("gray.png")))
    #expect(gray.layout == RowLayout(channels: .gray, bytesPerSample: 2))
    var wrong = 0
    for y in 0..<gray.size.height {
      for x in 0..<gray.size.width {
        let sum = (0..<3).reduce(0) { $0 + source[x: x, y: y, channel: $1] }
        // 16 bits hold the encoder's input; eight of them are obtained by rounding half up.
        let eight = (gray[x: x, y: y, channel: 0] * 255 * 2 + 65_535) / (65_535 * 2)
        if eight != (2 * sum + 3) / 6 { wrong += 1 }
      }
    }
    #expect(wrong == 0)
  }

  @Test(arguments: [
    (["apply", "photo.jpg"], 64, "nothing to do"),
    (["apply", "--filter", "graycale", "photo.jpg"], 64, "did you mean 'grayscale'"),
    (["apply", "--filter", "exposure:ev=11", "photo.jpg"], 64, "-10…10 stops"),
    (["apply", "--filter", "exposure:eva=1", "photo.jpg"], 64, "did you mean 'ev'"),
    (["apply", "--filter", "exposure", "photo.jpg"], 64, "the defaults have no effect"),
    (["apply", "--filter", "sepia", "missing.jpg"], 66, "missing.jpg"),
    (["apply", "--filter", "sepia", "."], 65, "folder"),
    (["apply", "--filter", "sepia", "photo.jpg", "-o", "nowhere/x.jpg"], 73, "nowhere"),
    (["apply", "--filter", "sepia", "photo.jpg", "-o", "photo.jpg", "--force"], 73, "original"),
    (["adjust", "photo.jpg", "--set", "sepia.amount=1"], 65, "not edited"),
    (["undo", "photo.jpg"], 65, "nothing to undo"),
    (["frobnicate"], 64, "frobnicate"),
  ])
  func `a rejected command has its exit code and message, and changes nothing`(
    arguments: [String], exitCode: Int, words: String
  ) throws {
    let result = try Tool.run(arguments, in: folder.path)
    #expect(Int(result.exitCode) == exitCode)
    #expect(result.errors.contains(words), "\(result.errors)")
    #expect(try files == ["photo.jpg"])
  }

  @Test(arguments: try TestImages.malformed())
  func `a malformed file is rejected and leaves no files`(_ entry: TestImages.Entry) throws {
    let isGraph = entry.name.hasSuffix(".json")
    let name = isGraph ? "graph.json" : "bad.jpg"
    try folder.write(try entry.bytes(), to: name)
    let result =
      isGraph
      ? try run("apply", "photo.jpg", "--graph", name) : try run("apply", "--filter", "sepia", name)
    #expect(result.exitCode == 65, "\(entry.name): \(result.errors)")
    #expect(result.errors.contains(isGraph ? "graph.json" : "bad.jpg"))
    #expect(try files == [name, "photo.jpg"].sorted())
  }

  @Test func `a pipe without a writer and a pipe specified as a file are rejected without waiting`()
    throws
  {
    try #require(mkfifo(folder.path("pipe.jpg"), 0o600) == 0)
    let result = try run("apply", "--filter", "sepia", "pipe.jpg")
    #expect(result.exitCode == 65)
    #expect(result.errors.contains("a pipe, not a file"))
  }

  @Test func `an existing file is not replaced without --force`() throws {
    try folder.write(Array("mine".utf8), to: "photo.edited.jpg")
    let result = try run("apply", "--filter", "sepia", "photo.jpg")
    #expect(result.exitCode == 73)
    #expect(result.errors.contains("photo.edited.jpg") && result.errors.contains("--force"))
    #expect(try digest("photo.edited.jpg") == SHA256Digest(of: Array("mine".utf8)))
    #expect(try run("apply", "--filter", "sepia", "photo.jpg", "--force").exitCode == 0)
  }

  @Test func `several inputs continue after a failure and exit with 1`() throws {
    try folder.write(Array("text".utf8), to: "bad.jpg")
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "small.jpg")
    let result = try run("apply", "--filter", "sepia", "bad.jpg", "photo.jpg", "small.jpg")
    #expect(result.exitCode == 1)
    #expect(result.errors.contains("3 photos: 2 rendered, 1 failed in "))
    #expect(try files.contains("photo.edited.jpg") && files.contains("small.edited.jpg"))
  }

  @Test func `standard input is rendered to standard output without a sidecar`() throws {
    let result = try Tool.run(
      ["apply", "--filter", "sepia", "-", "-o", "-"], in: folder.path,
      input: try TestImages.bytes("inputs/photo-64.jpg"))
    #expect(result.exitCode == 0, "\(result.errors)")
    let image = try ImageDecoders.decode(FileBytes(result.outputBytes))
    #expect(image.size == PixelSize(width: 64, height: 48))
    #expect(try files == ["photo.jpg"])
  }

  @Test(arguments: [[], ["--fit", "100"]])
  func `a photo on standard output has its edit`(options: [String]) throws {
    #expect(try run("apply", "--filter", "sepia", "photo.jpg").exitCode == 0)
    let before = try files.map { try digest($0) }
    let words = ["apply", "--filter", "contrast:amount=0.2", "photo.jpg"] + options
    let piped = try Tool.run(words + ["-o", "-"], in: folder.path)
    #expect(piped.exitCode == 0, "\(piped.errors)")
    #expect(try files.map { try digest($0) } == before)
    let copy = try Tool.run(
      words + ["-o", "copy.jpg"] + (options.isEmpty ? ["--fit", "4000"] : []),
      in: folder.path)
    #expect(copy.exitCode == 0, "\(copy.errors)")
    let written = try FileBytes.reading(folder.path("copy.jpg"))
    #expect(
      try ImageDecoders.decode(FileBytes(piped.outputBytes)).bytes
        == ImageDecoders.decode(written).bytes)
  }

  @Test func `a dry run writes nothing`() throws {
    #expect(try run("apply", "-n", "--filter", "sepia", "photo.jpg").exitCode == 0)
    #expect(try files == ["photo.jpg"])
    #expect(try run("apply", "--filter", "sepia", "photo.jpg").exitCode == 0)
    let before = try files.map { try digest($0) }
    for arguments in [["adjust", "--disable", "n1"], ["revert"], ["undo"]] {
      let result = try Tool.run(
        [arguments[0], "-n", "photo.jpg"] + arguments.dropFirst(), in: folder.path)
      #expect(result.exitCode == 0, "\(result.errors)")
    }
    #expect(try files.map { try digest($0) } == before)
  }

  @Test func `--no-sidecar writes only the rendering, and never over a recorded one`() throws {
    #expect(try run("apply", "--filter", "sepia", "photo.jpg", "--no-sidecar").exitCode == 0)
    #expect(try files == ["photo.edited.jpg", "photo.jpg"])
    #expect(try run("apply", "--filter", "sepia", "photo.jpg", "--force").exitCode == 0)
    let result = try run("apply", "--filter", "invert", "photo.jpg", "--no-sidecar", "--force")
    #expect(result.exitCode == 73)
  }

  @Test func `a changed original is not edited by accident`() throws {
    #expect(try run("apply", "--filter", "sepia", "photo.jpg").exitCode == 0)
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "photo.jpg")
    let result = try run("apply", "--filter", "invert", "photo.jpg")
    #expect(result.exitCode == 65)
    #expect(result.errors.contains("sha256:") && result.errors.contains("--replace"))
    let report = try json("apply", "--replace", "--filter", "invert", "photo.jpg")
    #expect(report["width"]?.integerValue == 64)
    #expect(try json("show", "photo.jpg")["resumable"]?.boolValue == true)
  }

  @Test func `--strict rejects a rendering that would lose data`() throws {
    try folder.write(try TestImages.bytes("inputs/png-rgba-16.png"), to: "deep.png")
    let result = try run("apply", "--strict", "--filter", "sepia", "deep.png")
    #expect(result.exitCode == 65)
    #expect(result.errors.contains("alpha") && result.errors.contains("bitDepth"))
    #expect(try files == ["deep.png", "photo.jpg"])
    let report = try json("apply", "--filter", "sepia", "deep.png")
    let kinds = report["losses"]?.arrayValue?.compactMap { $0["kind"]?.stringValue }
    #expect(Set(kinds ?? []).isSuperset(of: ["alpha", "bitDepth"]))
  }

  @Test(arguments: 1...8)
  func `a rotated photo shows the same content, rotated`(orientation: Int) throws {
    try folder.write(try TestImages.bytes("inputs/orientation-\(orientation).jpg"), to: "f.jpg")
    try folder.write(try TestImages.bytes("inputs/orientation-1.jpg"), to: "upright.jpg")
    for name in ["f.jpg", "upright.jpg"] {
      let result = try run("apply", "--filter", "rotate90:turns=1", name)
      try #require(result.exitCode == 0, "\(result.errors)")
    }
    let bytes = try FileBytes.reading(folder.path("f.edited.jpg"))
    #expect(try ImageMetadata.read(bytes).orientation == .up)
    let difference = try ImageDifference(
      try ImageDecoders.decode(bytes),
      try ImageDecoders.decode(FileBytes.reading(folder.path("upright.edited.jpg"))))
    #expect(difference.maximum <= 8)
    #expect(difference.psnr > 45)
  }
}
