// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Copies of the videos of Live Photos and motion photos")
struct VideoCopyTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  private static let still = "PXL_20230205_164128403.MP.jpg"

  /// The bytes of a video of a phone.
  private func video(_ seed: Int = 0) -> [UInt8] {
    var movie = MovieFile()
    (movie.brand, movie.seed) = ("mp42", seed)
    return movie.bytes
  }

  private func motionPhoto(_ video: [UInt8]) throws -> [UInt8] {
    var file = ImageFile()
    file.exif = [.text(0x9003, "2023:02:05 17:41:28")]
    file.xmp =
      "xmlns:GCamera=\"http://ns.google.com/photos/1.0/camera/\" GCamera:MicroVideo=\"1\" "
      + "GCamera:MicroVideoOffset=\"\(video.count)\""
    return try file.jpeg() + video
  }

  private func writeLivePhoto() throws {
    try write(try ImageFile.live("L"), "live/IMG_1.JPG")
    try write(MovieFile.live("L"), "live/IMG_1.MOV")
    try write(MovieFile.live("L"), "copy.MOV")
  }

  @Test(arguments: [["."], ["live", "copy.MOV"], ["copy.MOV", "live"]], [1, 100])
  func `a loose copy of a Live Photo's video is a duplicate`(
    _ imports: [String], _ batchSize: Int
  ) throws {
    try writeLivePhoto()
    var reports: [ImportReport] = []
    for path in imports { reports.append(run([source.path(path)]) { $0.batchSize = batchSize }) }
    #expect(try library.assets().map(\.originalFilename) == ["IMG_1.JPG"])
    #expect(reports.allSatisfy { $0.count(.refused) + $0.count(.keptOut) == 0 })
    #expect(outcomes(run()).values.allSatisfy { $0 == .duplicate })
    #expect(try library.check().findings.isEmpty)
  }

  @Test(arguments: [1, 100])
  func `a video of a Live Photo in another coding is no video of its own`(
    _ batchSize: Int
  ) throws {
    try write(try ImageFile.live("L"), "live/IMG_1.JPG")
    try write(MovieFile.live("L"), "live/IMG_1.MOV")
    try write(MovieFile.live("L", seed: 8), "live/IMG_1_HEVC.MOV")
    try write(MovieFile.live("L", seed: 7), "other/copy.MOV")
    for (folder, copy) in [("live", "IMG_1_HEVC.MOV"), ("other", "copy.MOV")] {
      let report = run(folder: folder) { $0.batchSize = batchSize }
      #expect(outcomes(report)[folder + "/" + copy] == .duplicate)
      #expect(lines(report)[folder + "/" + copy]?.reason == .ofOtherCoding)
      let plan = run(folder: folder) { ($0.batchSize, $0.isDryRun) = (batchSize, true) }
      #expect(outcomes(plan).values.allSatisfy { $0 == .duplicate })
    }
    #expect(try library.assets().map(\.originalFilename) == ["IMG_1.JPG"])
    #expect(try library.check().findings.isEmpty)
  }

  @Test func `a video of another length with the identifier of a Live Photo is an asset`() throws {
    try writeLivePhoto()
    var longer = MovieFile()
    longer.tags = [("com.apple.quicktime.content.identifier", "L")]
    longer.frames *= 2
    try write(longer.bytes, "copy.MOV")
    #expect(run().assetCount == 2)
  }

  @Test func `copies are assets if duplicates are imported`() throws {
    try writeLivePhoto()
    #expect(run { $0.skipsDuplicates = false }.assetCount == 2)
  }

  @Test(arguments: ["photo/PXL_20230205_164128403.MP", "a/MVIMG_1.MP4", "other/x.mp4"], [1, 100])
  func `a copy of a motion photo's video is a duplicate, with any name`(
    _ copy: String, _ batchSize: Int
  ) throws {
    try write(try motionPhoto(video()), "photo/" + Self.still)
    try write(video(), copy)
    let folders = copy.hasPrefix("photo") ? ["."] : [".", "photo", FileSystem.folder(of: copy)]
    let plan = run {
      $0.batchSize = batchSize
      $0.isDryRun = true
    }
    for folder in folders {
      let path = folder == "." ? source.path : source.path(folder)
      let report = run([path]) { $0.batchSize = batchSize }
      if folder == "." {
        #expect(outcomes(report) == outcomes(plan))
        #expect(outcomes(report)[copy] == .duplicate)
        #expect(lines(report)[copy]?.asset == (try library.assets().first?.localIdentifier))
      }
    }
    let assets = try library.assets()
    #expect(assets.map(\.originalFilename) == [Self.still])
    #expect(assets.map(\.playbackStyle) == [.livePhoto])
  }

  @Test func `a copy is found to be one in a later import, and is not moved`() throws {
    try write(try motionPhoto(video()), "photo/" + Self.still)
    #expect(run(folder: "photo").assetCount == 1)
    try write(video(), "later/clip.mp4")
    try write(Array(ImageFile.packet("dc:title=\"T\"").utf8), "later/clip.mp4.xmp")
    let report = run(folder: "later") { $0.shouldMoveFiles = true }
    #expect(outcomes(report)["later/clip.mp4"] == .duplicate && report.assetCount == 0)
    #expect(lines(report)["later/clip.mp4.xmp"]?.outcome == .keptOut)
    #expect(try FileSystem.names(in: source.path("later")).count == 2)
  }

  @Test func `another video with the name of a copy is an asset`() throws {
    try write(try motionPhoto(video()), Self.still)
    try write(video(1), "PXL_20230205_164128403.MP")
    #expect(run().assetCount == 2)
    #expect(run().assetCount == 0)
  }
}
