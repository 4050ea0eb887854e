// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

extension NameScheme: CustomTestStringConvertible {
  public var testDescription: String { origin }
}

@Suite("Names by which cameras, programs and systems relate files")
struct NameSchemeTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  /// The names of the assets that a default list shows.
  private func shown() throws -> Set<String> {
    Set(try library.library.fetchAssets(FetchOptions<Asset>()).map(\.originalFilename))
  }

  private func stem(_ name: String) -> String { FileSystem.splitName(name).stem }

  @Test(arguments: NameScheme.all.flatMap { row in row.examples.map { (row, $0) } })
  func `the examples of a row have its form, in any case, and nothing longer has`(
    _ row: NameScheme, _ example: String
  ) throws {
    let name: String
    switch row.role {
    case .burst, .shot, .edited: name = stem(example)
    case .reduced, .backup, .system: name = example
    }
    for form in [name, name.lowercased(), name.uppercased()] {
      #expect(row.pattern.identity(of: form) != nil, "\(row.origin): \(form)")
    }
    #expect(row.pattern.identity(of: "my " + name) == nil || name.hasPrefix(stem(example)))
    switch row.role {
    case .burst: #expect(NameScheme.burst(name) != nil)
    case .shot: #expect(NameScheme.shot(name) != name)
    case .edited(let editor): #expect(NameScheme.edited(name)?.editor == editor)
    case .reduced: #expect(!NameScheme.reduced(name).isEmpty)
    case .backup: #expect(NameScheme.backup(name) != nil)
    case .system: #expect(NameScheme.isOfSystem(name))
    }
  }

  @Test(arguments: [
    "DSC_0001-Edit", "DSC_0001", "DSC_0001_BURST", "IMG_BURST1", "DSC_0001_BURST2023",
    "2023_07_09_BURST1", "IMG_20180409_102543", "IMG_20180409_102543_1", "20230101_1",
    "IMG_20180409_102543_BURST1234", "PXL_20220405_090123740.PORTRAIT",
  ])
  func `ordinary names are not those of bursts`(_ stem: String) {
    #expect(NameScheme.burst(stem) == nil)
  }

  @Test(arguments: [
    ["DSC_0001_BURST20230709220904977.JPG", "DSC_0052_BURST20230709220904977_COVER.JPG"],
    ["IMG_20250616_163308479_BURST001.jpg", "IMG_20250616_163308479_BURST000_COVER.jpg"],
    ["IMG_20231014_183246_BURST002.jpg", "IMG_20231014_183246_BURST001_COVER.jpg"],
    ["IMG_20180409_102543_BURST12.jpg", "IMG_20180409_102543_BURST1.jpg"],
    [
      "PXL_20230330_184138390.MOTION-02.ORIGINAL.jpg", "PXL_20230330_184138390.MOTION-01.COVER.jpg",
    ],
  ])
  func `the photos of a burst are imported as one, with the cover or the first shown`(
    _ names: [String]
  ) throws {
    for (index, name) in names.enumerated() { try write(try ImageFile().jpeg(index + 1), name) }
    try write(try ImageFile().jpeg(9), "IMG_20180410_102543_BURST1.jpg")
    #expect(run().assetCount == 3)
    #expect(try shown() == [names[1], "IMG_20180410_102543_BURST1.jpg"])
  }

  @Test func `the RAW file of a phone with other endings belongs to its JPEG`() throws {
    try write(try ImageFile().jpeg(1), "PXL_20231207_032108788.RAW-01.MP.COVER.jpg")
    try write(ImageFile.dng(1), "PXL_20231207_032108788.RAW-02.ORIGINAL.dng")
    try write(
      Array(ImageFile.packet("dc:title=\"T\"").utf8),
      "PXL_20231207_032108788.RAW-01.MP.COVER.jpg.xmp")
    try write(try ImageFile().jpeg(2), "PXL_20231207_032108799.RAW-01.jpg")
    #expect(run().assetCount == 2)
    let pair = try #require(try library.assets().first { $0.traits == .raw })
    #expect(try types(pair) == [.photo, .alternatePhoto, .sidecar] && pair.title == "T")
  }

  @Test func `the previews that cameras write next to videos are skipped, with a reason`() throws {
    let pairs = [
      ("GH010001.MP4", "GL010001.LRV"), ("GOPR0002.MP4", "gopr0002.lrv"),
      ("DJI_0003.MP4", "DJI_0003.LRF"),
      ("VID_20230815_142533_00_007.mp4", "LRV_20230815_142533_11_007.insv"),
    ]
    for (index, pair) in pairs.enumerated() {
      try write(MovieFile.live(nil, seed: index + 1), pair.0)
      try write(MovieFile.live(nil, seed: index + 101), pair.1)
    }
    try write(try ImageFile().jpeg(1), "GH010001.THM")
    // Without its video, a preview is all that there is.
    try write(MovieFile.live(nil, seed: 50), "GL010009.LRV")
    try write(try ImageFile().jpeg(2), "other.THM")
    let report = run()
    #expect(report.count(.skipped) == 5)
    #expect(lines(report)["GL010001.LRV"]?.reason?.contains("GH010001.MP4") == true)
    #expect(try shown() == Set(pairs.map(\.0) + ["GL010009.LRV", "other.THM"]))
    let moved = run([source.path("GH010001.MP4"), source.path("GH010001.THM")]) {
      $0.shouldMoveFiles = true
    }
    #expect(outcomes(moved)["GH010001.THM"] == .skipped)
    #expect(FileSystem.itemExists(source.path("GH010001.THM")))
  }

  @Test(arguments: ["_original", "_exiftool_tmp", "~", ".bak", ".orig", ".part", ".crdownload"])
  func `the copy that a program kept of a file is skipped, unless it is all there is`(
    _ ending: String
  ) throws {
    try write(try ImageFile().jpeg(1), "IMG_3.JPG")
    try write(try ImageFile().jpeg(2), "IMG_3.jpg" + ending)
    try write(try ImageFile().jpeg(3), "IMG_4.JPG" + ending)
    let report = run()
    #expect(lines(report)["IMG_3.jpg" + ending]?.outcome == .skipped)
    #expect(lines(report)["IMG_3.jpg" + ending]?.reason?.contains("IMG_3.JPG") == true)
    #expect(try shown() == ["IMG_3.JPG", "IMG_4.JPG" + ending])
  }

  @Test func `the previews of a Sony card are skipped, unless their video is missing`() throws {
    let root = "PRIVATE/M4ROOT/"
    let videos = ["CLIP/C0001.MP4", "SUB/C0001S03.MP4", "SUB/C0002S03.MP4"]
    for (index, name) in videos.enumerated() {
      try write(MovieFile.live(nil, seed: index + 1), root + name)
    }
    try write(try ImageFile().jpeg(1), root + "THMBNL/C0001T01.JPG")
    try write(try ImageFile().jpeg(2), "other/SUB/C0001S03.JPG")
    let report = run()
    for name in ["SUB/C0001S03.MP4", "THMBNL/C0001T01.JPG"] {
      let line = try #require(lines(report)[root + name])
      #expect(line.outcome == .skipped && line.reason?.contains("preview") == true)
    }
    #expect(try shown() == ["C0001.MP4", "C0002S03.MP4", "C0001S03.JPG"])
  }

  @Test func `the originals that Picasa keeps are reported as a loss, and imported by name`() throws
  {
    try write(try ImageFile().jpeg(1), "a.jpg")
    try write(try ImageFile().jpeg(2), ".picasaoriginals/a.jpg")
    let line = try #require(lines(run())[".picasaoriginals"])
    #expect(line.outcome == .skipped && line.isLoss && line.reason?.contains("originals") == true)
    #expect(run(folder: ".picasaoriginals").assetCount == 1)
  }

  @Test func `recycle bins and thumbnails are skipped in any case, unless they are named`() throws {
    let bins = [
      "#recycle", "#RECYCLE", "@Recycle", "$Recycle.Bin", ".Trash-1000", ".dtrash", ".thumbnails",
      "_recycle",
      "Lightroom Catalog Previews.lrdata", "L.lrcat-data", "@eaDir", "a/@eaDir",
      "Network Trash Folder",
    ]
    for (index, bin) in bins.enumerated() { try write(try ImageFile().jpeg(index), bin + "/x.jpg") }
    for (index, own) in ["recycled art", "my #recycle"].enumerated() {
      try write(try ImageFile().jpeg(index + 20), own + "/\(index).jpg")
    }
    let report = run()
    #expect(try shown() == ["0.jpg", "1.jpg"])
    #expect(Set(outcomes(report).filter { $0.value == .skipped }.keys) == Set(bins))
    #expect(run(folder: "#recycle").assetCount == 1)
  }

  @Test(arguments: [
    ("IMG_1.JPG", "IMG_1_edited.jpeg", "com.apple.photo"),
    ("DSC_1.NEF", "DSC_1-Edit.JPG", "com.adobe.lightroom"),
    ("IMG_1.jpg", "IMG_1-edited.jpg", "com.google.photos"),
    ("IMG_1.JPG", "IMG_1_edited.jpg", "org.darktable"),
  ])
  func `the version that a program rendered is current, and can be reverted`(
    _ original: String, _ rendering: String, _ editor: String
  ) throws {
    let isRaw = original.hasSuffix("NEF")
    try write(isRaw ? ImageFile.dng(1) : try ImageFile().jpeg(1), original)
    var rendered = ImageFile()
    if editor == "org.darktable" { rendered.main = [.text(0x0131, "darktable 4.2.1")] }
    try write(try rendered.jpeg(2), rendering)
    #expect(run().assetCount == 1)
    let asset = try #require(try library.assets().first)
    #expect(asset.hasAdjustments && asset.originalFilename == original)
    let record = try #require(try library.library.editingStore(for: asset).state().record)
    #expect(record.adjustment.formatIdentifier == editor)
    let written = try #require(FileVersion(source.path(rendering))).modificationTime
    #expect(abs(record.date.timeIntervalSince1970 - written) < 1, "the time of the rendering")
    #expect(outcomes(run()).values.allSatisfy { $0 == .duplicate }, "a second import adds nothing")
  }

  /// Programs name XMP after the file with or without its extension.
  @Test(arguments: ["DSC_1-Edit.xmp", "DSC_1-Edit.JPG.xmp", "dsc_1-edit.XMP"])
  func `XMP of an edited version belongs to its photo`(name: String) throws {
    var file = ImageFile()
    file.exif = [.text(0x9003, "2020:01:01 10:00:00")]
    try write(try file.jpeg(1), "DSC_1.JPG")
    try write(try file.jpeg(2), "DSC_1-Edit.JPG")
    try write(Array(ImageFile.packet("dc:title=\"edited\"").utf8), name)
    let report = run()
    #expect(report.assetCount == 1)
    #expect(try library.assets().map(\.title) == ["edited"])
    #expect(lines(report)[name]?.reason == nil, "\(lines(report)[name]?.reason ?? "")")
  }

  @Test func `XMP of the photo precedes that of its edited version, which is reported`() throws {
    var file = ImageFile()
    file.exif = [.text(0x9003, "2020:01:01 10:00:00")]
    try write(try file.jpeg(1), "DSC_1.JPG")
    try write(try file.jpeg(2), "DSC_1-Edit.JPG")
    try write(Array(ImageFile.packet("dc:title=\"original\"").utf8), "DSC_1.xmp")
    try write(Array(ImageFile.packet("dc:title=\"edited\"").utf8), "DSC_1-Edit.xmp")
    let report = run()
    #expect(try library.assets().map(\.title) == ["original"])
    #expect(
      lines(report)["DSC_1-Edit.xmp"]?.reason?.contains("edited version of DSC_1.JPG") == true)
  }

  @Test func `a rendering of another time or number, and a second one, are separate`() throws {
    func jpeg(_ seed: Int, _ date: String) throws -> [UInt8] {
      var file = ImageFile()
      file.exif = [.text(0x9003, date)]
      return try file.jpeg(seed)
    }
    try write(try jpeg(1, "2020:01:01 10:00:00"), "DSC_1.JPG")
    try write(try jpeg(2, "2020:01:01 10:00:00"), "DSC_1-Edit.JPG")
    try write(try jpeg(3, "2020:01:01 10:00:00"), "DSC_1-Edit-2.JPG")
    try write(Array(ImageFile.packet("dc:title=\"2\"").utf8), "DSC_1-Edit-2.xmp")
    try write(try jpeg(4, "2020:01:02 10:00:00"), "DSC_2.JPG")
    try write(try jpeg(5, "2021:01:02 10:00:00"), "DSC_2_edited.JPG")
    try write(try jpeg(6, "2020:01:03 10:00:00"), "DSC_3_edited.JPG")
    let report = run()
    #expect(report.assetCount == 5)
    #expect(lines(report)["DSC_1-Edit.JPG"]?.type == .fullSizePhoto)
    let titled = try library.assets().filter { $0.title == "2" }
    #expect(titled.map(\.originalFilename) == ["DSC_1-Edit-2.JPG"])
  }
}
