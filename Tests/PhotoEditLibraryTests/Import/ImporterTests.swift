// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Importing files and folders")
struct ImporterTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  @Test func `original, adjustment data and rendering form one edited asset`() throws {
    try write(try ImageFile().jpeg(), "IMG_0001.JPG")
    try write(ImageFile.record(), "IMG_0001.AAE")
    try write(try ImageFile().jpeg(2), "IMG_E0001.JPG")
    let report = run()
    #expect(report.assetCount == 1 && report.count(.imported) == 3)
    let asset = try #require(try library.assets().first)
    #expect(asset.hasAdjustments && asset.originalFilename == "IMG_0001.JPG")
    #expect(try types(asset) == [.photo, .fullSizePhoto, .adjustmentData])
    #expect(lines(report)["IMG_E0001.JPG"]?.type == .fullSizePhoto)
  }

  @Test func `a Live Photo with an out-of-range still image time is imported unchanged`() throws {
    try write(try ImageFile.live("T", seed: 1), "IMG_0001.JPG")
    try write(try MovieFile.live("T", seed: 1, stillAt: 5), "IMG_0001.MOV")
    let report = run()
    #expect(report.assetCount == 1 && report.count(.imported) == 2)
    #expect(lines(report)["IMG_0001.MOV"]?.reason?.contains("middle of the video is used") == true)
    let asset = try #require(try library.assets().first)
    #expect(asset.playbackStyle == .livePhoto)
    let manager = ImageManager(library.library)
    let calls = ImageCalls<LivePhoto>()
    manager.requestLivePhoto(
      for: asset, targetSize: ImageManager.maximumSize, resultHandler: calls.take)
    #expect(try calls.wait().last?.payload?.photoTime == 0.5)
  }

  @Test func `adjustment data without a rendering is kept, and the original is current`() throws {
    try write(try ImageFile().jpeg(), "IMG_0001.JPG")
    try write(ImageFile.record(), "IMG_0001.AAE")
    let report = run()
    let asset = try #require(try library.assets().first)
    #expect(!asset.hasAdjustments && report.assetCount == 1)
    #expect(try types(asset) == [.photo, .adjustmentData])
    #expect(lines(report)["IMG_0001.AAE"]?.reason?.contains("rendering is missing") == true)
  }

  @Test func `adjustment data without an original is skipped`() throws {
    try write(ImageFile.record(), "IMG_0001.AAE")
    let report = run()
    #expect(report.assetCount == 0 && lines(report)["IMG_0001.AAE"]?.outcome == .skipped)
  }

  @Test func `a rendering without adjustment data is a separate photo`() throws {
    try write(try ImageFile().jpeg(), "IMG_0001.JPG")
    try write(try ImageFile().jpeg(2), "IMG_E0001.JPG")
    try write(try ImageFile().jpeg(3), "b.edited.jpg")
    #expect(run().assetCount == 3)
  }

  @Test func `an image and a video with the same identifier form a Live Photo`() throws {
    try write(try ImageFile.live("L-1"), "IMG_1.JPG")
    try write(MovieFile.live("L-1"), "IMG_1.MOV")
    let report = run()
    let asset = try #require(try library.assets().first)
    #expect(report.assetCount == 1 && asset.playbackStyle == .livePhoto)
    #expect(try types(asset) == [.photo, .pairedVideo])
  }

  @Test func `the identifier pairs files with different names`() throws {
    try write(try ImageFile.live("L-1"), "IMG_1.JPG")
    try write(try ImageFile.live("L-2", seed: 2), "IMG_2.JPG")
    try write(MovieFile.live("L-2"), "IMG_2_HEVC.MOV")
    #expect(run().assetCount == 2)
    let live = try library.assets().filter { $0.playbackStyle == .livePhoto }
    #expect(live.map(\.originalFilename) == ["IMG_2.JPG"])
  }

  @Test(arguments: [true, false])
  func `of two stills with the identifier of a video, the one of its name gets it`(
    isLater: Bool
  ) throws {
    try write(try ImageFile.live("L-1"), "a/COPY_1.JPG")
    try write(try ImageFile.live("L-1", seed: 2), "b/IMG_1.JPG")
    if isLater { _ = run() }
    try write(MovieFile.live("L-1"), "c/IMG_1.MOV")
    _ = run()
    let live = try library.assets().filter { $0.playbackStyle == .livePhoto }
    #expect(live.map(\.originalFilename) == ["IMG_1.JPG"])
    #expect(try library.assets().count == 2)
  }

  @Test(
    arguments: [("L-1", nil), (nil, "L-1"), (nil, nil), ("L-1", "L-2")] as [(String?, String?)])
  func `files with the same name but no common identifier are two assets`(
    _ still: String?, _ movie: String?
  ) throws {
    try write(try ImageFile.live(still), "IMG_1.JPG")
    try write(MovieFile.live(movie), "IMG_1.MOV")
    #expect(run().assetCount == 2)
    #expect(Set(try library.assets().map(\.mediaType)) == [.image, .video])
  }

  @Test func `a RAW and a JPEG with the same name form one asset`() throws {
    try write(try ImageFile().jpeg(), "DSC_1.JPG")
    try write(ImageFile.dng(), "DSC_1.dng")
    try write(ImageFile.dng(2), "DSC_2.DNG")
    #expect(run().assetCount == 2)
    let pair = try #require(try library.assets().first)
    #expect(try types(pair) == [.photo, .alternatePhoto] && pair.traits == .raw)
  }

  @Test(.requirement("burst-representative"))
  func `a burst has one representative across several imports`() throws {
    for index in 1...3 {
      var file = ImageFile()
      file.exif = [ImageFile.appleNote(burst: "BURST")]
      try write(try file.jpeg(index), "day\(index)/IMG_\(index).JPG")
    }
    _ = run([source.path("day1")])
    _ = run()
    let assets = try library.assets()
    #expect(assets.count == 3 && assets.count { $0.representsBurst } == 1)
    #expect(assets.first?.representsBurst == true)
  }

  @Test func `an XMP sidecar supplies title and caption`() throws {
    try write(try ImageFile().jpeg(), "a.jpg")
    try write(try ImageFile().jpeg(2), "b.jpg")
    let text = ImageFile.packet("dc:title=\"From beside\" dc:description=\"A caption\"")
    try write(Array(text.utf8), "a.xmp")
    try write(Array("no packet".utf8), "b.jpg.xmp")
    let report = run()
    let asset = try #require(try library.assets().first)
    #expect(asset.title == "From beside" && asset.caption == "A caption")
    #expect(lines(report)["a.xmp"]?.outcome == .imported)
    #expect(lines(report)["b.jpg.xmp"]?.outcome == .refused)
    #expect(report.assetCount == 2)
  }

  @Test func `a repeated import adds nothing`() throws {
    for index in 1...7 { try write(try ImageFile().jpeg(index), "f\(index % 3)/\(index).jpg") }
    try write(try ImageFile().jpeg(1), "copy.jpg")
    let first = run { $0.batchSize = 2 }
    #expect(first.assetCount == 7 && first.count(.duplicate) == 1)
    let files = try library.storedFiles()
    let second = run { $0.batchSize = 3 }
    #expect(second.assetCount == 0 && second.count(.duplicate) == 8)
    #expect(second.files.allSatisfy { $0.asset != nil })
    #expect(try library.storedFiles() == files, "no files are left behind")
    let third = run { $0.skipsDuplicates = false }
    #expect(third.assetCount == 8)
  }

  @Test func `a canceled import keeps its results and can be continued`() throws {
    for index in 1...6 { try write(try ImageFile().jpeg(index), "\(index).jpg") }
    let stopped = run {
      $0.batchSize = 2
      let library = library
      $0.isCancelled = { ((try? library.assets().count) ?? 0) >= 2 }
    }
    #expect(stopped.interruption?.code == .userCancelled)
    let done = try library.assets().count
    #expect(done >= 2 && done < 6 && stopped.count(.imported) == done)
    #expect(stopped.files.count == 6 && stopped.count(.skipped) == 6 - done)
    let rest = run()
    #expect(rest.interruption == nil && rest.assetCount == 6 - done)
    #expect(try library.assets().count == 6)
  }

  @Test func `a failed import reports an outcome for every file`() throws {
    for index in 1...6 { try write(try ImageFile().jpeg(index), "\(index).jpg") }
    let steps = LockedValue(0)
    let policy = library.library.layout.policy
    let report = run {
      $0.batchSize = 2
      $0.isCancelled = {
        let step = steps.withLock { step in
          step += 1
          return step
        }
        if step == 2 {
          try? #"{"schemaVersion": 1, "default": "none"}"#
            .write(toFile: policy, atomically: true, encoding: .utf8)
        }
        return false
      }
    }
    #expect(report.interruption?.code == .accessRestricted)
    #expect(report.files.count == 6 && Set(report.files.map(\.path)).count == 6)
    #expect(report.count(.skipped) >= 2 && report.count(.imported) == report.assetCount)
  }

  @Test func `a dry run reports the outcomes and changes nothing`() throws {
    try write(try ImageFile().jpeg(), "a.jpg")
    try write(try ImageFile().jpeg(), "copy.jpg")
    try write([1, 2, 3], "bad.jpg")
    let before = try library.storedFiles()
    let report = run { $0.isDryRun = true }
    #expect(report.assetCount == 1)
    #expect(lines(report)["a.jpg"]?.outcome == .imported)
    #expect(lines(report)["copy.jpg"]?.outcome == .duplicate)
    #expect(lines(report)["bad.jpg"]?.outcome == .refused)
    #expect(try library.assets().isEmpty && library.storedFiles() == before)
  }

  @Test func `moved sources are removed after their asset is committed`() throws {
    try write(try ImageFile().jpeg(), "a.jpg")
    try write(try ImageFile().jpeg(), "copy.jpg")
    try write([1, 2, 3], "bad.jpg")
    _ = run { $0.shouldMoveFiles = true }
    #expect(!FileSystem.itemExists(source.path("a.jpg")))
    #expect(FileSystem.itemExists(source.path("copy.jpg")), "duplicates are kept")
    #expect(FileSystem.itemExists(source.path("bad.jpg")), "refused files are kept")
  }

  @Test func `links, hidden and unsupported files in folders are skipped`() throws {
    try write(try ImageFile().jpeg(), "deep/er/a.jpg")
    try write(try ImageFile().jpeg(2), ".hidden.jpg")
    try write(try ImageFile().jpeg(3), "@eaDir/thumb.jpg")
    try write(Array("text".utf8), "notes.txt")
    try write(try ImageFile().jpeg(4), "no-ending")
    #expect(symlink("/etc", source.path("etc")) == 0)
    #expect(symlink(source.path("deep/er/a.jpg"), source.path("link.jpg")) == 0)
    #expect(mkfifo(source.path("pipe.jpg"), 0o600) == 0)
    let report = run()
    #expect(report.assetCount == 2)
    let lines = lines(report)
    for name in [".hidden.jpg", "@eaDir", "notes.txt", "etc", "link.jpg", "pipe.jpg"] {
      #expect(lines[name]?.outcome == .skipped && lines[name]?.reason != nil, "\(name)")
    }
    #expect(run([source.path("link.jpg")]).count(.duplicate) == 1, "a passed link is followed")
    #expect(run([source.path("pipe.jpg")]).count(.refused) == 1)
    let flat = run { $0.isRecursive = false }
    #expect(self.lines(flat)["deep"]?.outcome == .skipped)
  }

  @Test func `the library's own folder is never imported`() throws {
    _ = try library.create([(.photo, try ImageFile().jpeg())])
    let report = run([library.folder.path])
    #expect(report.assetCount == 0 && report.count(.skipped) == 1)
  }

  @Test func `a source modified during import creates no partial asset`() throws {
    let path = source.path("big.jpg")
    let whole = try TestImages.bytes("photo-1024.jpg")
    let half = Array(whole.prefix(whole.count / 2))
    let filled = half + [UInt8](repeating: 0, count: whole.count - half.count)
    try source.write(whole, to: "big.jpg")
    let (stop, group) = (Flag(), DispatchGroup())
    DispatchQueue.global().async(group: group) {
      while !stop.isSet {
        truncate(path, off_t(half.count))
        truncate(path, off_t(whole.count))
      }
    }
    for _ in 0..<50 {
      let report = run { $0.skipsDuplicates = false }
      #expect(report.files.count == 1)
    }
    stop.set()
    group.wait()
    let states = Set([whole, half, filled].map { SHA256Digest(of: $0) })
    for asset in try library.assets() {
      let file = try #require(try library.files(of: asset)[.photo])
      #expect(states.contains(try digest(file)), "the stored bytes were once the complete file")
    }
    #expect(try library.storedFiles().allSatisfy { $0.hasPrefix("assets/") })
  }

  @Test func `only selected files are imported, and parts of an asset name its original`() throws {
    try write(ImageFile().jpeg(1), "IMG_1.JPG")
    try write(ImageFile.dng(1), "IMG_1.DNG")
    try write(Array(ImageFile.packet("xmp:Rating=\"3\"").utf8), "IMG_1.xmp")
    // Not a Live Photo, so that each can be selected.
    try write(ImageFile().jpeg(2), "IMG_2.JPG")
    try write(MovieFile().bytes, "IMG_2.MOV")
    let plan = run { $0.isDryRun = true }
    let originals = lines(plan).mapValues { $0.original.map { FileSystem.lastName(of: $0) } }
    #expect(
      originals == [
        "IMG_1.JPG": "IMG_1.JPG", "IMG_1.DNG": "IMG_1.JPG", "IMG_1.xmp": "IMG_1.JPG",
        "IMG_2.JPG": "IMG_2.JPG", "IMG_2.MOV": "IMG_2.MOV",
      ])
    let report = run { $0.selection = [source.path("IMG_1.DNG"), source.path("IMG_2.MOV")] }
    #expect(
      outcomes(report) == [
        "IMG_1.JPG": .skipped, "IMG_1.DNG": .imported, "IMG_1.xmp": .imported,
        "IMG_2.JPG": .skipped, "IMG_2.MOV": .imported,
      ])
    #expect(report.assetCount == 2)
    let rest = run { $0.selection = [source.path("IMG_2.JPG")] }
    #expect(rest.assetCount == 1 && outcomes(rest)["IMG_2.MOV"] == .skipped)
  }
}

/// A flag that one thread sets and another reads.
private final class Flag: Sendable {
  private let value = LockedValue(false)
  var isSet: Bool { value.withLock { $0 } }
  func set() { value.withLock { $0 = true } }
}
