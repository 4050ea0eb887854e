// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("photoedit inspect", .runsPrograms)
struct InspectTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func inspect(_ name: String) throws -> JSONValue {
    try folder.write(TestImages.bytes(name), to: name)
    let result = try Tool.run(["inspect", "--json", name], in: folder.path)
    #expect(result.exitCode == 0, "\(result.errors)")
    return try #require(try result.jsonLines().first)
  }

  @Test func `every test image is described with its dimensions, byte count and digest`() throws {
    let entries = try TestImages.inputs()
    let result = try Tool.run(["inspect", "--json"] + entries.map(\.filePath), in: folder.path)
    #expect(result.exitCode == 0, "\(result.errors)")
    let objects = try result.jsonLines()
    #expect(objects.count == entries.count)
    for (object, entry) in zip(objects, entries) {
      #expect(object["input"]?.stringValue == entry.filePath)
      #expect(object["digest"]?.stringValue == "sha256:" + entry.sha256)
      #expect(object["storedWidth"]?.integerValue == entry.width, "\(entry)")
      #expect(object["storedHeight"]?.integerValue == entry.height, "\(entry)")
      #expect(object["bytes"]?.integerValue == (try entry.bytes().count))
    }
  }

  @Test(arguments: 1...8)
  func `the size is reported as stored and with the orientation applied`(orientation: Int) throws {
    let object = try inspect("orientation-\(orientation).jpg")
    #expect(object["orientation"]?.integerValue == orientation)
    let stored = [object["storedWidth"], object["storedHeight"]]
    let oriented = [object["width"], object["height"]]
    #expect(oriented == (orientation >= 5 ? stored.reversed() : stored))
  }

  @Test(arguments: [
    ("jpeg-444.jpg", "4:4:4"), ("jpeg-422.jpg", "4:2:2"), ("jpeg-440.jpg", "4:4:0"),
    ("jpeg-411.jpg", "4:1:1"), ("photo-64.jpg", "4:2:0"),
  ])
  func `chroma subsampling has its usual name`(name: String, sampling: String) throws {
    #expect(try inspect(name)["jpeg"]?["sampling"]?.stringValue == sampling)
  }

  @Test func `the coding of a JPEG is reported with its tables`() throws {
    let arithmetic = try #require(try inspect("jpeg-arithmetic.jpg")["jpeg"])
    #expect(arithmetic["entropy"] == "arithmetic")
    #expect(try inspect("jpeg-progressive.jpg")["jpeg"]?["coding"] == "progressive")
    let plain = try #require(try inspect("jpeg-restart.jpg")["jpeg"])
    #expect(plain["coding"] == "sequential")
    #expect(plain["entropy"] == "huffman")
    #expect(try #require(plain["restartInterval"]?.integerValue) > 0)
    let tables = try #require(plain["tables"]?.objectValue)
    #expect(Set(tables.keys) == ["0", "1"])
    #expect(tables.values.allSatisfy { $0.arrayValue?.count == 64 })
    #expect(try inspect("png-gray-8.png")["jpeg"]?.isNull == true)
  }

  @Test func `a profile is described by its name, color space and size`() throws {
    let profile = try #require(try inspect("jpeg-display-p3.jpg")["icc"])
    #expect(profile["description"]?.stringValue?.contains("Display P3") == true)
    #expect(profile["space"] == "RGB ")
    #expect(try #require(profile["bytes"]?.integerValue) > 128)
  }

  @Test(arguments: [
    ("jpeg-display-p3.jpg", "ICC" as String?, "kept"), ("photo-1024.jpg", nil, "kept"),
    ("jpeg-cmyk.jpg", nil, "converted"),
  ])
  func `the color space is reported with its handling`(
    name: String, stated: String?, handling: String
  ) throws {
    let color = try #require(try inspect(name)["colorSpace"])
    #expect(color["stated"]?.stringValue == stated)
    #expect(color["handling"]?.stringValue == handling)
    #expect(color["name"]?.stringValue?.isEmpty == false)
  }

  @Test func `the losses of a rendering are reported in advance`() throws {
    func losses(_ name: String) throws -> Set<String> {
      Set(try inspect(name)["losses"]?.arrayValue?.compactMap { $0["kind"]?.stringValue } ?? [])
    }
    #expect(try losses("png-rgba-16.png") == ["bitDepth", "alpha"])
    #expect(try losses("jpeg-trailing-bytes.jpg") == ["trailingData"])
    #expect(try losses("photo-64.jpg") == [])
  }

  @Test(arguments: [
    ("empty.jpg", 65), ("bmp.jpg", 65), ("jpeg-bomb.jpg", 65), ("png-bomb.png", 65),
    ("jpeg-lossless.jpg", 65), ("text.jpg", 65), ("jpeg-truncated-header.jpg", 65),
  ])
  func `a file that is not an image fails with its own exit code`(name: String, code: Int) throws {
    let path = "\(TestImages.folder)/malformed/\(name)"
    let result = try Tool.run(["inspect", "--json", path], in: folder.path)
    #expect(Int(result.exitCode) == code)
    let object = try #require(try result.jsonLines().first)
    #expect(object["input"]?.stringValue == path)
    #expect(object["error"]?["exit"]?.integerValue == code)
    #expect(result.errors.contains("error: "))
  }

  @Test func `pixels are decoded only on request`() throws {
    let path = "\(TestImages.folder)/malformed/jpeg-truncated.jpg"
    let plain = try Tool.run(["inspect", path], in: folder.path)
    #expect(plain.exitCode == 0)
    #expect(plain.output.contains("truncated"))
    let verified = try Tool.run(["inspect", "--verify", path], in: folder.path)
    #expect(verified.exitCode == 65)
    #expect(verified.output.isEmpty)
  }

  @Test func `one bad file among several does not stop the others, and the exit code is 1`() throws
  {
    let photo = try folder.write(TestImages.bytes("photo-64.jpg"), to: "a.jpg")
    let result = try Tool.run(["inspect", "--json", "none.jpg", photo], in: folder.path)
    #expect(result.exitCode == 1)
    let objects = try result.jsonLines()
    #expect(objects.first?["error"]?["exit"] == 66)
    #expect(objects.last?["format"] == "jpeg")
    let alone = try Tool.run(["inspect", "none.jpg"], in: folder.path)
    #expect(alone.exitCode == 66)
    #expect(try Tool.run(["inspect", folder.path], in: folder.path).exitCode == 65)
  }

  @Test func `a pipe given as a file is rejected without waiting`() throws {
    #expect(mkfifo(folder.path("pipe.jpg"), 0o600) == 0)
    #expect(try Tool.run(["inspect", "pipe.jpg"], in: folder.path).exitCode == 65)
  }

  @Test func `standard input is read once and gives the same result as the file`() throws {
    let bytes = try TestImages.bytes("photo-64.jpg")
    let result = try Tool.run(["inspect", "--json", "-"], in: folder.path, input: bytes)
    let object = try #require(try result.jsonLines().first)
    #expect(object["input"] == "-")
    #expect(object["digest"]?.stringValue == SHA256Digest(of: bytes).description)
    #expect(try Tool.run(["inspect", "-"], in: folder.path).exitCode == 65)
    #expect(try Tool.run(["inspect", "-", "-"], in: folder.path, input: bytes).exitCode == 64)
  }

  @Test func `control and bidirectional characters in a name never reach the terminal`() throws {
    let name = "a\u{1b}[31m\u{202e}\u{9b}.jpg"
    try folder.write(TestImages.bytes("photo-64.jpg"), to: name)
    for arguments in [["inspect", name], ["inspect", "--json", name]] {
      let result = try Tool.run(arguments, in: folder.path)
      #expect(result.exitCode == 0)
      #expect(result.output.unicodeScalars.allSatisfy { ![0x1b, 0x202e, 0x9b].contains($0.value) })
    }
    let object = try Tool.run(["inspect", "--json", name], in: folder.path).jsonLines().first
    #expect(object?["input"]?.stringValue == name)
  }

  @Test func `thousands of segments are counted but not all listed`() throws {
    let photo = try TestImages.bytes("photo-64.jpg")
    let comments = (0..<5000).flatMap { _ in [0xFF, 0xFE, 0, 3, 0x41] as [UInt8] }
    try folder.write(photo[..<2] + comments + photo[2...], to: "many.jpg")
    let result = try Tool.run(["inspect", "--json", "many.jpg"], in: folder.path)
    #expect(result.exitCode == 0)
    let object = try #require(try result.jsonLines().first)
    #expect(try #require(object["segmentCount"]?.integerValue) > 5000)
    #expect(object["segments"]?.arrayValue?.count == 256)
    let text = try Tool.run(["inspect", "many.jpg"], in: folder.path).output
    #expect(text.contains(" more\n"))
    #expect(text.split(separator: "\n").count < 300)
  }

  @Test func `a video is described by its container and streams, regardless of its name`() throws {
    let movie = TinyMovie.bytes(frames: 3)
    try folder.write(movie, to: "clip.jpg")
    let result = try Tool.run(["inspect", "--json", "clip.jpg"], in: folder.path)
    #expect(result.exitCode == 0, "\(result.errors)")
    let object = try #require(try result.jsonLines().first)
    #expect(object["kind"] == "movie")
    #expect(object["container"] == "quickTime")
    #expect(object["bytes"]?.integerValue == movie.count)
    #expect(object["digest"]?.stringValue == SHA256Digest(of: movie).description)
    let streams = try #require(object["streams"]?.arrayValue)
    #expect(streams.count == 1)
    #expect(streams.first?["kind"] == "video")
    #expect(streams.first?["codec"] == "jpeg")
    #expect(streams.first?["packets"] == 3)
    #expect(streams.first?["width"] == 32)
    let text = try Tool.run(["inspect", "clip.jpg"], in: folder.path).output
    #expect(text.contains("video jpeg, 32×16"))
  }

  @Test func `a video without its header is damaged data`() throws {
    try folder.write(Array(TinyMovie.bytes(frames: 3).prefix(60)), to: "clip.mov")
    #expect(try Tool.run(["inspect", "clip.mov"], in: folder.path).exitCode == 65)
  }
}
