// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Files of a photo that were imported before the photo")
struct EarlierPartTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  /// The files of one photo or video.
  struct Whole: CustomTestStringConvertible {
    let testDescription: String
    /// The file that is imported first.
    let part: String
    let files: [(String, [UInt8])]

    init(_ description: String, _ part: String, _ files: [(String, [UInt8])]) {
      (testDescription, self.part, self.files) = (description, part, files)
    }
  }

  private static func photo(_ seed: Int, _ date: String = "2020:01:02 03:04:05") throws -> [UInt8] {
    var file = ImageFile()
    file.exif = [.text(0x9003, date)]
    return try file.jpeg(seed)
  }

  private static func motionPhoto(_ video: [UInt8]) throws -> [UInt8] {
    var file = ImageFile()
    file.xmp =
      "xmlns:GCamera=\"http://ns.google.com/photos/1.0/camera/\" GCamera:MicroVideo=\"1\" "
      + "GCamera:MicroVideoOffset=\"\(video.count)\""
    return try file.jpeg() + video
  }

  private static func wholes() throws -> [Whole] {
    var phone = MovieFile()
    phone.brand = "mp42"
    let title = Array(ImageFile.packet("dc:title=\"T\"").utf8)
    return [
      Whole("RAW", "R.DNG", [("R.DNG", ImageFile.dng(1)), ("R.JPG", try photo(1))]),
      Whole(
        "RAW with XMP", "R.DNG",
        [("R.DNG", ImageFile.dng(1)), ("R.JPG", try photo(1)), ("R.xmp", title)]),
      Whole(
        "rendering", "E_edited.jpg", [("E_edited.jpg", try photo(2)), ("E.jpg", try photo(1))]),
      Whole(
        "rendering of Apple", "IMG_E1.JPG",
        [
          ("IMG_E1.JPG", try photo(2)), ("IMG_1.JPG", try photo(1)),
          ("IMG_1.AAE", ImageFile.record("com.apple.photo")),
        ]),
      Whole(
        "rendered video", "a.edited.mov",
        [
          ("a.edited.mov", MovieFile.live(nil, seed: 2)), ("a.mov", MovieFile.live(nil, seed: 1)),
          ("a.mov.aae", ImageFile.record()),
        ]),
      Whole(
        "copy of a motion photo's video", "M.MP",
        [("M.MP", phone.bytes), ("M.MP.jpg", try motionPhoto(phone.bytes))]),
    ]
  }

  /// The types and bytes of the files of the assets, apart from generated ones.
  private func files(_ library: TestLibrary) throws -> [Set<String>] {
    try library.assets().map { asset in
      Set(
        try library.files(of: asset).map { type, path in
          type == .adjustmentData ? "\(type)" : "\(type) \(try digest(path))"
        })
    }
  }

  @Test(arguments: try wholes(), [1, 100])
  func `the photo becomes what it is if all its files are imported at once`(
    _ whole: Whole, _ batchSize: Int
  ) throws {
    let other = try TestLibrary()
    for (name, bytes) in whole.files { try write(bytes, "all/" + name) }
    #expect(Importer(other.library).run([source.path("all")]).assetCount == 1)
    try write(try #require(whole.files.first { $0.0 == whole.part }?.1), "first/" + whole.part)
    #expect(run(folder: "first").assetCount == 1)
    let first = try #require(try library.assets().first)
    let album = try library.addAlbum("Kept", [first])
    try library.library.performChangesAndWait { try $0.change(first).setCaption("Mine") }
    let plan = run(folder: "all") { $0.isDryRun = true }
    let report = run(folder: "all") { $0.batchSize = batchSize }
    #expect(outcomes(report) == outcomes(plan) && report.assetCount == 0)
    #expect(outcomes(report)["all/" + whole.part] == .duplicate)
    #expect(report.count(.attached) == whole.files.count - 1)
    #expect(try files(library) == (try files(other)))
    let asset = try #require(try library.assets().first)
    let expected = try #require(try other.assets().first)
    #expect(asset.localIdentifier == first.localIdentifier && asset.caption == "Mine")
    #expect(try library.library.fetchAssets(in: album).count == 1)
    #expect(asset.originalFilename == expected.originalFilename && asset.title == expected.title)
    #expect(asset.mediaType == expected.mediaType && asset.playbackStyle == expected.playbackStyle)
    #expect(asset.hasAdjustments == expected.hasAdjustments && asset.traits == expected.traits)
    #expect(asset.pixelWidth == expected.pixelWidth && asset.duration == expected.duration)
    #expect(asset.creationDate == expected.creationDate && asset.fileSize == expected.fileSize)
    #expect(outcomes(run(folder: "all")).values.allSatisfy { $0 == .duplicate })
    #expect(try library.check().findings.isEmpty)
  }

  @Test(arguments: try wholes(), [1, 100])
  func `the folders of one import may be in any order`(_ whole: Whole, _ batchSize: Int) throws {
    for (name, bytes) in whole.files { try write(bytes, "b/" + name) }
    try write(try #require(whole.files.first { $0.0 == whole.part }?.1), "a/" + whole.part)
    #expect(run { $0.batchSize = batchSize }.count(.refused) == 0)
    #expect(try library.assets().count == 1)
    #expect(try library.check().findings.isEmpty)
  }

  @Test(arguments: [1, 100])
  func `the current version of a photo is a duplicate of it under any name`(
    _ batchSize: Int
  ) throws {
    for (name, bytes) in [("E.jpg", try Self.photo(1)), ("E_edited.jpg", try Self.photo(2))] {
      try write(bytes, "all/" + name)
    }
    try write(try Self.photo(2), "best/my best.jpg")
    try write(try Self.photo(2), "best/sub/again.jpg")
    let plan = run {
      $0.batchSize = batchSize
      $0.isDryRun = true
    }
    let report = run {
      $0.batchSize = batchSize
      $0.makesFolderAlbums = true
    }
    #expect(outcomes(report) == outcomes(plan) && report.assetCount == 1)
    #expect(outcomes(report)["best/my best.jpg"] == .duplicate)
    let asset = try #require(try library.assets().first)
    #expect(lines(report)["best/sub/again.jpg"]?.asset == asset.localIdentifier)
    let albums = try library.library.fetchAssetCollections(with: .album)
    #expect(try albums.map { try library.library.fetchAssets(in: $0).count } == [1, 1, 1])
    let again = run(folder: "best")
    #expect(outcomes(again).values.allSatisfy { $0 == .duplicate })
    // An edit of the edited photo is a photo of its own.
    try write(try Self.photo(2), "next/F.jpg")
    try write(try Self.photo(3), "next/F_edited.jpg")
    #expect(run(folder: "next").assetCount == 1)
    #expect(run(folder: "best") { $0.skipsDuplicates = false }.assetCount == 2)
    #expect(try library.check().findings.isEmpty)
  }

  @Test func `sources that are to be moved stay if the library had them`() throws {
    try write(ImageFile.dng(1), "first/R.DNG")
    _ = run(folder: "first")
    try write(ImageFile.dng(1), "all/R.DNG")
    try write(try Self.photo(1), "all/R.JPG")
    _ = run(folder: "all") { $0.shouldMoveFiles = true }
    #expect(try FileSystem.names(in: source.path("all")) == ["R.DNG"])
    #expect(try library.assets().count == 1)
  }

  @Test func `a photo of another time, and one in the trash, stay as they are`() throws {
    try write(try Self.photo(2), "E_edited.jpg")
    _ = run()
    try write(try Self.photo(1, "2021:01:02 03:04:05"), "E.jpg")
    #expect(run().assetCount == 1)
    #expect(try library.assets().map(\.hasAdjustments) == [false, false])
    let part = try #require(try library.assets().first)
    try library.library.performChangesAndWait { try $0.delete([part]) }
    try write(try Self.photo(3), "E.jpg")
    _ = run()
    #expect(try library.assets().count == 2, "the trash does not change")
  }
}
