// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Keywords, ratings and labels on the command line")
struct KeywordCommandTests {
  private let library: ToolLibrary

  init() throws { library = try ToolLibrary() }

  private func texts(_ json: JSONValue?) -> [String] {
    json?.arrayValue?.compactMap(\.stringValue) ?? []
  }

  @Test func `keywords, rating and label are set, shown and cleared`() throws {
    let asset = try library.add(try ImageFile().jpeg(), as: "a.jpg")
    var json = try library.json(
      "asset", "set", asset, "--keyword", "+Places/Portugal/Lisbon", "--keyword", "+draft",
      "--rating", "4", "--label", "red")
    #expect(texts(json["keywords"]) == ["Places/Portugal/Lisbon", "draft"])
    #expect(json["rating"]?.integerValue == 4 && json["label"]?.stringValue == "red")
    let shown = try library.run("asset", "show", asset)
    for words in ["Places/Portugal/Lisbon", "draft", "rating", "red"] {
      #expect(shown.output.contains(words))
    }
    json = try library.json("asset", "set", asset, "--keyword", "-draft", "--rating", "-1")
    #expect(texts(json["keywords"]) == ["Places/Portugal/Lisbon"])
    #expect(json["rating"]?.integerValue == -1)
    json = try library.json(
      "asset", "set", asset, "--keywords", "b, a ,", "--keyword", "+c", "--label", "none")
    #expect(texts(json["keywords"]) == ["a", "b", "c"] && json["label"]?.stringValue == nil)
    json = try library.json("asset", "set", asset, "--keywords", "")
    #expect(texts(json["keywords"]) == [])
    try library.expectRefusal(64, "allowed: +KEYWORD", "asset", "set", asset, "--keyword", "x")
    try library.expectRefusal(64, "--rating", "asset", "set", asset, "--rating", "6")
    try library.expectRefusal(64, "--label", "asset", "set", asset, "--label", "pink")
  }

  private static let program = Program.find("exiftool")

  private func exiftool(_ arguments: [String]) throws -> String {
    let path = library.folder.path("exiftool-output")
    _ = Program.run(try #require(Self.program), arguments, output: path)
    return String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
  }

  @Test(.enabled(if: program != nil, "ExifTool is not installed"))
  func `properties written by ExifTool are imported, exported, and read by ExifTool again`() throws
  {
    try library.write(try ImageFile().jpeg(), to: "a.jpg")
    try library.write(try ImageFile().jpeg(1), to: "b.jpg")
    try library.write(try ImageFile().jpeg(2), to: "c.jpg")
    _ = try exiftool([
      "-overwrite_original", "-XMP-dc:Subject=Lisbon", "-XMP-dc:Subject=boat",
      "-XMP-lr:HierarchicalSubject=Places|Portugal|Lisbon", "-XMP-xmp:Rating=4",
      "-XMP-xmp:Label=Red", "-Model=X100V", "-Make=FUJIFILM", "-ISO=400", "-FNumber=2.8",
      "-FocalLength=23", "-LensModel=23mm F2", "-XMP-photoshop:City=Lisbon",
      "-XMP-iptcExt:PersonInImage=Ann", library.folder.path("a.jpg"),
    ])
    _ = try exiftool([
      "-overwrite_original", "-IPTC:Keywords=Straße", "-IPTC:Keywords=boat",
      "-CodedCharacterSet=UTF8", "-XMP-microsoft:RatingPercent=75", library.folder.path("b.jpg"),
    ])
    _ = try exiftool([
      "-overwrite_original", "-XMP-digiKam:TagsList=Animals/Birds/Owl", "-XMP-xmp:Rating=-1",
      library.folder.path("c.jpg"),
    ])
    _ = try library.lines("asset", "import", "a.jpg", "b.jpg", "c.jpg")
    let found = try library.lines("asset", "list", "--sort", "localIdentifier")
    func asset(_ name: String) throws -> JSONValue {
      try #require(found.first { $0["originalFilename"]?.stringValue == name })
    }
    let (a, b, c) = (try asset("a.jpg"), try asset("b.jpg"), try asset("c.jpg"))
    #expect(texts(a["keywords"]) == ["Places/Portugal/Lisbon", "boat"])
    #expect(a["rating"]?.integerValue == 4 && a["label"]?.stringValue == "red")
    #expect(a["camera"]?.stringValue == "FUJIFILM X100V")
    #expect(a["lens"]?.stringValue == "23mm F2" && a["iso"]?.integerValue == 400)
    #expect(a["fNumber"]?.numberValue == 2.8 && a["focalLength"]?.numberValue == 23)
    #expect(a["place"]?.stringValue == "Lisbon" && texts(a["people"]) == ["Ann"])
    #expect(texts(b["keywords"]) == ["Straße", "boat"] && b["rating"]?.integerValue == 4)
    #expect(texts(c["keywords"]) == ["Animals/Birds/Owl"] && c["rating"]?.integerValue == -1)

    let identifier = try #require(a["identifier"]?.stringValue)
    _ = try library.json(
      "asset", "set", identifier, "--keyword", "+Sea/harbor", "--keyword", "-boat", "--rating", "5")
    try FileSystem.createFolder(library.folder.path("out"))
    _ = try library.json("asset", "export", identifier, "--variant", "all", "-o", "out")
    let fields = try exiftool([
      "-s3", "-sep", ",", "-XMP-dc:Subject", "-XMP-lr:HierarchicalSubject", "-XMP-digiKam:TagsList",
      "-XMP-xmp:Rating", "-XMP-xmp:Label", "-XMP-iptcExt:PersonInImage",
      library.folder.path("out/a.jpg.xmp"),
    ]).split(separator: "\n").map { String($0) }
    #expect(
      fields == [
        "Lisbon,harbor", "Places|Portugal|Lisbon,Sea|harbor", "Places/Portugal/Lisbon,Sea/harbor",
        "5", "Red", "Ann",
      ])
    let other = try library.second()
    _ = try other.lines("asset", "import", "out")
    let back = try other.json("asset", "list")
    for key in [
      "keywords", "rating", "label", "people", "camera", "place", "favorite", "utcOffset",
    ] {
      let expected = try library.json("asset", "show", identifier)[key]
      #expect(back[key] == expected, "\(key)")
    }
  }
}
