// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Keywords, ratings and labels on the command line", .runsPrograms)
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

  @Test func `people are set, shown, found and exported`() throws {
    let asset = try library.add(try ImageFile().jpeg(), as: "a.jpg")
    var json = try library.json(
      "asset", "set", asset, "--person", "+Zoë", "--person", "+Ann", "--person", "+Zoë")
    #expect(texts(json["people"]) == ["Ann", "Zoë"])
    #expect(try library.json("asset", "list", "person:Zoë")["identifier"]?.stringValue == asset)
    try FileSystem.createFolder(library.folder.path("out"))
    _ = try library.json("asset", "export", asset, "--variant", "all", "-o", "out")
    let other = try library.second()
    _ = try other.lines("asset", "import", "out")
    #expect(texts(try other.json("asset", "list")["people"]) == ["Ann", "Zoë"])
    json = try library.json("asset", "set", asset, "--person", "-Zoë")
    #expect(texts(json["people"]) == ["Ann"])
    #expect(try library.run("asset", "show", asset).output.contains("Ann"))
    let long = String(repeating: "x", count: 300)
    try library.expectRefusal(
      65, "allowed are 1 to 256 bytes", "asset", "set", asset, "--person", "+" + long)
  }

  /// Writes the XMP file of a photo, with an edit of darktable.
  private func describe(_ name: String, title: String, rating: Int, keyword: String) throws {
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
        xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:darktable="http://darktable.sf.net/"
        xmp:Rating="\(rating)">
      <dc:title><rdf:Alt><rdf:li xml:lang="x-default">\(title)</rdf:li></rdf:Alt></dc:title>
      <dc:subject><rdf:Bag><rdf:li>\(keyword)</rdf:li></rdf:Bag></dc:subject>
      <darktable:history><rdf:Seq/></darktable:history>
      </rdf:Description></rdf:RDF></x:xmpmeta>
      """
    try library.write(Array(packet.utf8), to: name)
  }

  @Test func `an edit of RawTherapee is noted at import`() throws {
    try library.write(try ImageFile().jpeg(), to: "a.jpg")
    try library.write(Array("[Version]\nAppVersion=5.9\n".utf8), to: "a.jpg.pp3")
    try library.write(try ImageFile().jpeg(1), to: "b.jpg")
    let run = try library.run("asset", "import", "a.jpg", "b.jpg")
    #expect(run.exitCode == 0)
    let notes = run.errors.split(separator: "\n").filter { $0.contains("RawTherapee") }
    #expect(notes.count == 1 && notes[0].contains("a.jpg: edited in RawTherapee"))
  }

  @Test func `a changed XMP file updates only what was not set in the library`() throws {
    try library.write(try ImageFile().jpeg(), to: "a.jpg")
    try describe("a.jpg.xmp", title: "First", rating: 2, keyword: "boat")
    var run = try library.run("asset", "import", "a.jpg", "a.jpg.xmp")
    #expect(
      run.exitCode == 0 && run.errors.contains("edited in darktable; its edit cannot be read"))
    let asset = try #require(try library.json("asset", "list")["identifier"]?.stringValue)
    _ = try library.json("asset", "set", asset, "--title", "Mine")
    try describe("a.jpg.xmp", title: "Second", rating: 4, keyword: "harbor")
    run = try library.run("asset", "import", "a.jpg", "a.jpg.xmp")
    #expect(run.exitCode == 1, "a different file is not replaced without the option")
    #expect(try library.json("asset", "show", asset)["rating"]?.integerValue == 2)
    for options in [["--dry-run"], []] {
      run = try library.run(
        ["asset", "import", "a.jpg", "a.jpg.xmp", "--update-metadata", "--json"] + options)
      #expect(run.exitCode == 0, "\(run.errors)")
      let outcomes = try run.jsonLines().compactMap { $0["outcome"]?.stringValue }
      #expect(outcomes.sorted() == ["duplicate", "updated"])
    }
    let json = try library.json("asset", "show", asset)
    #expect(json["title"]?.stringValue == "Mine" && json["rating"]?.integerValue == 4)
    #expect(texts(json["keywords"]) == ["harbor"])
    #expect(try library.json("asset", "list", "keyword:harbor")["identifier"]?.stringValue == asset)
    run = try library.run("asset", "import", "a.jpg", "a.jpg.xmp", "--update-metadata", "--json")
    #expect(run.exitCode == 0 && !run.output.contains("\"outcome\":\"updated\""))
    #expect(try library.run("library", "check", "--deep").exitCode == 0)
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

  /// The region of a face in the upper left of the displayed image, in the stored one.
  private static let stored: [(orientation: Int, area: String, rectangle: String)] = [
    (1, "X=0.2,Y=0.3,W=0.1,H=0.2", "0.15, 0.2, 0.1, 0.2"),
    (3, "X=0.8,Y=0.7,W=0.1,H=0.2", "0.75, 0.6, 0.1, 0.2"),
    (6, "X=0.3,Y=0.8,W=0.2,H=0.1", "0.2, 0.75, 0.2, 0.1"),
    (8, "X=0.7,Y=0.2,W=0.2,H=0.1", "0.6, 0.15, 0.2, 0.1"),
  ]

  @Test(.enabled(if: program != nil, "ExifTool is not installed"))
  func `regions written by ExifTool are listed as in the displayed image`() throws {
    var names: [String] = []
    for (index, (orientation, area, rectangle)) in Self.stored.enumerated() {
      let region =
        "-RegionInfo={AppliedToDimensions={W=%W,H=%H,Unit=pixel},RegionList=[{Area={\(area),"
        + "Unit=normalized},Name=Ann,Type=Face}]}"
      let microsoft =
        "-RegionInfoMP={Regions=[{PersonDisplayName=Ann,"
        + "Rectangle=\(rectangle.replacing(",", with: "|,"))}]}"
      for (kind, argument) in [("mwg", region), ("ms", microsoft), ("side", region)] {
        let name = "\(kind)\(orientation).jpg"
        try library.write(
          try ImageFile().jpeg(10 * index + names.count), to: name)
        let path = library.folder.path(name)
        let size = try exiftool(["-s3", "-ImageWidth", "-ImageHeight", path])
          .split(separator: "\n").map { String($0) }
        let text = argument.replacing("%W", with: size[0]).replacing("%H", with: size[1])
        _ = try exiftool(["-overwrite_original", "-n", "-Orientation=\(orientation)", path])
        if kind == "side" {
          _ = try exiftool([text, library.folder.path(name + ".xmp")])
          names.append(name + ".xmp")
        } else {
          _ = try exiftool(["-overwrite_original", text, path])
        }
        names.append(name)
      }
    }
    let imported = try library.run(["asset", "import"] + names)
    #expect(imported.exitCode == 0, "\(imported.errors)")
    let found = try library.lines("asset", "list")
    #expect(found.count == 12)
    for asset in found {
      let name = asset["originalFilename"]?.stringValue ?? ""
      let comment = Comment(rawValue: name)
      #expect(texts(asset["people"]) == ["Ann"], comment)
      let region = try #require(asset["regions"]?.arrayValue?.first, comment)
      #expect(region["kind"] == "face" && region["name"] == "Ann", comment)
      for (key, value) in [("x", 0.2), ("y", 0.3), ("width", 0.1), ("height", 0.2)] {
        #expect(abs((region[key]?.numberValue ?? 9) - value) < 1e-5, "\(name): \(key)")
      }
    }
    let shown = try library.run("asset", "show", found[0]["identifier"]?.stringValue ?? "")
    #expect(shown.output.contains("face Ann: 10.0 % × 20.0 % at 15.0 %, 20.0 %"))
  }

  @Test(.enabled(if: program != nil, "ExifTool is not installed"))
  func `regions for an image of another shape are not used, and the import says so`() throws {
    try library.write(try ImageFile().jpeg(), to: "a.jpg")
    _ = try exiftool([
      "-overwrite_original",
      "-RegionInfo={AppliedToDimensions={W=9000,H=100,Unit=pixel},RegionList=[{Area={X=0.5,Y=0.5,"
        + "W=0.1,H=0.1,Unit=normalized},Name=Ann,Type=Face}]}", library.folder.path("a.jpg"),
    ])
    let run = try library.run("asset", "import", "a.jpg")
    #expect(run.exitCode == 0 && run.errors.contains("its regions do not fit the image"))
    let asset = try library.json("asset", "list")
    #expect(asset["regions"] == [] && texts(asset["people"]) == ["Ann"])
  }
}
