// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Everything a library knows, exported and imported", .runsPrograms)
struct LibraryRoundTripTests {
  private let library: ToolLibrary

  init() throws { library = try ToolLibrary() }

  /// An XMP file of another program with a person in a region and an edit that is kept.
  private static let packet =
    "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF "
    + "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description rdf:about=\"\" "
    + "xmlns:crs=\"http://ns.adobe.com/camera-raw-settings/1.0/\" crs:Exposure2012=\"+0.50\" "
    + "xmlns:mwg-rs=\"http://www.metadataworkinggroup.com/schemas/regions/\" "
    + "xmlns:stDim=\"http://ns.adobe.com/xap/1.0/sType/Dimensions#\" "
    + "xmlns:stArea=\"http://ns.adobe.com/xmp/sType/Area#\">"
    + "<mwg-rs:Regions rdf:parseType=\"Resource\">"
    + "<mwg-rs:AppliedToDimensions stDim:w=\"64\" stDim:h=\"48\" stDim:unit=\"pixel\"/>"
    + "<mwg-rs:RegionList><rdf:Bag><rdf:li rdf:parseType=\"Resource\">"
    + "<mwg-rs:Name>Ada</mwg-rs:Name><mwg-rs:Type>Face</mwg-rs:Type>"
    + "<mwg-rs:Area stArea:x=\"0.5\" stArea:y=\"0.4\" stArea:w=\"0.2\" stArea:h=\"0.3\" "
    + "stArea:unit=\"normalized\"/></rdf:li></rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>"
    + "</rdf:Description></rdf:RDF></x:xmpmeta>"

  /// Creates the files of every kind of asset.
  private func writeFiles() throws {
    var photo = ImageFile()
    photo.main = [.text(0x010F, "Maker"), .text(0x0110, "Model 1")]
    photo.exif = [.text(0x9003, "2024:05:01 12:00:00"), .text(0x9011, "+02:00")]
    photo.gps = [
      .text(1, "N"), .fractions(2, [(48, 1), (51, 1), (30, 1)]), .text(3, "E"),
      .fractions(4, [(2, 1), (17, 1), (40, 1)]),
    ]
    photo.xmp = "dc:title=\"Embedded\" photoshop:City=\"Paris\" photoshop:Country=\"France\""
    try library.write(try photo.jpeg(1), to: "in/IMG_1.jpg")
    try library.write(try photo.jpeg(2), to: "in/other/IMG_1.jpg")
    // A clock without an offset, and a name that is not allowed on every system.
    photo.exif = [.text(0x9003, "2023:01:02 03:04:05")]
    try library.write(try photo.jpeg(3), to: "in/what? a name.JPG")
    try library.write(Array(Self.packet.utf8), to: "in/what? a name.JPG.xmp")
    try library.write(try photo.jpeg(4), to: "in/pair.jpg")
    try library.write(ImageFile.dng(4, width: 64, height: 48), to: "in/pair.dng")
    try library.write(try ImageFile.live("L", seed: 5), to: "in/live.jpg")
    try library.write(MovieFile.live("L", seed: 5), to: "in/live.mov")
    try library.write(try ImageFile().jpeg(6), to: "in/still.jpg")
    try library.write(MovieFile.live(nil, seed: 6), to: "in/apart/movie.mov")
    for index in 1...3 {
      let cover = index == 2 ? "_COVER" : ""
      try library.write(
        try ImageFile().jpeg(10 + index),
        to: "in/0000\(index)IMG_0000\(index)_BURST20171111030039\(cover).jpg")
    }
    var movie = MovieFile()
    movie.seed = 7
    movie.created = 3_000_000_000
    try library.write(movie.bytes, to: "in/clip.mov")
    try library.write(try ImageFile().jpeg(20), to: "in/plain.jpg")
  }

