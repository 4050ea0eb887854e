// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Dates with offsets on the command line", .runsPrograms)
struct AssetDateTests {
  private let library: ToolLibrary
  private static let date = "2024-06-14T09:12:00+09:00"

  init() throws { library = try ToolLibrary() }

  private func export(_ name: String, _ options: String...) throws {
    try FileSystem.createFolder(library.folder.path(name))
    let result = try library.run(["asset", "export", "--all", "-o", name] + options)
    #expect(result.exitCode == 0, "\(result.errors)")
  }

  @Test func `a date keeps the offset with which it was set`() throws {
    let asset = try library.add(try ImageFile().jpeg(), as: "a.jpg")
    var json = try library.json("asset", "set", asset, "--date", Self.date)
    #expect(json["localDate"]?.stringValue == Self.date)
    #expect(json["utcOffset"]?.integerValue == 32_400)
    #expect(json["creationDate"]?.stringValue == "2024-06-14T00:12:00Z")
    #expect(try library.run("asset", "show", asset).output.contains(Self.date))
    // The day is that of the place, on which it is found.
    json = try library.json("asset", "set", asset, "--date", "2024-06-14T23:30:00-03:30")
    #expect(json["localDate"]?.stringValue == "2024-06-14T23:30:00-03:30")
    #expect(json["day"]?.stringValue == "2024-06-14")
    #expect(try library.list("--month", "2024-06") == [asset])
    // UTC states a moment, without the clock of the place.
    json = try library.json("asset", "set", asset, "--date", "2024-06-14T00:12:00Z")
    #expect(json["localDate"]?.stringValue == "2024-06-13T20:42:00-03:30")
    json = try library.json("asset", "set", asset, "--date", "2024-06-14T00:12:00+00:00")
    #expect(json["localDate"]?.stringValue == "2024-06-14T00:12:00+00:00")
    for date in ["2024-06-14", "2024-06-14T09:12", "2024-06-31T09:12:00+09:00", "none "] {
      try library.expectRefusal(64, "invalid date", "asset", "set", asset, "--date", date)
    }
    try library.expectRefusal(
      65, "out of range", "asset", "set", asset, "--date", "2024-06-14T09:12:00+17:00")
    try library.expectOrder()
  }

  @Test func `an offset survives a repair, an export and an import`() throws {
    var file = ImageFile()
    file.exif = [.text(0x9003, "2020:01:01 08:00:00"), .text(0x9011, "+01:00")]
    let asset = try library.add(try file.jpeg(), as: "a.jpg")
    _ = try library.json("asset", "set", asset, "--date", Self.date)
    let database = library.folder.path(library.name + "/library.db")
    try FileManager.default.removeItem(atPath: database)
    #expect(try library.run("library", "repair").exitCode == 0)
    #expect(try library.json("asset", "show", asset)["localDate"]?.stringValue == Self.date)
    try export("current")
    try export("xmp", "--sidecar", "xmp", "--embed-metadata", "no")
    try export("all", "--variant", "all")
    for name in ["current", "xmp", "all"] {
      let second = try library.second("from-\(name)")
      #expect(try second.run("asset", "import", name).exitCode == 0)
      #expect(try second.json("asset", "list")["localDate"]?.stringValue == Self.date, "\(name)")
    }
    try export("day", "--template", "{created.day} {created.time}")
    #expect(FileSystem.itemExists(library.folder.path("day/14 091200.jpg")))
  }

  @Test func `a changed XMP file changes the offset, unless the date was set`() throws {
    let asset = try library.add(try ImageFile().jpeg(), as: "a.jpg")
    func update(_ date: String) throws -> String? {
      try library.write(
        Array(ImageFile.packet("exif:DateTimeOriginal=\"\(date)\"").utf8), to: "a.jpg.xmp")
      let run = try library.run(
        "asset", "import", "a.jpg", "a.jpg.xmp", "--update-metadata")
      #expect(run.exitCode == 0, "\(run.errors)")
      return try library.json("asset", "show", asset)["localDate"]?.stringValue
    }
    for date in ["2024-06-14T09:12:00+02:00", Self.date] { #expect(try update(date) == date) }
    let set = "2024-06-15T09:12:00-05:00"
    _ = try library.json("asset", "set", asset, "--date", set)
    #expect(try update("2024-06-16T09:12:00+02:00") == set)
  }

  private static let program = Program.find("exiftool")

  @Test(.enabled(if: program != nil, "ExifTool is not installed"))
  func `ExifTool reads the date with its offset`() throws {
    let asset = try library.add(try ImageFile().jpeg(), as: "a.jpg")
    _ = try library.json("asset", "set", asset, "--date", Self.date)
    try export("out", "--sidecar", "xmp")
    func read(_ file: String, _ tags: String...) throws -> [String] {
      let output = library.folder.path("exiftool-output")
      _ = Program.run(
        try #require(Self.program), ["-s3"] + tags + [library.folder.path(file)], output: output)
      return String(decoding: try FileBytes.reading(output).array, as: UTF8.self)
        .split(separator: "\n").map(String.init)
    }
    #expect(
      try read(
        "out/a.jpg", "-EXIF:DateTimeOriginal", "-EXIF:OffsetTimeOriginal",
        "-XMP-exif:DateTimeOriginal")
        == ["2024:06:14 09:12:00", "+09:00", "2024:06:14 09:12:00+09:00"])
    #expect(
      try read("out/a.jpg.xmp", "-XMP-exif:DateTimeOriginal", "-XMP-photoshop:DateCreated")
        == ["2024:06:14 09:12:00+09:00", "2024:06:14 09:12:00+09:00"])
  }
}
