// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs
@testable import PhotoEditLibrary

@Suite("Images of kinds that cannot be decoded")
struct UndecodableImageTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  /// A JPEG whose frame header states another coding process or another depth.
  private static func jpeg(marker: UInt8 = 0xC0, bits: UInt8 = 8) throws -> [UInt8] {
    var file = ImageFile()
    file.exif = [.text(0x9003, "2020:01:02 03:04:05")]
    var bytes = try file.jpeg()
    let frame = try #require(
      bytes.indices.dropLast(4).first {
        bytes[$0] == 0xFF && [0xC0, 0xC1, 0xC2].contains(bytes[$0 + 1])
          && bytes[($0 + 2)...].starts(with: [0, 17, 8])
      })
    (bytes[frame + 1], bytes[frame + 4]) = (marker, bits)
    return bytes
  }

  private static func floatTIFF() -> [UInt8] {
    var file = ImageFile()
    file.main = [
      .long(0x0100, 2), .long(0x0101, 1), .short(0x0102, 32), .short(0x0103, 1),
      .short(0x0106, 1), .long(0x0111, 8), .short(0x0115, 1), .long(0x0116, 1), .long(0x0117, 8),
      .short(0x0153, 3), .text(0x010F, "Maker"),
    ]
    return file.tiff
  }

  private static func images() throws -> [(name: String, bytes: [UInt8], kind: String)] {
    [
      ("lossless.jpg", try jpeg(marker: 0xC3), "lossless JPEG"),
      ("hierarchical.jpg", try jpeg(marker: 0xC5), "hierarchical JPEG"),
      ("deep.jpg", try jpeg(marker: 0xC1, bits: 12), "12 bits"),
      ("float.tif", floatTIFF(), "floating-point"),
    ]
  }

  @Test(arguments: [true, false])
  func `a damaged raw file is imported unchanged, and is named`(isPaired: Bool) throws {
    let whole = ImageFile.dng(1)
    let truncated = Array(whole.dropLast(whole.count / 4))
    try write(truncated, "a/IMG_1.dng")
    try write(ImageFile.dng(2), "a/IMG_2.dng")
    if isPaired { try write(try ImageFile().jpeg(1), "a/IMG_1.jpg") }
    let report = run()
    let line = try #require(lines(report)["a/IMG_1.dng"])
    #expect(line.reason?.contains("damaged") == true && line.error == nil)
    #expect(line.reason?.hasSuffix("imported unchanged") == true)
    #expect(lines(report)["a/IMG_2.dng"]?.reason == nil, "one that is whole")
    #expect(try storedDigests().contains(FileBytes(truncated).digest()))
    #expect(try library.check().findings.map(\.kind) == [.knownDamage])
  }

  @Test func `an image whose metadata is over the limits is named`() throws {
    let comment = JPEGSegment(marker: 0xFE, payload: [0x78])
    let comments = [JPEGSegment](repeating: comment, count: ImageMetadata.maximumSegmentCount + 1)
    try write(ProfiledFiles.jpeg(try ImageFile().jpeg(1), adding: comments), "a.jpg")
    let line = try #require(lines(run())["a.jpg"])
    #expect(line.outcome == .imported)
    #expect(line.reason?.hasPrefix("its metadata is not read: file contains more than") == true)
  }

  @Test func `they are imported unchanged, with a note, and can be exported`() throws {
    let images = try Self.images()
    for image in images { try write(image.bytes, "a/" + image.name) }
    let plan = run { $0.isDryRun = true }
    let report = run()
    #expect(report.assetCount == images.count && outcomes(report) == outcomes(plan))
    for image in images {
      let line = try #require(lines(report)["a/" + image.name])
      #expect(line.outcome == .imported && line.reason?.contains(image.kind) == true)
      #expect(line.reason?.contains("imported unchanged") == true)
      let asset = try #require(
        try library.assets().first { $0.originalFilename == image.name })
      #expect(try FileBytes.reading(library.files(of: asset)[.photo] ?? "").array == image.bytes)
      let size = image.name == "float.tif" ? [2, 1] : [64, 48]
      #expect([asset.pixelWidth, asset.pixelHeight] == size, "\(image.name)")
    }
    #expect(try library.assets().count { $0.creationDate != nil } == 3)
    #expect(try library.check().findings.allSatisfy { $0.kind == .undecodableFile })
    #expect(outcomes(run()).values.allSatisfy { $0 == .duplicate })
    let target = source.path("out")
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    var exporter = Exporter(library.library, to: URL(filePath: target), version: .original)
    for asset in try library.assets() {
      let file = try #require(try exporter.export(asset).first)
      let original = images.first { $0.name == asset.originalFilename }
      #expect(try FileBytes.reading(file.path).array == original?.bytes)
    }
  }

  @Test func `a version that cannot be shown is not taken as the current one`() throws {
    try write(try ImageFile().jpeg(1), "IMG_1.JPG")
    try write(ImageFile.record("com.apple.photo"), "IMG_1.AAE")
    try write(try Self.jpeg(marker: 0xC3), "IMG_E1.JPG")
    #expect(outcomes(run())["IMG_E1.JPG"] == .refused)
    #expect(try library.assets().map(\.hasAdjustments) == [false])
  }
}
