// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Import of a Google Takeout export")
struct TakeoutImportTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  private static let year = "Takeout/Google Photos/Photos from 2001/"
  private static let lake = "Takeout/Google Photos/Lake/"

  private func describe(
    _ name: String, title: String? = nil, seconds: Int = 981_173_106, _ more: String = ""
  ) throws {
    let photo = FileSystem.lastName(of: name)
    let json = """
      {"title": "\(title ?? photo)", "photoTakenTime": {"timestamp": "\(seconds)"}\(more)}
      """
    try write(Array(json.utf8), name + ".supplemental-metadata.json")
  }

  private func writeAlbum(_ folder: String, _ title: String, name: String = "metadata") throws {
    let json = #"{"title": "\#(title)", "access": "", "date": {"timestamp": "1"}}"#
    try write(Array(json.utf8), folder + name + ".json")
  }

  /// The names of the photos in each album, in order.
  private func albums() throws -> [String: [String]] {
    let albums = try library.library.fetchAssetCollections(with: .album)
    return Dictionary(
      try albums.map { album in
        (
          album.localizedTitle ?? "",
          try library.library.fetchAssets(in: album).map(\.originalFilename)
        )
      }, uniquingKeysWith: +)
  }

  @Test func `a photo in a year and in an album is one asset in the album`() throws {
    for folder in [Self.year, Self.lake] {
      for (index, name) in ["b.jpg", "a.jpg"].enumerated() {
        try write(try ImageFile().jpeg(index + 1), folder + name)
        try describe(folder + name, seconds: 981_173_106 + index, #", "url": "\#(folder)""#)
      }
    }
    try write(try ImageFile().jpeg(9), Self.year + "c.jpg")
    try describe(Self.year + "c.jpg")
    try describe(Self.year + "missing.jpg")
    try writeAlbum(Self.lake, "The lake", name: "Metadaten")
    try writeAlbum(Self.year, "Photos from 2001", name: "Metadaten")
    let before = try digests()
    let report = run()
    #expect(report.interruption == nil && report.assetCount == 3)
    #expect(try library.assets().count == 3)
    #expect(try albums() == ["The lake": ["b.jpg", "a.jpg"]], "in the order of their dates")
    let summary = try #require(report.takeout)
    #expect(summary.files == 8 && summary.used == 5)
    #expect(summary.albums == 2 && summary.unmatched == 1 && summary.ambiguous == 0)
    #expect(outcomes(report)[Self.lake + "Metadaten.json"] == .read)
    #expect(
      outcomes(report)[Self.year + "missing.jpg.supplemental-metadata.json"] == .skipped)
    #expect(report.count(.keptOut) == 0 && report.count(.refused) == 0)
    let commits = try library.library.currentChangeToken
    let second = run()
    #expect(second.assetCount == 0 && second.count(.imported) == 0)
    #expect(try library.library.currentChangeToken == commits, "a second import changes nothing")
    #expect(try albums() == ["The lake": ["b.jpg", "a.jpg"]])
    #expect(try digests() == before, "the source is not changed")
    #expect(try library.check().findings.isEmpty)
  }

  private func digests() throws -> [String: SHA256Digest] {
    var digests: [String: SHA256Digest] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: source.path) {
      let path = source.path(name)
      if try FileSystem.entry(at: path) == .file { digests[name] = try digest(path) }
    }
    return digests
  }

  @Test func `the parts of a split export are matched with each other`() throws {
    try write(try ImageFile().jpeg(1), "one/" + Self.lake + "a.jpg")
    try writeAlbum("one/" + Self.lake, "The lake")
    try write(try ImageFile().jpeg(2), "two/" + Self.lake + "b.jpg")
    try describe("two/" + Self.lake + "a.jpg", #", "description": "Mist""#)
    let report = run([source.path("one"), source.path("two")])
    #expect(report.assetCount == 2 && report.takeout?.used == 1)
    #expect(try albums() == ["The lake": ["a.jpg", "b.jpg"]])
    #expect(try library.assets().map(\.caption) == ["Mist", nil])
  }

  @Test func `an edited photo is the current version of its original and can be reverted`() throws {
    try write(try ImageFile().jpeg(1), Self.year + "IMG_1.jpg")
    try write(try ImageFile().jpeg(2), Self.year + "IMG_1-bearbeitet.jpg")
    try write(try ImageFile().jpeg(3), Self.year + "IMG_1-effects.jpg")
    try describe(Self.year + "IMG_1.jpg", #", "favorited": true, "archived": true"#)
    let report = run()
    #expect(report.assetCount == 2 && report.count(.refused) == 0)
    let asset = try #require(try library.assets().first { $0.hasAdjustments })
    #expect(asset.originalFilename == "IMG_1.jpg" && asset.isFavorite && asset.isHidden)
    #expect(try types(asset) == [.photo, .fullSizePhoto, .adjustmentData, .sidecar])
    let record = try #require(try library.library.editingStore(for: asset).state().record)
    #expect(record.adjustment.formatIdentifier == "com.google.photos")
    let other = try #require(try library.assets().first { !$0.hasAdjustments })
    #expect(other.isFavorite, "a second edited photo has the description of the original")
    let files = try library.storedFiles()
    #expect(run().assetCount == 0)
    #expect(try library.storedFiles() == files)
    #expect(try library.check().findings.isEmpty)
  }

  @Test(arguments: ["mp42", "qt  "])
  func `an edited video is the current version of its original`(_ brand: String) throws {
    let ending = brand == "mp42" ? "mp4" : "mov"
    for (seed, name) in ["VID_1.\(ending)", "VID_1-edited.\(ending)"].enumerated() {
      var movie = MovieFile()
      (movie.brand, movie.seed, movie.frames) = (brand, seed, 30 + 15 * seed)
      try write(movie.bytes, Self.year + name)
    }
    try describe(Self.year + "VID_1.\(ending)", #", "favorited": true"#)
    let plan = run { $0.isDryRun = true }
    let report = run()
    #expect(outcomes(report) == outcomes(plan))
    #expect(report.assetCount == 1 && report.count(.refused) == 0)
    let asset = try #require(try library.assets().first)
    #expect(asset.originalFilename == "VID_1.\(ending)" && asset.isFavorite)
    #expect(asset.hasAdjustments && asset.duration == 1.5)
    #expect(try types(asset) == [.video, .fullSizeVideo, .adjustmentData, .sidecar])
    #expect(run().assetCount == 0)
    #expect(try library.check().findings.isEmpty)
  }

  @Test func `an edited video in a format that no edit has is a video of its own`() throws {
    var movie = MovieFile()
    movie.brand = "mp42"
    try write(movie.bytes, Self.year + "VID_1.mp4")
    // The beginning of a Matroska file.
    try write([0x1A, 0x45, 0xDF, 0xA3, 0x80], Self.year + "VID_1-edited.mp4")
    try describe(Self.year + "VID_1.mp4")
    let report = run()
    #expect(report.assetCount == 1 && report.count(.refused) == 1)
    #expect(try types(#require(try library.assets().first)) == [.video, .sidecar])
  }

  @Test func `the JSON file of a rejected photo is not counted, and is used once it is repaired`()
    throws
  {
    try write([], Self.year + "a.jpg")
    try write([0xFF, 0xD8, 0xFF], Self.year + "b.jpg")
    try write(try ImageFile().jpeg(2), Self.year + "b-edited.jpg")
    for name in ["a.jpg", "b.jpg"] {
      try describe(Self.year + name, #", "description": "Mist""#)
    }
    let json = Self.year + "a.jpg.supplemental-metadata.json"
    let report = run()
    #expect(report.assetCount == 1 && report.count(.refused) == 2)
    #expect(report.takeout?.files == 2 && report.takeout?.used == 1)
    #expect(report.takeout?.unused == 1)
    #expect(lines(report)[json]?.outcome == .skipped)
    #expect(lines(report)[json]?.reason?.contains("rejected") == true)
    #expect(try library.assets().map(\.caption) == ["Mist"], "the edited photo has it")
    try write(try ImageFile().jpeg(1), Self.year + "a.jpg")
    let second = run()
    #expect(second.assetCount == 1 && outcomes(second)[json] == .imported)
    #expect(second.takeout?.used == 2 && second.takeout?.unused == 0)
    #expect(try library.assets().map(\.caption) == ["Mist", "Mist"])
    #expect(run().takeout?.used == 2, "files that the library has are used")
  }

  @Test func `people named in the JSON file are stored`() throws {
    try write(try ImageFile().jpeg(1), Self.year + "a.jpg")
    try describe(
      Self.year + "a.jpg", #", "people": [{"name": "Zoë"}, {"name": " "}, {"name": "Ann"}]"#)
    #expect(run().assetCount == 1)
    let asset = try #require(try library.assets().first)
    #expect(asset.people == ["Ann", "Zoë"] && asset.regions == [])
  }

  @Test func `a trashed photo is imported only on request`() throws {
    try write(try ImageFile().jpeg(1), Self.year + "a.jpg")
    try describe(Self.year + "a.jpg", #", "trashed": true"#)
    let report = run()
    #expect(report.assetCount == 0)
    #expect(Set(outcomes(report).values) == [.skipped])
    #expect(run { $0.includesTrashed = true }.assetCount == 1)
  }

  @Test func `a truncated name is restored from the title`() throws {
    let stem = "PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGIN"
    try write(try ImageFile().jpeg(1), Self.year + stem + "A.jpg")
    let json = #"{"title": "\#(stem)AL.jpg", "photoTakenTime": {"timestamp": "-86400"}}"#
    try write(Array(json.utf8), Self.year + stem + ".json")
    #expect(run().assetCount == 1)
    let asset = try #require(try library.assets().first)
    #expect(asset.originalFilename == stem + "AL.jpg")
    #expect(asset.creationDate?.timeIntervalSince1970 == -86_400)
  }

  @Test func `ambiguous JSON files are reported and not used`() throws {
    try write(try ImageFile().jpeg(1), Self.year + "IMG(1).jpg")
    for (index, name) in ["IMG(1).jpg.json", "IMG.jpg(1).json"].enumerated() {
      let json = #"{"title": "", "photoTakenTime": {"timestamp": "\#(1000 + index)"}}"#
      try write(Array(json.utf8), Self.year + name)
    }
    let report = run()
    #expect(report.takeout?.ambiguous == 2 && report.takeout?.used == 0)
    #expect(lines(report)[Self.year + "IMG(1).jpg.json"]?.reason?.hasPrefix("ambiguous") == true)
    #expect(try library.assets().first?.creationDate == nil)
  }

  @Test(
    arguments: [
      ("2024:05:01 12:00:00", 1_714_600_000, .automatic, 1_714_564_800),
      ("2024:05:01 12:00:00", 981_173_106, .automatic, 981_173_106),
      ("2024:05:01 12:00:00", 981_173_106, .file, 1_714_564_800),
      ("2024:05:01 12:00:00", 1_714_600_000, .sidecar, 1_714_600_000),
    ] as [(String, Int, Importer.MetadataPreference, Int)])
  func `a date without an offset holds within 24 hours, unless a preference is given`(
    _ exif: String, _ seconds: Int, _ preference: Importer.MetadataPreference, _ expected: Int
  ) throws {
    var file = ImageFile()
    file.exif = [.text(0x9003, exif)]
    try write(try file.jpeg(), Self.year + "a.jpg")
    try describe(Self.year + "a.jpg", seconds: seconds)
    #expect(run { $0.metadataPreference = preference }.assetCount == 1)
    let date = try #require(try library.assets().first?.creationDate)
    #expect(Int(date.timeIntervalSince1970) == expected)
  }

  @Test func `the video of a Live Photo has no JSON file and needs none`() throws {
    try write(try ImageFile.live("L-1"), Self.year + "IMG_1.JPG")
    try write(MovieFile.live("L-1"), Self.year + "IMG_1.MOV")
    try write(try ImageFile().jpeg(5), Self.year + "IMG_2.jpg")
    try write(MovieFile.live("L-2"), Self.year + "IMG_2.MOV")
    try describe(Self.year + "IMG_1.JPG", #", "favorited": true"#)
    try describe(Self.year + "IMG_2.jpg", #", "favorited": true"#)
    let report = run()
    #expect(report.assetCount == 3 && report.takeout?.used == 2)
    #expect(try library.assets().allSatisfy(\.isFavorite))
    #expect(try library.assets().contains { $0.playbackStyle == .livePhoto })
  }

  @Test func `folders of days, of the archive and of the trash are no albums`() throws {
    let titles = [
      "2018-05-06", "2018-05-07 - 08", "2018-05-31 - 2018-06-01", "2018-05-06 #2", "Archive",
      "Papierkorb", "2018-05-06 Rome", "My archive",
    ]
    for (index, title) in titles.enumerated() {
      let folder = "Takeout/Google Photos/\(title)/"
      try write(try ImageFile().jpeg(index), folder + "\(index).jpg")
      try writeAlbum(folder, title)
    }
    #expect(run().assetCount == titles.count)
    #expect(try albums() == ["2018-05-06 Rome": ["6.jpg"], "My archive": ["7.jpg"]])
  }

  @Test func `two albums with one title stay two albums`() throws {
    for (index, folder) in ["Lake/", "Lake(1)/"].enumerated() {
      try write(try ImageFile().jpeg(index + 1), folder + "\(index).jpg")
      try describe(folder + "\(index).jpg")
      try writeAlbum(folder, "Lake")
    }
    _ = run()
    _ = run()
    let albums = try library.library.fetchAssetCollections(with: .album)
    let names = try albums.map { try library.library.fetchAssets(in: $0).map(\.originalFilename) }
    #expect(names.sorted { $0[0] < $1[0] } == [["0.jpg"], ["1.jpg"]])
    #expect(albums.map(\.localizedTitle) == ["Lake", "Lake"])
  }

  @Test(arguments: ["metadata.json", "метаданни.json", "metadata(1).json"])
  func `an album file with nothing but a title is one if it is among files of an export`(
    _ name: String
  ) throws {
    for folder in [Self.lake, "gallery/"] {
      try write(try ImageFile().jpeg(folder.count), folder + "a.jpg")
      try write(Array(#"{ "title": "Trip's" }"#.utf8), folder + name)
    }
    try describe(Self.lake + "a.jpg")
    // These describe no album.
    try write(Array(#"{"title": "b.jpg"}"#.utf8), Self.lake + "b.jpg.json")
    try write(Array(#"{"title": "c", "imageViews": "1"}"#.utf8), Self.lake + "c.json")
    let report = run()
    #expect(try albums() == ["Trip's": ["a.jpg"]])
    #expect(report.takeout?.files == 2 && report.takeout?.albums == 1)
    #expect(lines(report)["gallery/" + name]?.outcome == .skipped)
    #expect(lines(report)["gallery/" + name]?.reason == "not a photo or video")
  }

  @Test func `a photo of the Locked Folder is hidden, and counted`() throws {
    for (index, more) in [#", "inLockedFolder": true"#, #", "inLockedFolder": false"#].enumerated()
    {
      try write(try ImageFile().jpeg(index), Self.year + "\(index).jpg")
      try describe(Self.year + "\(index).jpg", more)
    }
    let report = run()
    #expect(try library.assets().map(\.isHidden) == [true, false])
    #expect(report.takeout?.locked == 1 && report.takeout?.used == 2)
  }

  @Test func `a damaged JSON file is refused, and its photo imported`() throws {
    let damaged = [
      "cut.jpg.json": #"{"title": "cut.jpg", "photoTakenTime":"#, "empty.jpg.json": "",
      "x.json": #"{"photoTakenTime": {"timestamp": "1000"}"#, "Lake.json": #"{"title": "La"#,
    ]
    for (name, text) in damaged { try write(Array(text.utf8), Self.year + name) }
    for (index, name) in ["cut.jpg", "empty.jpg", "mark.jpg"].enumerated() {
      try write(try ImageFile().jpeg(index), Self.year + name)
    }
    let json = #"{"title": "mark.jpg", "photoTakenTime": {"timestamp": "1000"}}"#
    try write([0xEF, 0xBB, 0xBF] + Array(json.utf8), Self.year + "mark.jpg.json")
    // Without an export around it, it is any file.
    try write(Array(#"{"title": "#.utf8), "code/settings.json")
    let report = run()
    #expect(report.assetCount == 3 && report.count(.refused) == damaged.count)
    for name in damaged.keys {
      let line = lines(report)[Self.year + name]
      #expect(line?.outcome == .refused && line?.reason?.contains("damaged") == true, "\(name)")
    }
    #expect(outcomes(report)["code/settings.json"] == .skipped)
    #expect(report.takeout?.files == 5 && report.takeout?.used == 1)
    #expect(report.takeout?.damaged == damaged.count)
    #expect(try library.assets().compactMap(\.creationDate).count == 1, "a mark is no damage")
  }
}
