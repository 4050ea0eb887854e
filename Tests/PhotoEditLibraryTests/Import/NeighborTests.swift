// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Effects of neighboring files on imports")
struct NeighborTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  @Test(arguments: ["empty", "cut", "text"])
  func `a valid photo is imported next to an unreadable video`(_ kind: String) throws {
    let whole = MovieFile().bytes
    let movies = ["empty": [], "cut": Array(whole.prefix(whole.count / 2)), "text": [0x68, 0x69]]
    try write(try ImageFile().jpeg(), "IMG_1.JPG")
    try write(try #require(movies[kind]), "IMG_1.MOV")
    try write(Array(ImageFile.packet("dc:title=\"T\"").utf8), "IMG_1.xmp")
    let report = run()
    #expect(
      outcomes(report) == ["IMG_1.JPG": .imported, "IMG_1.MOV": .refused, "IMG_1.xmp": .imported])
    #expect(lines(report)["IMG_1.MOV"]?.error != nil)
    #expect(try library.assets().map(\.title) == ["T"])
  }

  @Test func `a Live Photo is rejected as a pair when the disk is full`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      exit(try NeighborTests().exitCodeOfFullDisk())
    }
  }

  /// Returns 0 if a pair is rejected atomically for lack of space and imported once there is space.
  ///
  /// A process-wide limit on the file size simulates the full disk.
  private func exitCodeOfFullDisk() throws -> Int32 {
    let filling: [UInt8] = [0, 0x80, 0, 0] + Array("free".utf8)
    try write(try ImageFile.live("L-1"), "IMG_1.JPG")
    try write(
      MovieFile.live("L-1") + filling + [UInt8](repeating: 0, count: (8 << 20) - 8), "IMG_1.MOV")
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: 4 << 20, rlim_max: .max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    let report = run()
    guard outcomes(report) == ["IMG_1.JPG": .refused, "IMG_1.MOV": .refused] else { return 1 }
    guard report.files.allSatisfy({ $0.error?.code == .notEnoughSpace }) else { return 2 }
    guard try library.assets().isEmpty else { return 3 }
    limit.rlim_cur = .max
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    _ = run()
    return try library.assets().map(\.playbackStyle) == [.livePhoto] ? 0 : 4
  }

  @Test func `companions of a broken original become separate assets`() throws {
    try write([1, 2, 3], "IMG_1.JPG")
    try write(MovieFile().bytes, "IMG_1.MOV")
    try write(try ImageFile().jpeg(2), "IMG_E1.JPG")
    try write(ImageFile.record(), "IMG_1.AAE")
    try write([1, 2, 3], "DSC_1.JPG")
    try write(ImageFile.dng(), "DSC_1.DNG")
    let report = run()
    #expect(
      outcomes(report) == [
        "IMG_1.JPG": .refused, "IMG_1.MOV": .imported, "IMG_E1.JPG": .imported,
        "IMG_1.AAE": .skipped, "DSC_1.JPG": .refused, "DSC_1.DNG": .imported,
      ])
    #expect(report.assetCount == 3)
  }

  @Test func `broken adjustment data or a broken rendering does not block the photo`() throws {
    try write(try ImageFile().jpeg(1), "a/IMG_1.JPG")
    try write(try ImageFile().jpeg(2), "a/IMG_E1.JPG")
    try write([1, 2, 3], "a/IMG_1.AAE")
    try write(try ImageFile().jpeg(3), "b/IMG_1.JPG")
    try write([1, 2, 3], "b/IMG_E1.JPG")
    try write(ImageFile.record(), "b/IMG_1.AAE")
    let report = run()
    #expect(
      outcomes(report) == [
        "a/IMG_1.JPG": .imported, "a/IMG_E1.JPG": .imported, "a/IMG_1.AAE": .refused,
        "b/IMG_1.JPG": .imported, "b/IMG_E1.JPG": .refused, "b/IMG_1.AAE": .imported,
      ])
    #expect(report.assetCount == 3)
    #expect(try library.assets().allSatisfy { !$0.hasAdjustments })
  }

  @Test(arguments: ["IMG_1.PNG", "IMG_1.HEIC", "IMG_1.webp", "IMG_1.MOV", "IMG_1.AAE", "IMG_1.DNG"])
  func `a file with the extension of another format is imported by its content`(
    _ name: String
  ) throws {
    try write(try ImageFile().jpeg(), name)
    let report = run()
    #expect(outcomes(report) == [name: .imported])
    #expect(lines(report)[name]?.reason?.contains("public.jpeg") == true)
    let asset = try #require(try library.assets().first)
    #expect(asset.originalFilename == name && asset.mediaType == .image)
    let file = try #require(try library.files(of: asset)[.photo])
    #expect(file.hasSuffix(".jpg"), "it is stored with the correct extension")
  }

  @Test func `a video with the extension of a photo is imported as a video`() throws {
    try write(MovieFile().bytes, "IMG_1.JPG")
    #expect(run().assetCount == 1)
    #expect(try library.assets().first?.mediaType == .video)
  }

  @Test func `damage present at import is recorded and passes later checks`() throws {
    let whole = try TestImages.bytes("photo-1024.jpg")
    try write(Array(whole.prefix(whole.count / 2)), "half.jpg")
    let report = run()
    #expect(outcomes(report) == ["half.jpg": .imported])
    #expect(lines(report)["half.jpg"]?.reason?.contains("damaged") == true)
    let check = try library.check()
    #expect(check.findings.map(\.kind) == [.knownDamage] && check.isSound)
    let asset = try #require(try library.assets().first)
    #expect(asset.traits == .knownDamage)
    let file = try #require(try library.files(of: asset)[.photo])
    let identifier = try #require(LocalIdentifier(asset.localIdentifier))
    let layout = library.library.layout
    let manifest = try #require(
      layout.json(layout.assetFolder(identifier.uuid) + "/" + AssetManifest.name))
    #expect(manifest["knownDamage"]?.boolValue == true)
    // Damage that occurs after the import is an error.
    var bytes = try FileBytes.reading(file).array
    bytes[600] ^= 1
    try Data(bytes).write(to: URL(filePath: file))
    #expect(try !library.check().isSound)
  }

  @Test func `only the originals of an Apple Photos library are imported`() throws {
    try write(try ImageFile().jpeg(1), "Photos Library.photoslibrary/originals/A/A1.jpeg")
    try write(try ImageFile().jpeg(2), "Photos Library.photoslibrary/originals/B/B1.jpeg")
    for folder in ["resources/derivatives/A", "resources/renders/A", "private/x", "internal"] {
      try write(
        try ImageFile().jpeg(folder.utf8.count + 10),
        "Photos Library.photoslibrary/\(folder)/A1_1_105_c.jpeg")
    }
    try write(Array("SQLite format 3".utf8), "Photos Library.photoslibrary/database/Photos.sqlite")
    let report = run()
    #expect(report.assetCount == 2 && report.count(.skipped) == 5)
    #expect(
      lines(report)["Photos Library.photoslibrary/resources"]?.reason?.contains("originals")
        == true)
    // A folder with such names but no library structure is an ordinary folder.
    try write(try ImageFile().jpeg(40), "mine/originals/a.jpg")
    try write(try ImageFile().jpeg(41), "mine/resources/b.jpg")
    #expect(run(folder: "mine").assetCount == 2)
  }
}