  /// Sets every property.
  private func setProperties() throws {
    let assets = try named(library)
    func run(_ arguments: String...) throws {
      let result = try library.run(arguments)
      #expect(result.exitCode == 0, "\(arguments): \(result.errors)")
    }
    func asset(_ name: String) throws -> String { try #require(assets[name], "\(name)") }
    let (one, odd) = (try asset("IMG_1.jpg 1"), try asset("what? a name.JPG"))
    try run(
      "asset", "set", one, "--title", "A <title> & \"more\"", "--caption", "Zeile\nzwei ☀︎",
      "--keywords", "Places/Portugal/Lisbon,harbor,a|b", "--person", "+Ada Lovelace", "--rating",
      "4", "--label", "green", "--favorite", "yes", "--date", "2019-05-01T10:00:00.25Z",
      "--location", "-38.70001,0.25,-12.5")
    try run("asset", "set", odd, "--rating", "-1", "--hidden", "yes")
    try run("asset", "set", try asset("pair.jpg"), "--date", "none", "--location", "none")
    try run(
      "asset", "set", try asset("clip.mov"), "--title", "A clip", "--keywords", "moving",
      "--rating", "5", "--favorite", "no")
    try run("apply", "--filter", "sepia", try asset("IMG_1.jpg 2"))
    try run("apply", "--filter", "exposure:ev=0.5", try asset("IMG_1.jpg 2"))
    try run("asset", "pair", try asset("still.jpg"), try asset("movie.mov"), "--force")
    let frames = assets.filter { $0.key.contains("BURST") }.sorted { $0.key < $1.key }
    try run("asset", "burst", "pick", frames[2].value)
    // The order of the albums differs from the order of names and dates.
    try run("album", "create", "Half / half 100%")
    try run("album", "add", "Half / half 100%", odd, one, try asset("clip.mov"), frames[0].value)
    try run("folder", "create", "Travel")
    try run("album", "create", "Lisbon")
    try run("folder", "add", "Travel", "Lisbon")
    try run("album", "add", "Lisbon", try asset("live.jpg"), odd, try asset("IMG_1.jpg 2"))
  }

  /// The identifiers by original filename, numbered by size for a name that occurs twice.
  private func named(_ library: ToolLibrary) throws -> [String: String] {
    let assets = try library.lines(
      "asset", "list", "--include-hidden", "--include-bursts", "--sort", "importDate")
    let names = assets.compactMap { $0["originalFilename"]?.stringValue }
    var numbers: [String: Int] = [:]
    var found: [String: String] = [:]
    for (name, asset) in zip(names, assets) {
      numbers[name, default: 0] += 1
      let key = names.count { $0 == name } > 1 ? "\(name) \(numbers[name] ?? 0)" : name
      found[key] = asset["identifier"]?.stringValue
    }
    return found
  }

  /// The properties that differ between libraries: identifiers, paths, and dates of changes.
  private static let own: Set<String> = [
    "identifier", "localIdentifier", "addedDate", "modificationDate", "contentModificationDate",
  ]

  /// What 'asset show' says about all assets, by the digest of the original.
  private func properties(_ library: ToolLibrary) throws -> [String: [String: JSONValue]] {
    var all: [String: [String: JSONValue]] = [:]
    for asset in try named(library).values {
      var json = try #require(try library.json("asset", "show", asset).objectValue)
      for name in Self.own { json[name] = nil }
      // The exported XMP file is new.
      let files = (json["files"]?.arrayValue ?? []).filter { $0["type"]?.integerValue != 1001 }
      json["files"] = .array(
        files.map { file in
          var file = file.objectValue ?? [:]
          file["path"] = nil
          return .object(file)
        })
      let albums = (json["albums"]?.arrayValue ?? []).compactMap { $0["title"]?.stringValue }
      json["albums"] = .array(albums.sorted().map { .string($0) })
      let digest = try #require(files.first?["digest"]?.stringValue)
      #expect(all.updateValue(json, forKey: digest) == nil)
    }
    return all
  }

  /// The original filenames of the members of an album, in order.
  private func members(_ album: String, _ library: ToolLibrary) throws -> [String] {
    try library.lines("asset", "list", "--album", album, "--include-hidden", "--include-bursts")
      .compactMap { $0["originalFilename"]?.stringValue }
  }

  @Test func `an exported library is imported with everything but identifiers`() throws {
    try writeFiles()
    #expect(try library.run("asset", "import", "in").exitCode == 0)
    try setProperties()
    try FileManager.default.createDirectory(
      atPath: library.folder.path("out"), withIntermediateDirectories: false)
    let export = try library.run(
      "asset", "export", "--all", "--variant", "all", "--sidecar", "xmp", "-o", "out")
    #expect(export.exitCode == 0, "\(export.errors)")
    let second = try library.second()
    let imported = try second.run("asset", "import", "out")
    #expect(imported.exitCode == 0, "\(imported.errors)")
    let (before, after) = (try properties(library), try properties(second))
    #expect(before.count == 11 && Set(before.keys) == Set(after.keys))
    for (digest, asset) in before {
      for (name, value) in asset {
        #expect(
          after[digest]?[name] == value, "\(name) of \(asset["originalFilename"] ?? .null)")
      }
    }
    for album in ["Half / half 100%", "Lisbon"] {
      #expect(try members(album, second) == members(album, library))
    }
    // The edit can be resumed, and the data of other programs is still there.
    let edited = try #require(try second.list("--where", "edited == YES").first)
    let graph = try second.json("show", edited)["graph"]
    #expect(
      (graph?["nodes"]?.arrayValue ?? []).map { $0["filter"]?.stringValue }
        == ["sepia", "exposure"])
    let odd = try #require(try named(second)["what? a name.JPG"])
    let packet = try #require(try second.files(odd)[1001])
    #expect(
      String(decoding: try FileBytes.reading(packet).array, as: UTF8.self).contains("Exposure2012"))
    // A second import changes nothing.
    let again = try second.run("asset", "import", "out")
    #expect(again.exitCode == 0 && again.errors.contains("created 0 assets"), "\(again.errors)")
    try second.expectOrder()
  }

  @Test func `an XMP file next to an exported edit is found by an import`() throws {
    let asset = try library.add(try TestImages.bytes("inputs/png-interlaced.png"), as: "a.png")
    _ = try library.json("asset", "set", asset, "--rating", "4", "--title", "Lake")
    #expect(try library.run("apply", "--filter", "sepia", asset).exitCode == 0)
    try FileManager.default.createDirectory(
      atPath: library.folder.path("out"), withIntermediateDirectories: false)
    for words in [[], ["--embed-metadata", "no"]] {
      let export = try library.run(
        ["asset", "export", asset, "--sidecar", "xmp", "--force", "-o", "out"] + words)
      #expect(export.exitCode == 0, "\(export.errors)")
      let second = try library.second("second\(words.count)")
      #expect(try second.run("asset", "import", "out").exitCode == 0)
      let json = try second.json("asset", "list")
      #expect(json["rating"]?.integerValue == 4 && json["title"]?.stringValue == "Lake")
    }
  }
}
