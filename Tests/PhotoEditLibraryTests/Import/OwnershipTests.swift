// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Originals with the same stem, and the files that belong to one of them")
struct OwnershipTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  private func photo(
    _ seed: Int, _ model: String = "Camera", _ date: String? = nil, live: String? = nil
  ) -> ImageFile {
    var file = ImageFile()
    file.main = [.text(0x010F, "Maker"), .text(0x0110, model), .text(0x0131, "seed \(seed)")]
    if let date { file.exif.append(.text(0x9003, date)) }
    if let live { file.exif.append(ImageFile.appleNote(content: live)) }
    return file
  }

  private func raw(_ seed: Int, _ model: String, _ date: String) -> [UInt8] {
    var file = photo(seed, model, date)
    file.main += [.long(0x0100, 400), .long(0x0101, 300), .blob(50_706, [1, 4, 0, 0])]
    return file.tiff
  }

  private func xmp(_ attributes: String) -> [UInt8] { Array(ImageFile.packet(attributes).utf8) }

  /// The names of the files of each asset, without generated ones, by the name of its original.
  private func files() throws -> [String: Set<String>] {
    Dictionary(
      try library.assets().map { asset in
        let files = try library.library.assetResources(for: asset).map(\.originalFilename)
        return (asset.originalFilename, Set(files).subtracting([asset.originalFilename]))
      }, uniquingKeysWith: { $0.union($1) })
  }

  @Test(arguments: [true, false])
  func `XMP describes the file that it names, in one import or in two`(inOneImport: Bool) throws {
    try write(try photo(1).jpeg(), "IMG_1.JPG")
    try write(MovieFile().bytes, "IMG_1.MOV")
    if !inOneImport { _ = run() }
    try write(xmp("dc:title=\"Clip\""), "IMG_1.MOV.xmp")
    _ = run()
    #expect(try files() == ["IMG_1.JPG": [], "IMG_1.MOV": ["IMG_1.MOV.xmp"]])
    #expect(try library.assets().map(\.title).contains("Clip"))
  }

  @Test func `a file that names a missing original is left where it is`() throws {
    try write(try photo(1).jpeg(), "IMG_1.JPG")
    try write(xmp("dc:title=\"Clip\""), "IMG_1.MOV.xmp")
    try write(ImageFile.record("com.apple.video.slomo"), "IMG_1.AAE")
    let report = run { $0.shouldMoveFiles = true }
    for name in ["IMG_1.MOV.xmp", "IMG_1.AAE"] {
      #expect(lines(report)[name]?.outcome == .skipped)
      #expect(lines(report)[name]?.reason?.contains("no photo or video of that name") == true)
      #expect(FileSystem.itemExists(source.path(name)))
    }
    #expect(try files() == ["IMG_1.JPG": []])
  }

  @Test func `of names that differ in case or in Unicode form, each has its own files`() throws {
    let names = ["IMG_1", "img_1", "Caf\u{E9}", "Cafe\u{301}"]
    for (index, name) in names.enumerated() {
      try write(try photo(index + 1).jpeg(), name + ".JPG")
      try write(ImageFile.dng(index + 1), name + ".DNG")
      try write(xmp("dc:title=\"\(index)\""), name + ".JPG.xmp")
    }
    try write(ImageFile.record(), "img_1.aae")
    try write(try photo(20).jpeg(), "img_e1.jpg")
    // Without an exact one, a name in another case is used.
    try write(try photo(30).jpeg(), "b.jpg")
    try write(xmp("dc:title=\"b\""), "B.JPG.XMP")
    #expect(run().assetCount == 5)
    for (index, name) in names.enumerated() {
      let asset = try #require(try library.assets().first { $0.title == "\(index)" })
      #expect(PathKey(asset.originalFilename) == PathKey(name + ".JPG"))
      #expect(try types(asset).isSuperset(of: [.photo, .alternatePhoto, .sidecar]))
      #expect(asset.hasAdjustments == (name == "img_1"))
    }
    #expect(try library.assets().first { $0.originalFilename == "b.jpg" }?.title == "b")
  }

  @Test(arguments: [true, false])
  func `adjustment data and renderings belong to the video or to the photo that they edit`(
    isVideo: Bool
  ) throws {
    try write(try photo(1, "PowerShot", "2008:01:01 00:00:00").jpeg(), "IMG_1.JPG")
    try write(MovieFile.live(nil, seed: 2), "IMG_1.MOV")
    try write(ImageFile.record("com.apple.photo"), "IMG_1.AAE")
    if isVideo {
      try write(MovieFile.live(nil, seed: 3), "IMG_E1.MOV")
    } else {
      try write(try photo(3, "PowerShot", "2008:01:01 00:00:00").jpeg(), "IMG_E1.JPG")
    }
    #expect(run().assetCount == 2)
    #expect(
      try files()
        == (isVideo
          ? ["IMG_1.JPG": [], "IMG_1.MOV": ["IMG_1.AAE", "IMG_E1.MOV"]]
          : ["IMG_1.JPG": ["IMG_1.AAE", "IMG_E1.JPG"], "IMG_1.MOV": []]))
  }

  @Test func `a photo and a video with the same name may both be edited here`() throws {
    try write(try photo(1).jpeg(), "a.jpg")
    try write(MovieFile.live(nil, seed: 1), "a.mov")
    for name in ["a.jpg", "a.mov"] { try write(ImageFile.record(), name + ".aae") }
    try write(try photo(2).jpeg(), "a.edited.jpg")
    try write(MovieFile.live(nil, seed: 2), "a.edited.mov")
    _ = run()
    #expect(
      try files() == [
        "a.jpg": ["a.jpg.aae", "a.edited.jpg"], "a.mov": ["a.mov.aae", "a.edited.mov"],
      ])
  }

  @Test func `the files of a Live Photo stay together next to an unrelated photo`() throws {
    try write(try photo(1, "PowerShot", "2008:01:01 00:00:00").jpeg(), "IMG_1.JPG")
    try write(try photo(2, "iPhone 12", "2021:06:01 10:00:00", live: "L").jpeg(), "IMG_1.PNG")
    try write(MovieFile.live("L", seed: 2), "IMG_1.MOV")
    try write(ImageFile.record(), "IMG_1.AAE")
    try write(try photo(3, "iPhone 12", "2021:06:01 10:00:00", live: "E").jpeg(), "IMG_E1.JPG")
    try write(MovieFile.live("E", seed: 3), "IMG_E1.MOV")
    try write(xmp("dc:title=\"Old\""), "IMG_1.JPG.xmp")
    #expect(run().assetCount == 2)
    #expect(
      try files() == [
        "IMG_1.JPG": ["IMG_1.JPG.xmp"],
        "IMG_1.PNG": ["IMG_1.MOV", "IMG_1.AAE", "IMG_E1.JPG", "IMG_E1.MOV"],
      ])
  }

  @Test(arguments: [
    ("iPhone 8", "2021:08:24 20:38:57", 2), ("EOS 5D", "2013:03:01 10:00:00", 1),
    ("Canon EOS 5D", "2013:03:01 10:00:02", 1), ("EOS 5D", "2013:03:01 11:30:00", 2),
  ])
  func `a RAW file and a JPEG of one name are a pair if camera and time agree`(
    _ model: String, _ date: String, _ count: Int
  ) throws {
    try write(raw(1, "EOS 5D", "2013:03:01 10:00:00"), "IMG_8.DNG")
    try write(try photo(2, model, date).jpeg(), "IMG_8.jpg")
    try write(xmp("dc:title=\"RAW\""), "IMG_8.DNG.xmp")
    #expect(run().assetCount == count)
    let titles = try library.assets().filter { $0.title == "RAW" }.map(\.originalFilename)
    #expect(titles == [count == 1 ? "IMG_8.jpg" : "IMG_8.DNG"])
  }

  @Test func `of several stills, the RAW file belongs to the one of its camera and time`() throws {
    try write(try photo(1, "iPhone 8", "2021:08:24 20:38:57").jpeg(), "IMG_8.HEIC")
    try write(try photo(2, "EOS 5D", "2013:03:01 10:00:00").jpeg(), "IMG_8.JPG")
    try write(raw(3, "EOS 5D", "2013:03:01 10:00:00"), "IMG_8.DNG")
    _ = run()
    #expect(try files() == ["IMG_8.HEIC": [], "IMG_8.JPG": ["IMG_8.DNG"]])
  }

  @Test(arguments: [
    ("photoshop:SidecarForExtension=\"DNG\"", ["IMG_8.DNG"]),
    ("xmlns:tiff=\"http://ns.adobe.com/tiff/1.0/\" tiff:Model=\"EOS 5D\"", ["IMG_8.DNG"]),
    ("dc:format=\"video/quicktime\"", ["IMG_8.MOV"]),
    ("exif:DateTimeOriginal=\"2021-08-24T20:38:57\"", ["IMG_8.JPG"]),
    ("exif:DateTimeOriginal=\"1999-01-01T00:00:00\"", ["IMG_8.DNG", "IMG_8.JPG", "IMG_8.MOV"]),
  ])
  func `XMP without an extension in its name describes what its content does not contradict`(
    _ stated: String, _ described: [String]
  ) throws {
    try write(try photo(1, "iPhone 8", "2021:08:24 20:38:57").jpeg(), "IMG_8.JPG")
    try write(raw(2, "EOS 5D", "2013:03:01 10:00:00"), "IMG_8.DNG")
    var movie = MovieFile()
    movie.created = 3_500_000_000
    try write(movie.bytes, "IMG_8.MOV")
    try write(xmp("dc:title=\"T\" " + stated), "IMG_8.xmp")
    _ = run()
    let titled = try library.assets().filter { $0.title == "T" }.map(\.originalFilename)
    #expect(Set(titled) == Set(described))
  }

  // MARK: Google Takeout

  private func describe(_ name: String, _ caption: String, title: String, _ seconds: Int) throws {
    let json = """
      {"title": "\(title)", "description": "\(caption)", \
      "photoTakenTime": {"timestamp": "\(seconds)"}}
      """
    try write(Array(json.utf8), "Photos from 2014/" + name)
  }

  private func captions() throws -> [String: String] {
    Dictionary(
      try library.assets().map { ($0.originalFilename, $0.caption ?? "") },
      uniquingKeysWith: { $0 + $1 })
  }

  @Test func `a JSON file describes the photo or video whose name it has`() throws {
    let names = ["IMG_1.JPG", "IMG_1.MOV", "img_1.jpg"]
    try write(try photo(1).jpeg(), "Photos from 2014/IMG_1.JPG")
    try write(MovieFile().bytes, "Photos from 2014/IMG_1.MOV")
    try write(try photo(2).jpeg(), "Photos from 2014/img_1.jpg")
    for (index, name) in names.enumerated() {
      try describe(name + ".json", name, title: name, 1_400_000_000 + index)
    }
    let report = run()
    #expect(report.takeout?.used == 3 && report.takeout?.ambiguous == 0)
    #expect(try captions() == Dictionary(uniqueKeysWithValues: names.map { ($0, $0) }))
  }

  @Test func `a video of another date has no description of a photo with its name`() throws {
    var movie = MovieFile()
    // In 2015, as seconds since 1904.
    movie.created = 3_503_000_000
    try write(try photo(1).jpeg(), "Photos from 2014/IMG_1.JPG")
    try write(movie.bytes, "Photos from 2014/IMG_1.MOV")
    try describe("IMG_1.JPG.json", "still", title: "IMG_1.JPG", 1_400_000_000)
    _ = run()
    #expect(try captions() == ["IMG_1.JPG": "still", "IMG_1.MOV": ""])
  }

  @Test func `a truncated JSON name with the title of a photo does not describe a video`() throws {
    let title = "Screenshot_20190919-053857_Instagram_of_a_lake.jpg"
    let stem = String(title.prefix(47))
    var movie = MovieFile()
    movie.created = 3_503_000_000
    try write(try photo(1).jpeg(), "Photos from 2014/\(stem.dropLast()).jpg")
    try write(movie.bytes, "Photos from 2014/\(stem.dropLast()).mp4")
    try describe(title.prefix(46) + ".json", "still", title: title, 1_400_000_000)
    _ = run()
    #expect(try captions().mapValues { $0 }.values.sorted() == ["", "still"])
    let video = try #require(try library.assets().first { $0.mediaType == .video })
    #expect(video.originalFilename == stem.dropLast() + ".mp4")
  }

  @Test func `two JSON files of one Live Photo are both reported`() throws {
    try write(try photo(1, live: "L").jpeg(), "Photos from 2014/IMG_1.HEIC")
    try write(MovieFile.live("L"), "Photos from 2014/IMG_1.MOV")
    for name in ["IMG_1.HEIC", "IMG_1.MOV"] {
      try describe(name + ".json", name, title: name, 1_400_000_000)
    }
    let report = run()
    #expect(report.assetCount == 1 && report.files.count == 4)
    #expect(try captions() == ["IMG_1.HEIC": "IMG_1.HEIC"])
    #expect(outcomes(report)["Photos from 2014/IMG_1.MOV.json"] == .skipped)
  }
}
