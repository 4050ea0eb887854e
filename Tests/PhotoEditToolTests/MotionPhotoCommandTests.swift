// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite(
  "Commands on motion photos", .runsPrograms,
  .enabled(if: Program.find("ffmpeg") != nil, "the program ffmpeg is not installed"))
struct MotionPhotoCommandTests {
  private let library: ToolLibrary

  init() throws { library = try ToolLibrary() }

  private func motionPhoto() throws -> [UInt8] {
    let ffmpeg = try #require(Program.find("ffmpeg"))
    let path = library.folder.path("film.mp4")
    let words =
      "-v error -f lavfi -i testsrc=size=32x24:rate=10:duration=0.5 -c:v libx264 -preset ultrafast "
      + "-pix_fmt yuv420p \(path)"
    let arguments = words.split(separator: " ").map(String.init)
    try #require(Program.run(ffmpeg, arguments, output: "/dev/null") == 0)
    var file = ImageFile()
    file.exif = [.blob(0x927C, Array("Maker\0".utf8) + [UInt8](repeating: 7, count: 40))]
    return try file.jpeg() + FileBytes.reading(path).array
  }

  private func export(_ asset: String, _ folder: String, _ options: String...) throws -> [String] {
    try FileSystem.createFolder(library.folder.path(folder))
    let result = try library.run(["asset", "export", asset, "-o", folder] + options)
    try #require(result.exitCode == 0, "\(result.errors)")
    return try FileSystem.names(in: library.folder.path(folder)).sorted()
  }

  @Test func `both parts are edited, exported as one file or two, and imported again`() throws {
    let original = try motionPhoto()
    let asset = try library.add(original, as: "a.MP.jpg")
    let edit = try library.json("apply", "--filter", "invert", "--strict", asset)
    #expect(edit["losses"]?.arrayValue?.isEmpty == true, "the video is not lost")
    _ = try library.json("adjust", asset, "--set", "invert.amount=0.5")
    #expect(try library.files(asset).keys.sorted() == [1, 5, 7, 9, 10])
    #expect(try export(asset, "one") == ["a.MP.jpg"])
    #expect(try export(asset, "two", "--split-motion-photos") == ["a.MP.jpg", "a.MP.mov"])
    #expect(try export(asset, "first", "--variant", "original") == ["a.MP.jpg"])
    let first = try FileBytes.reading(library.folder.path("first/a.MP.jpg"))
    #expect(first.digest() == SHA256Digest(of: original))
    for (index, folder) in ["one", "two"].enumerated() {
      let other = try library.second("second\(index)")
      let again = try #require(try other.lines("asset", "import", folder).first)
      let copy = try #require(again["asset"]?.stringValue)
      #expect(try other.json("asset", "show", copy)["playbackStyle"]?.integerValue == 3)
    }
  }

  @Test func `an import warns of no motion photo that it imports as one`() throws {
    try library.folder.write(try motionPhoto(), to: "a.MP.jpg")
    let quiet = try library.run(["asset", "import", "a.MP.jpg"])
    #expect(quiet.exitCode == 0 && !quiet.errors.contains("warning"), "\(quiet.errors)")
    let other = try library.second("second")
    let verbose = try other.run(["asset", "import", "a.MP.jpg", "-v"])
    #expect(verbose.errors.contains("imported as a Live Photo with its video"))
  }
}
