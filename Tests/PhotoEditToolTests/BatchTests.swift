// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Several photos in one invocation", .runsPrograms)
struct BatchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: [String]) throws -> Tool.Result {
    try Tool.run(arguments, in: folder.path)
  }

  private var files: [String] {
    get throws { try FileSystem.names(in: folder.path) }
  }

  private func digest(_ name: String) throws -> SHA256Digest {
    try FileBytes.digest(of: folder.path(name))
  }

  /// Writes images of several kinds, none with a date.
  private func writePhotos(_ count: Int) throws -> [String] {
    let inputs = ["photo-64.jpg", "jpeg-444.jpg", "png-rgb-8.png", "jpeg-17x31.jpg"]
    return try (0..<count).map { number in
      let input = inputs[number % inputs.count]
      let name = "p\(number / 10)\(number % 10).\(input.suffix(3))"
      try folder.write(try TestImages.bytes("inputs/\(input)"), to: name)
      return name
    }
  }

  @Test func `files and reports are identical for any number of jobs`() throws {
    let names = try writePhotos(12)
    var results: [[SHA256Digest]] = []
    var reports: [[JSONValue?]] = []
    for jobs in ["1", "2", "8"] {
      try FileSystem.createFolder(folder.path("out\(jobs)"))
      let result = try run(
        ["apply", "--filter", "sepia", "--filter", "gaussianBlur:sigma=2", "-o", "out\(jobs)/"]
          + ["--no-sidecar", "--json", "-j", jobs] + names)
      try #require(result.exitCode == 0, "\(result.errors)")
      results.append([])
      reports.append(try result.jsonLines().map { $0["graph"] })
      #expect(try result.jsonLines().map { $0["input"]?.stringValue } == names)
      for name in names {
        let stem = FileSystem.splitName(name).stem
        results[results.count - 1].append(try digest("out\(jobs)/\(stem).edited.jpg"))
      }
    }
    #expect(results[1] == results[0] && results[2] == results[0])
    #expect(reports[1] == reports[0] && reports[2] == reports[0])
  }

  @Test(arguments: ["1", "2", "8"])
  func `one broken photo among many fails alone, at its position`(jobs: String) throws {
    let names = try writePhotos(9)
    try folder.write(Array("text".utf8), to: "p04.jpg")
    let broken = names.map { $0.hasPrefix("p04") ? "p04.jpg" : $0 }
    let result = try run(["apply", "--filter", "grayscale", "--json", "-j", jobs] + broken)
    #expect(result.exitCode == 1)
    let lines = try result.jsonLines()
    #expect(lines.map { $0["input"]?.stringValue } == broken)
    for (line, name) in zip(lines, broken) {
      #expect((line["error"] != nil) == (name == "p04.jpg"), "\(name)")
    }
    #expect(result.errors.contains("9 photos: 8 rendered, 1 failed in "))
    #expect(try files.count { $0.hasSuffix(".edited.jpg") } == 8)
    #expect(try files.count { $0.hasSuffix(".aae") } == 8)
  }

  @Test func `messages appear in input order`() throws {
    let names = try writePhotos(8)
    // The first image is by far the largest, so the others finish before it.
    try folder.write(try TestImages.bytes("inputs/photo-1024.jpg"), to: names[0])
    let result = try run(["apply", "--filter", "sepia", "-j", "4", "-v"] + names)
    #expect(result.exitCode == 0, "\(result.errors)")
    let wrote = result.errors.split(separator: "\n").filter { $0.contains("wrote") }
    let expected = names.map { "wrote \(FileSystem.splitName($0).stem).edited.jpg" }
    #expect(wrote.count == expected.count)
    for (line, words) in zip(wrote, expected) { #expect(line.contains(words)) }
  }

  @Test func `more photos than can be saved at once are all saved and reported`() throws {
    let names = try writePhotos(70)
    let result = try run(["apply", "--filter", "sepia", "--json"] + names)
    #expect(result.exitCode == 0, "\(result.errors)")
    let lines = try result.jsonLines()
    #expect(lines.map { $0["input"]?.stringValue } == names)
    for line in lines {
      let output = try #require(line["output"]?.stringValue)
      #expect(try FileBytes.reading(folder.path(output)).count == line["bytes"]?.integerValue)
    }
    #expect(try run(["revert"] + names).exitCode == 0)
    #expect(try files.count { $0.hasSuffix(".edited.jpg") } == 0)
  }

  @Test func `a photo listed twice is undone twice`() throws {
    let names = try writePhotos(2)
    for filter in ["sepia", "grayscale"] {
      #expect(try run(["apply", "--filter", filter] + names).exitCode == 0)
    }
    #expect(try run(["undo", names[0], names[0], names[1]]).exitCode == 0)
    let edits = try names.map { try run(["show", $0, "--json"]).jsonLines().first }
    #expect(edits[0]?["edited"]?.boolValue == false)
    #expect(edits[1]?["edited"]?.boolValue == true)
  }

  @Test func `a photo listed twice is edited once`() throws {
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "a.jpg")
    let result = try run(["apply", "--filter", "sepia", "--json", "a.jpg", "./a.jpg"])
    #expect(result.exitCode == 1)
    let lines = try result.jsonLines()
    #expect(lines.first?["error"] == nil)
    #expect(lines.last?["error"]?["code"]?.stringValue == "repeatedInput")
    #expect(lines.last?["error"]?["message"]?.stringValue?.contains("same photo as a.jpg") == true)
    let shown = try run(["show", "a.jpg", "--json"]).jsonLines().first
    #expect(shown?["graph"]?["nodes"]?.arrayValue?.count == 1)
  }

  @Test(arguments: [["--json"], ["--json", "--force"], ["--json", "--no-sidecar", "--force"]])
  func `the first of two photos with the same output path gets it`(
    options: [String]
  ) throws {
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "a.jpg")
    try folder.write(try TestImages.bytes("inputs/png-rgb-8.png"), to: "a.png")
    let result = try run(["apply", "--filter", "sepia"] + options + ["a.jpg", "a.png"])
    #expect(result.exitCode == 1)
    let error = try result.jsonLines().last?["error"]
    #expect(error?["code"]?.stringValue == "sharedOutput")
    #expect(error?["exit"]?.integerValue == 73)
    #expect(
      error?["message"]?.stringValue?.contains("and that of a.jpg would both be written to") == true
    )
    let size = try ImageDecoders.decode(FileBytes.reading(folder.path("a.edited.jpg"))).size
    #expect(size == PixelSize(width: 64, height: 48))
    #expect(try !files.contains("a.png.aae"))
  }

  @Test func `an output path of an earlier edit is rejected with the name of its photo`() throws {
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "a.jpg")
    try folder.write(try TestImages.bytes("inputs/png-rgb-8.png"), to: "a.png")
    #expect(try run(["apply", "--filter", "sepia", "a.jpg"]).exitCode == 0)
    let before = try digest("a.edited.jpg")
    for options in [[], ["--force"]] {
      let result = try run(["apply", "--filter", "sepia", "a.png"] + options)
      #expect(result.exitCode == 73)
      #expect(result.errors.contains("that of a.jpg"), "\(result.errors)")
    }
    #expect(try digest("a.edited.jpg") == before)
    #expect(try run(["apply", "--filter", "sepia", "a.png", "-o", "b.jpg"]).exitCode == 0)
  }

  @Test func `a rendering never replaces another input`() throws {
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "a.jpg")
    try folder.write(try TestImages.bytes("inputs/jpeg-444.jpg"), to: "a.edited.jpg")
    let before = try digest("a.edited.jpg")
    let result = try run(["apply", "--force", "--filter", "sepia", "a.jpg", "a.edited.jpg"])
    #expect(result.exitCode == 1)
    #expect(result.errors.contains("which is also an input"), "\(result.errors)")
    #expect(try digest("a.edited.jpg") == before)
  }

  @Test func `all files in a folder can be edited repeatedly`() throws {
    let names = try writePhotos(4)
    for round in 1...3 {
      let all = try files.filter { !$0.hasSuffix(".aae") }
      let result = try run(["apply", "--filter", "exposure:ev=0.1", "--json"] + all)
      #expect(result.exitCode == 0, "\(result.errors)")
      let lines = try result.jsonLines()
      #expect(lines.count == all.count)
      for (line, name) in zip(lines, all) {
        let isRendering = name.contains(".edited.")
        #expect((line["skipped"]?.boolValue == true) == isRendering, "\(name)")
        #expect((line["renderingOf"] != nil) == isRendering, "\(name)")
      }
      let shown = try run(["show", names[0], "--json"]).jsonLines().first
      #expect(shown?["graph"]?["nodes"]?.arrayValue?.count == round)
    }
    #expect(try files.count == names.count * 3)
  }

  @Test func `a rendering or base given as input is rejected with the name of its photo`() throws {
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "a.jpg")
    #expect(try run(["apply", "--filter", "sepia", "a.jpg"]).exitCode == 0)
    let other = ["--format-identifier", "com.example.other"]
    #expect(try run(["apply", "--filter", "invert", "a.jpg"] + other).exitCode == 0)
    let before = try files
    for name in ["a.edited.jpg", "a.base.jpg", "./a.edited.jpg"] {
      let result = try run(["apply", "--filter", "sepia", name])
      #expect(result.exitCode == 65, "\(name): \(result.errors)")
      #expect(result.errors.contains("belongs to the edit of"), "\(result.errors)")
    }
    #expect(try files == before)
    // Without its photo it is an ordinary image.
    #expect(try run(["revert", "a.jpg"]).exitCode == 0)
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "a.edited.jpg")
    #expect(try run(["apply", "--filter", "sepia", "a.edited.jpg"]).exitCode == 0)
  }

  @Test(arguments: ["-j=0", "-j=-1", "--jobs=257", "--jobs=two", "--threads=0", "--threads=9999"])
  func `invalid numbers of jobs and threads are rejected`(option: String) throws {
    let names = try writePhotos(1)
    let result = try run(["apply", "--filter", "sepia", option] + names)
    #expect(result.exitCode == 64)
    #expect(result.errors.contains("1–256") || result.errors.contains("not an integer"))
    #expect(try files == names)
  }

  @Test(arguments: [(SIGTERM, Int32(143)), (SIGINT, Int32(130))])
  func `a signal stops all photos and leaves no partial output`(
    signal: Int32, exitCode: Int32
  ) throws {
    let photo = try TestImages.bytes("inputs/photo-1024.jpg")
    let names = (10..<40).map { "p\($0).jpg" }
    for name in names { try folder.write(photo, to: name) }
    let process = try ChildProcess(
      BuiltProgram.path, ["apply", "-q", "--filter", "gaussianBlur:sigma=3", "-j", "3"] + names,
      folder: folder.path, variables: [:])
    let deadline = ContinuousClock.now.advanced(by: Tool.timeLimit)
    while try !files.contains(where: { $0.hasSuffix(".edited.jpg") }) {
      try #require(ContinuousClock.now < deadline)
      poll(nil, 0, 1)
    }
    process.send(signal)
    _ = process.exchange([], until: deadline)
    #expect(process.wait() == exitCode)
    let left = try files
    let edited = left.filter { $0.hasSuffix(".edited.jpg") }
    #expect((1..<names.count).contains(edited.count))
    #expect(
      left.sorted()
        == (names + edited + edited.map { $0.dropLast(11) + ".jpg.aae" }).sorted())
    for name in edited {
      let image = try ImageDecoders.decode(FileBytes.reading(folder.path(name)))
      #expect(image.size == PixelSize(width: 1024, height: 768))
    }
  }
}
