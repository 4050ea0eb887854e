// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("XMP files on the command line", .runsPrograms)
struct XMPFileTests {
  private let library: ToolLibrary

  init() throws { library = try ToolLibrary() }

  private func asset(_ name: String, in library: ToolLibrary) throws -> JSONValue {
    try #require(
      try library.lines("asset", "list").first { $0["originalFilename"]?.stringValue == name })
  }

  @Test func `the longer name wins, and a RAW file has the first claim to the shorter one`() throws
  {
    func packet(_ title: String) -> [UInt8] {
      Array(ImageFile.packet("dc:title=\"\(title)\" xmp:Rating=\"3\"").utf8)
    }
    try library.write(try ImageFile().jpeg(1), to: "in/a.jpg")
    try library.write(packet("long"), to: "in/a.jpg.xmp")
    try library.write(packet("short"), to: "in/a.xmp")
    try library.write(try ImageFile().jpeg(2), to: "in/b.jpg")
    try library.write(packet("only"), to: "in/b.xmp")
    try library.write(ImageFile.dng(3), to: "in/c.dng")
    try library.write(packet("raw"), to: "in/c.xmp")
    let run = try library.run("asset", "import", "in")
    #expect(run.exitCode == 0 || run.exitCode == 1, "\(run.errors)")
    for (name, title) in [("a.jpg", "long"), ("b.jpg", "only"), ("c.dng", "raw")] {
      let json = try asset(name, in: library)
      #expect(json["title"]?.stringValue == title && json["rating"]?.integerValue == 3, "\(name)")
    }
    // The file of another program is kept byte for byte.
    let stored = try library.files(
      try #require(try asset("a.jpg", in: library)["identifier"]?.stringValue))
    #expect(try FileBytes.reading(try #require(stored[1001])).array == packet("long"))
    let again = try library.run("asset", "import", "in", "--json")
    let outcomes = try again.jsonLines().compactMap { $0["outcome"]?.stringValue }
    #expect(!outcomes.contains("imported") && !outcomes.contains("updated"), "\(outcomes)")
  }

  private static let program = Program.find("exiftool")

  @discardableResult
  private func exiftool(_ arguments: [String]) throws -> String {
    let output = library.folder.path("exiftool-output")
    #expect(Program.run(try #require(Self.program), arguments, output: output) == 0)
    return String(decoding: try FileBytes.reading(output).array, as: UTF8.self)
  }

  @Test(.enabled(if: program != nil, "ExifTool is not installed"))
  func `every property of an XMP file by ExifTool arrives, is exported and arrives again`() throws {
    try library.write(try ImageFile().jpeg(1), to: "in/a.jpg")
    try exiftool([
      "-XMP-dc:Title=Boats", "-XMP-dc:Description=At <dawn> & dusk", "-XMP-dc:Subject=boat",
      "-XMP-lr:HierarchicalSubject=Places|Portugal|Lisbon", "-XMP-xmp:Rating=4",
      "-XMP-xmp:Label=Blue", "-XMP-iptcExt:PersonInImage=Zoë",
      "-XMP-exif:DateTimeOriginal=2024:06:14 09:12:00.25+09:00", "-XMP-exif:GPSLatitude=38.5",
      "-XMP-exif:GPSLongitude=-9.25", "-XMP-exif:GPSAltitude=12.5", "-XMP-exif:GPSAltitudeRef=0",
      "-XMP-photoshop:City=Lisbon", "-XMP-photoshop:State=Lisboa",
      "-XMP-photoshop:Country=Portugal", "-XMP-crs:Exposure2012=0.5",
      library.folder.path("in/a.jpg.xmp"),
    ])
    #expect(try library.run("asset", "import", "in").exitCode == 0)
    let first = try asset("a.jpg", in: library)
    #expect(first["title"] == "Boats" && first["caption"] == "At <dawn> & dusk")
    #expect(first["keywords"] == ["Places/Portugal/Lisbon", "boat"])
    #expect(first["rating"] == 4 && first["label"] == "blue" && first["people"] == ["Zoë"])
    #expect(first["localDate"] == "2024-06-14T09:12:00+09:00")
    #expect(first["location"] == ["latitude": 38.5, "longitude": -9.25, "altitude": 12.5])
    #expect(first["place"] == "Lisbon, Lisboa, Portugal")
    try FileSystem.createFolder(library.folder.path("out"))
    let words = ["asset", "export", "--all", "--sidecar", "xmp", "--variant", "original"]
    #expect(try library.run(words + ["-o", "out"]).exitCode == 0)
    let original = try FileBytes.reading(library.folder.path("out/a.jpg")).array
    #expect(original == (try ImageFile().jpeg(1)))
    let tags = [
      "XMP-dc:Title", "XMP-dc:Description", "XMP-dc:Subject", "XMP-lr:HierarchicalSubject",
      "XMP-xmp:Rating", "XMP-xmp:Label", "XMP-iptcExt:PersonInImage", "XMP-exif:DateTimeOriginal",
      "XMP-exif:GPSLatitude", "XMP-exif:GPSLongitude", "XMP-exif:GPSAltitude",
      "XMP-photoshop:City", "XMP-photoshop:State", "XMP-photoshop:Country",
      "XMP-crs:Exposure2012",
    ]
    let read = try exiftool(
      ["-s3", "-n", "-f", "-sep", ","] + tags.map { "-" + $0 }
        + [library.folder.path("out/a.jpg.xmp")])
    #expect(
      read.split(separator: "\n").map(String.init) == [
        "Boats", "At <dawn> & dusk", "Lisbon,boat", "Places|Portugal|Lisbon,boat", "4", "Blue",
        "Zoë",
        "2024:06:14 09:12:00.25+09:00", "38.5", "-9.25", "12.5", "Lisbon", "Lisboa", "Portugal",
        "0.5",
      ])
    let second = try library.second()
    #expect(try second.run("asset", "import", "out").exitCode == 0)
    let back = try asset("a.jpg", in: second)
    for key in [
      "title", "caption", "keywords", "rating", "label", "people", "localDate", "location",
      "place",
    ] {
      #expect(back[key] == first[key], "\(key)")
    }
    // A second import of either folder changes nothing.
    for folder in ["in", "out"] {
      let again = try (folder == "in" ? library : second).run("asset", "import", folder, "--json")
      let outcomes = Set(try again.jsonLines().compactMap { $0["outcome"]?.stringValue })
      #expect(again.exitCode == 0 && outcomes == ["duplicate"], "\(outcomes)")
    }
  }
}
