// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite(
  "HEIC on the command line", .runsPrograms,
  .enabled(if: CodedPicture.isPossible, "the program ffmpeg is not installed"))
struct HEIFTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: [String]) throws -> Tool.Result {
    try Tool.run(arguments, in: folder.path)
  }

  /// A 64 × 48 image stored in landscape, with matching EXIF orientation, and a gain map.
  private func writePhoto(_ codec: String, to name: String) throws {
    let settings = CodedPicture.Settings().with {
      ($0.codec, $0.width, $0.height, $0.chroma) = (codec, 48, 64, [1, 1])
    }
    var file = HEIFFile(
      try CodedPicture.make(settings), properties: [HEIFFile.box("irot", [3])])
    let orientation: [UInt8] = [0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
    file.items.append(
      HEIFFile.Item(2, "Exif", [0, 0, 0, 0] + Array("MM\0*\0\0\0\u{8}".utf8) + orientation))
    let map = CodedPicture.Settings().with { ($0.codec, $0.chroma) = (codec, nil) }
    file.items.append(
      HEIFFile.item(
        3, try CodedPicture.make(map),
        properties: [HEIFFile.auxiliary("urn:com:apple:photo:2020:aux:hdrgainmap")]))
    file.references = [("cdsc", 2, [1]), ("auxl", 3, [1])]
    try folder.write(file.bytes, to: name)
  }

  @Test(arguments: [("hevc", "photo.heic"), ("av1", "photo.avif")])
  func `a HEIC photo is edited, resumed and reverted, and never written`(
    codec: String, name: String
  ) throws {
    try writePhoto(codec, to: name)
    let original = try FileBytes.digest(of: folder.path(name))
    let first = try run(["apply", "--filter", "grayscale", name, "--json"])
    try #require(first.exitCode == 0, "\(first.errors)")
    let report = try #require(try first.jsonLines().first)
    let losses = report["losses"]?.arrayValue?.compactMap { $0["kind"]?.stringValue } ?? []
    #expect(losses.contains("gainMap"))
    let rendering = try ImageDecoders.open(FileBytes.reading(folder.path("photo.edited.jpg")))
    #expect(rendering.header.size == PixelSize(width: 64, height: 48))
    let metadata = try ImageMetadata.read(FileBytes.reading(folder.path("photo.edited.jpg")))
    #expect(metadata.orientation == .up && metadata.segments.contains { $0.kind == .exif })

    let second = try run(["apply", "--filter", "orient:exif=6", name])
    #expect(second.exitCode == 0, "\(second.errors)")
    let rotated = try ImageDecoders.open(FileBytes.reading(folder.path("photo.edited.jpg")))
    #expect(rotated.header.size == PixelSize(width: 48, height: 64))
    let shown = try run(["show", name])
    #expect(shown.exitCode == 0 && shown.output.contains("grayscale"))
    #expect(try run(["revert", name]).exitCode == 0)
    #expect(try FileBytes.digest(of: folder.path(name)) == original)
    #expect(try !FileSystem.names(in: folder.path).contains("photo.edited.jpg"))
  }

  @Test func `a truncated photo fails with a reason and leaves no files`() throws {
    try writePhoto("hevc", to: "whole.heic")
    let bytes = try FileBytes.reading(folder.path("whole.heic")).array
    try folder.write(Array(bytes.dropLast(200)), to: "cut.heic")
    let result = try run(["apply", "--filter", "grayscale", "cut.heic"])
    #expect(result.exitCode == 65)
    #expect(result.errors.contains("damaged"))
    #expect(try FileSystem.names(in: folder.path).sorted() == ["cut.heic", "whole.heic"])
  }
}
