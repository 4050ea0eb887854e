// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("photoedit compare", .runsPrograms)
struct CompareTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A gray wedge of 16 columns and rows with one pixel changed by a number of levels.
  private func write(_ name: String, changedBy levels: Int = 0, bytesPerSample: Int = 1) throws {
    let layout = RowLayout(channels: .rgb, bytesPerSample: bytesPerSample)
    var image = ImageBuffer(size: PixelSize(width: 16, height: 16), layout: layout)
    let unit = bytesPerSample == 1 ? 1 : 257
    for y in 0..<16 {
      for x in 0..<16 {
        for c in 0..<3 { image[x: x, y: y, channel: c] = (8 * x + 4 * y + 30 * c) * unit }
      }
    }
    for c in 0..<3 { image[x: 5, y: 9, channel: c] += levels * unit }
    try folder.write(PNGEncoder.encode(image), to: name)
  }

  private func compare(_ words: String...) throws -> Tool.Result {
    try Tool.run(["compare"] + words, in: folder.path)
  }

  @Test func `equal pixels exit with 0; one differing pixel exits with 1 and its point`() throws {
    try write("a.png")
    try write("b.png", changedBy: 3)
    let equal = try compare("a.png", "a.png")
    #expect(equal.exitCode == 0)
    #expect(equal.output.contains("no pixel differs"))
    let other = try compare("a.png", "b.png")
    #expect(other.exitCode == 1)
    #expect(other.output.contains("3 at (5, 9)"))
    #expect(other.output.contains("1 of 256 pixels"))
    #expect(other.errors.isEmpty)
  }

  @Test func `a 16-bit image equals the 8-bit image with the same values`() throws {
    try write("a.png")
    try write("deep.png", bytesPerSample: 2)
    #expect(try compare("a.png", "deep.png", "--tolerance", "E1").exitCode == 0)
  }

  @Test(arguments: [("E1", 0), ("T1", 1), ("T2", 2)])
  func `a class accepts differences up to its limit and names the failed limit`(
    name: String, limit: Int
  ) throws {
    try write("a.png")
    try write("within.png", changedBy: limit)
    try write("beyond.png", changedBy: limit + 1)
    #expect(try compare("a.png", "within.png", "--tolerance", name).exitCode == 0)
    let outside = try compare("a.png", "beyond.png", "--tolerance", name, "--json")
    #expect(outside.exitCode == 1)
    let object = try #require(try outside.jsonLines().first)
    #expect(object["class"]?.stringValue == name)
    #expect(object["isWithin"] == false)
    #expect(object["failure"]?.stringValue?.contains("largest difference is \(limit + 1)") == true)
    #expect(object["maximumPosition"] == ["x": 5, "y": 9])
  }

  @Test func `the JSON has every measure, and no PSNR for identical images`() throws {
    try write("a.png")
    let object = try #require(try compare("a.png", "a.png", "--json").jsonLines().first)
    #expect(object["isEqual"] == true)
    #expect(object["psnr"] == .null)
    #expect(object["ssim"] == 1)
    #expect(object["maximumPosition"] == .null)
    #expect(object["deltaE2000"] == ["mean": 0, "p99": 0, "maximum": 0])
    #expect(object["failure"] == .null)
  }

  @Test(arguments: 2...8)
  func `an image equals its rotated copy because both have their orientation applied`(
    orientation: Int
  ) throws {
    let inputs = "\(TestImages.folder)/inputs"
    let result = try compare(
      "\(inputs)/orientation-odd-1.png", "\(inputs)/orientation-odd-\(orientation).png")
    #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
  }

  @Test func `different sizes are a difference, not an error`() throws {
    try write("a.png")
    try folder.write(TestImages.bytes("photo-64.jpg"), to: "b.jpg")
    let result = try compare("a.png", "b.jpg", "--diff", "d.png")
    #expect(result.exitCode == 1)
    #expect(result.output.contains("16×16") && result.output.contains("64×48"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("d.png")))
    let object = try compare("a.png", "b.jpg", "--tolerance", "P", "--json").jsonLines().first
    #expect(object?["isWithin"] == false)
    #expect(object?["first"]?["width"] == 16)
    #expect(object?["second"]?["width"] == 64)
  }

  @Test func `the difference image amplifies differences 16 times`() throws {
    try write("a.png")
    try write("b.png", changedBy: 3)
    #expect(try compare("a.png", "b.png", "--diff", "d.png").exitCode == 1)
    let map = try ImageDecoders.decode(FileBytes.reading(folder.path("d.png")))
    #expect(map.size == PixelSize(width: 16, height: 16))
    #expect(map[x: 5, y: 9, channel: 1] == 48)
    #expect(map.bytes.count { $0 != 0 } == 3)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        "a.png", "b.png", "d.png",
      ])
  }

  @Test func `an existing --diff file is replaced only with --force`() throws {
    try write("a.png")
    try folder.write([1, 2, 3], to: "d.png")
    let refused = try compare("a.png", "a.png", "--diff", "d.png")
    #expect(refused.exitCode == 73)
    #expect(refused.errors.contains("--force"))
    #expect(try [UInt8](Data(contentsOf: folder.url("d.png"))) == [1, 2, 3])
    #expect(try compare("a.png", "a.png", "--diff", "d.png", "--force").exitCode == 0)
    #expect(try Data(contentsOf: folder.url("d.png")).starts(with: [0x89, 0x50]))
  }

  @Test func `--diff never replaces a compared image`() throws {
    try write("a.png")
    try write("b.png", changedBy: 3)
    let before = try Data(contentsOf: folder.url("b.png"))
    for name in ["b.png", "./b.png", folder.path("b.png")] {
      #expect(try compare("a.png", "b.png", "--diff", name, "--force").exitCode == 73)
    }
    #expect(try Data(contentsOf: folder.url("b.png")) == before)
    #expect(try compare("a.png", "b.png", "--diff", "none/d.png").exitCode == 73)
    #expect(try compare("a.png", "b.png", "--diff", folder.path, "--force").exitCode == 73)
  }

  @Test(arguments: [
    ("jpeg-truncated.jpg", 65), ("png-bad-crc.png", 65), ("jpeg-bomb.jpg", 65), ("empty.jpg", 65),
    ("bmp.jpg", 65), ("none.jpg", 66),
  ])
  func `a file that cannot be decoded fails with its own exit code`(
    name: String, code: Int
  ) throws {
    try write("a.png")
    let path = "\(TestImages.folder)/malformed/\(name)"
    let result = try compare("a.png", path, "--json")
    #expect(Int(result.exitCode) == code)
    #expect(try result.jsonLines().first?["input"]?.stringValue == path)
  }

  @Test func `damaged files are compared only on request, with a warning`() throws {
    let path = "\(TestImages.folder)/malformed/jpeg-truncated.jpg"
    let result = try compare(path, path, "--lenient")
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.errors.contains("warning: "))
  }

  @Test func `one image may come from standard input, but not both`() throws {
    let bytes = try TestImages.bytes("photo-64.jpg")
    try folder.write(bytes, to: "a.jpg")
    let result = try Tool.run(["compare", "-", "a.jpg"], in: folder.path, input: bytes)
    #expect(result.exitCode == 0)
    #expect(try Tool.run(["compare", "-", "-"], in: folder.path, input: bytes).exitCode == 64)
    #expect(try compare("a.jpg").exitCode == 64)
    #expect(try compare("a.jpg", "a.jpg", "--tolerance", "Q").exitCode == 64)
  }
}
