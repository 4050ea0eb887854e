// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Metadata of Windows, of cameras, and in videos")
struct OtherMetadataTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  private func imported(_ change: (inout ImageFile) -> Void) throws -> Asset {
    var file = ImageFile()
    change(&file)
    try write(try file.jpeg(), "a.jpg")
    #expect(run().assetCount == 1)
    return try #require(try library.assets().last)
  }

  @Test func `values of Windows in EXIF are read, and removed where they are changed`() throws {
    let asset = try imported {
      $0.main = [
        .text(0x010E, "Ferry"), .short(0x4746, 4), .short(0x4749, 75), .windows(0x9C9B, "Ferry"),
        .windows(0x9C9C, "At noon"), .windows(0x9C9E, "sea;Überfahrt; ;sea"),
      ]
    }
    #expect(asset.title == "Ferry" && asset.caption == "At noon" && asset.rating == 4)
    #expect(asset.keywords == ["sea", "Überfahrt"])
    try library.library.performChangesAndWait { changes in
      let request = try changes.change(asset)
      try request.setTitle(nil)
      try request.setCaption(nil)
      try request.setKeywords([])
      try request.setRating(0)
    }
    let changed = try #require(try library.assets().first)
    var jpeg = try FileBytes.reading(source.path("a.jpg")).array
    #expect(MetadataEmbedding.embed(SidecarMetadata(changed), at: 0, into: &jpeg) == .changed)
    try write(jpeg, "b.jpg")
    #expect(run([source.path("b.jpg")]).assetCount == 1)
    let copy = try #require(try library.assets().last)
    #expect(copy.title == nil && copy.caption == nil && copy.keywords == [] && copy.rating == 0)
  }

  @Test func `XMP precedes what Windows writes`() throws {
    let asset = try imported {
      $0.main = [.short(0x4746, 4), .windows(0x9C9B, "old"), .windows(0x9C9E, "old")]
      $0.xmp = "xmp:Rating=\"0\" dc:title=\"new\""
    }
    #expect(asset.title == "new" && asset.keywords == ["old"] && asset.rating == 0)
  }

  @Test(arguments: [
    ("OLYMPUS DIGITAL CAMERA         ", nil), ("SONY DSC", nil), ("cof", nil),
    ("<Digimax S500 / Kenox S500>", nil), ("Sony DSC on the table", "Sony DSC on the table"),
  ])
  func `a description that a camera writes into each photo is no caption`(
    _ text: String, _ caption: String?
  ) throws {
    #expect(try imported { $0.main = [.text(0x010E, text)] }.caption == caption)
    #expect(
      try imported { $0.xmp = "dc:description=\"\(text)\"".replacing("<", with: "&lt;") }
        .caption == caption)
  }

  @Test(arguments: ["uuid", "udta"])
  func `XMP in a video is read`(_ place: String) throws {
    let packet = Array(
      ImageFile.packet(
        "dc:title=\"Ferry\" dc:description=\"At noon\" xmp:Rating=\"4\" "
          + "exif:DateTimeOriginal=\"2021-07-02T03:04:05+02:00\""
      ).utf8)
    func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
      ImageFile.big(body.count + 8, 4) + Array(type.utf8) + body
    }
    var movie = MovieFile()
    movie.tags = [("com.apple.quicktime.keywords", "sea,lake")]
    if place == "udta" { movie.userData = box("udta", box("XMP_", packet)) }
    let uuid = place == "uuid" ? box("uuid", ImageFile.packetIdentifier + packet) : []
    try write(movie.bytes + uuid, "a.mov")
    #expect(run().assetCount == 1)
    let asset = try #require(try library.assets().first)
    #expect(asset.title == "Ferry" && asset.caption == "At noon" && asset.rating == 4)
    #expect(asset.keywords == ["lake", "sea"])
    #expect(asset.creationDate?.timeIntervalSince1970 == 1_625_187_845 && asset.utcOffset == 7200)
  }

  @Test func `RAW files of Canon and Minolta that have no EXIF of their own are dated`() throws {
    try write(
      ImageFile.canonHeapRaw("Canon", "Canon EOS D30", seconds: 1_105_787_045), "CRW_0001.CRW")
    var file = ImageFile()
    file.main = [.text(0x010F, "Minolta"), .text(0x0110, "DiMAGE 7")]
    file.exif = [.text(0x9003, "2005:01:15 11:04:05")]
    try write(file.minoltaRaw, "PICT0001.MRW")
    #expect(run().assetCount == 2)
    let assets = try library.assets()
    #expect(assets.map(\.camera) == ["Canon EOS D30", "Minolta DiMAGE 7"])
    let dates = assets.map { $0.creationDate?.timeIntervalSince1970 }
    #expect(dates == [1_105_787_045, 1_105_787_045] && assets.allSatisfy { $0.utcOffset == nil })
    #expect(assets.allSatisfy { $0.traits == .raw })
  }

  @Test func `the time of the position dates a photo that has no other date`() throws {
    func imported(_ name: String, _ change: (inout ImageFile) -> Void) throws -> Asset? {
      var file = ImageFile()
      change(&file)
      try write(try file.jpeg(), name)
      _ = run([source.path(name)])
      return try library.assets().first { $0.originalFilename == name }
    }
    func clock(_ day: String) -> [ImageFile.Field] {
      [.text(29, day), .fractions(7, [(1, 1), (4, 1), (5, 1)])]
    }
    let exif = try imported("exif.jpg") { $0.gps = clock("2021:07:02") }
    #expect(exif?.creationDate?.timeIntervalSince1970 == 1_625_187_845)
    let day = try imported("day.jpg") { $0.gps = [.text(29, "2021:07:02")] }
    #expect(day?.creationDate?.timeIntervalSince1970 == 1_625_184_000)
    let packet = try imported("xmp.jpg") { $0.xmp = "exif:GPSTimeStamp=\"2021-07-02T01:04:05Z\"" }
    #expect(packet?.creationDate?.timeIntervalSince1970 == 1_625_187_845)
    let changed = try imported("changed.jpg") {
      ($0.gps, $0.main) = (clock("2021:07:02"), [.text(0x0132, "2022:01:01 00:00:00")])
    }
    #expect(changed?.creationDate?.timeIntervalSince1970 == 1_640_995_200)
    let zero = try imported("zero.jpg") { $0.gps = clock("1980:01:06") }
    #expect(zero != nil && zero?.creationDate == nil)
  }

  @Test func `a library of photoedit is refused, with the command that exports it`() throws {
    try write(try ImageFile().jpeg(1), "in/a.jpg")
    #expect(run(folder: "in").assetCount == 1)
    try FileManager.default.copyItem(
      atPath: library.folder.path + "/library", toPath: source.path("in/old"))
    try write(try ImageFile().jpeg(2), "in/b.jpg")
    let report = run(folder: "in")
    #expect(
      outcomes(report) == ["in/a.jpg": .duplicate, "in/b.jpg": .imported, "in/old": .refused])
    #expect(lines(report)["in/old"]?.error?.hint?.contains("asset export") == true)
  }

  @Test(arguments: ["", "/assets", "FILE"])
  func `nothing is moved out of a library of photoedit`(_ place: String) throws {
    let old = try TestLibrary()
    try write(try ImageFile().jpeg(1), "in/a.jpg")
    #expect(Importer(old.library).run([source.path("in")]).assetCount == 1)
    let root = old.library.layout.root
    let file = try #require(try old.storedFiles().first { $0.hasSuffix(".jpg") })
    let path = root + (place == "FILE" ? "/" + file : place)
    let report = run([path]) { $0.shouldMoveFiles = true }
    #expect(report.files.map(\.path) == [root] && report.count(.refused) == 1)
    #expect(report.files[0].error?.hint?.contains("asset export") == true)
    #expect(try old.check().findings.isEmpty)
    // The library itself does not lose its files, either.
    let own = Importer.Options.moving
    let ofItself = Importer(old.library, options: own).run([path])
    #expect(ofItself.files.map(\.outcome) == [.skipped])
    #expect(try old.check().findings.isEmpty)
  }

  @Test(arguments: Importer.MetadataPreference.allCases)
  func `a location that was corrected in Google Photos replaces that of the photo`(
    _ preference: Importer.MetadataPreference
  ) throws {
    func exif(_ degrees: Int) -> ImageFile.Field {
      .fractions(degrees, [(1, 1), (0, 1), (0, 1)])
    }
    for (name, stated) in [("same", 1.0), ("corrected", 48.0)] {
      var file = ImageFile()
      file.gps = [.text(1, "N"), exif(2), .text(3, "E"), exif(4)]
      try write(try file.jpeg(name.count), "Takeout/\(name).jpg")
      let json = """
        {"title": "\(name).jpg", "photoTakenTime": {"timestamp": "1000"},
        "geoData": {"latitude": \(stated), "longitude": 1.0, "altitude": 3.0},
        "geoDataExif": {"latitude": 1.0, "longitude": 1.0, "altitude": 0.0}}
        """
      try write(Array(json.utf8), "Takeout/\(name).jpg.json")
    }
    #expect(run { $0.metadataPreference = preference }.assetCount == 2)
    let found = try library.assets().map { ($0.originalFilename, $0.location?.latitude) }
    let latitudes = Dictionary(found) { first, _ in first }
    #expect(latitudes["same.jpg"] == 1)
    #expect(latitudes["corrected.jpg"] == (preference == .file ? 1 : 48))
  }

  @Test(arguments: Importer.MetadataPreference.allCases)
  func `five stars that are not used mark no favorite`(
    _ preference: Importer.MetadataPreference
  ) throws {
    var file = ImageFile()
    file.xmp = "xmp:Rating=\"2\""
    try write(try file.jpeg(), "a.jpg")
    try write(Array(ImageFile.packet("xmp:Rating=\"5\"").utf8), "a.xmp")
    #expect(run { $0.metadataPreference = preference }.assetCount == 1)
    let asset = try #require(try library.assets().first)
    #expect(asset.rating == (preference == .file ? 2 : 5))
    #expect(asset.isFavorite == (preference != .file))
  }
}

extension Importer.Options {
  /// The options of an import that removes its sources.
  fileprivate static var moving: Importer.Options {
    var options = Importer.Options()
    options.shouldMoveFiles = true
    return options
  }
}
