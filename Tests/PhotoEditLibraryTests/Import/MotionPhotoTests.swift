// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditMovieFiles
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite(
  "Importing motion photos",
  .enabled(if: Program.find("ffmpeg") != nil, "the program ffmpeg is not installed"))
struct MotionPhotoTests {
  private let folder: TestLibrary
  private let source: TemporaryFolder
  private var library: PhotoLibrary { folder.library }

  init() throws {
    folder = try TestLibrary()
    source = try TemporaryFolder()
  }

  private func video() throws -> [UInt8] {
    let ffmpeg = try #require(Program.find("ffmpeg"))
    let path = source.path("film.mp4")
    let arguments =
      "-v error -y -f lavfi -i testsrc=size=64x48:rate=10:duration=1 -c:v libx264 -preset ultrafast "
      + "-pix_fmt yuv420p -movflags +faststart"
    #expect(
      Program.run(
        ffmpeg, arguments.split(separator: " ").map(String.init) + [path], output: "/dev/null") == 0
    )
    defer { try? FileSystem.remove(path) }
    return try FileBytes.reading(path).array
  }

  /// The motion photo formats of phones.
  enum Maker: String, CaseIterable {
    case google, googleWithPadding, samsung, heic

    var ending: String { self == .heic ? "heic" : "jpg" }
  }

  private func motionPhoto(_ maker: Maker, _ video: [UInt8]) throws -> [UInt8] {
    if maker == .heic { return try heic(HEIFFile.box("mpvd", video)) }
    var file = ImageFile()
    file.exif = [.blob(0x927C, Array("\(maker)".utf8) + [UInt8](repeating: 0, count: 60))]
    if maker != .samsung {
      file.xmp =
        "xmlns:GCamera=\"http://ns.google.com/photos/1.0/camera/\" GCamera:MicroVideo=\"1\" "
        + "GCamera:MicroVideoOffset=\"\(video.count)\""
    }
    let still = try file.jpeg()
    switch maker {
    case .google, .heic: return still + video
    case .googleWithPadding: return still + [UInt8](repeating: 0, count: 37) + video
    case .samsung:
      // The name of the entry, the video, and the directory that ends with "SEFT".
      return still + [0, 0, 0x30, 0x0A, 16, 0, 0, 0] + Array("MotionPhoto_Data".utf8) + video
        + Array("SEFH".utf8) + [UInt8](repeating: 1, count: 24) + Array("SEFT".utf8)
    }
  }

  private func heic(_ trailer: [UInt8]) throws -> [UInt8] {
    var file = HEIFFile(try CodedPicture.make(CodedPicture.Settings()))
    let packet =
      "xmlns:GCamera=\"http://ns.google.com/photos/1.0/camera/\" GCamera:MotionPhoto=\"1\" "
      + "GCamera:MotionPhotoPresentationTimestampUs=\"700000\""
    var item = HEIFFile.Item(2, "mime", Array(ImageFile.packet(packet).utf8))
    item.contentType = "application/rdf+xml"
    file.items.append(item)
    file.references = [("cdsc", 2, [1])]
    file.trailer = trailer
    return file.bytes
  }

  @Test(arguments: Maker.allCases)
  func `the embedded video is extracted, and the file stays the original`(maker: Maker) throws {
    let video = try video()
    let bytes = try motionPhoto(maker, video)
    try source.write(bytes, to: "PXL_1.MP.\(maker.ending)")
    let report = Importer(library).run([source.path])
    #expect(report.assetCount == 1 && report.files.count == 1)
    #expect(report.files.first?.reason?.contains("Live Photo") == true)
    let asset = try #require(try folder.assets().first)
    #expect(asset.playbackStyle == .livePhoto && asset.mediaSubtypes.contains(.photoLive))
    let resources = try library.assetResources(for: asset)
    #expect(resources.map(\.type) == [.photo, .pairedVideo])
    #expect(resources.first?.digest == SHA256Digest(of: bytes))
    #expect(resources.last?.originalFilename == "PXL_1.MP.mov")
    #expect(resources.last?.uniformTypeIdentifier == "com.apple.quicktime-movie")
    // The extracted video has the same frames.
    let movie = try #require(try folder.files(of: asset)[.pairedVideo])
    let info = try PassthroughExport.inspect(movie)
    #expect(info.container == .quickTime && info.streams.first?.packets == 10)
    #expect(info.stillImageTime == (maker == .heic ? 0.7 : nil))
    // No temporary files are left, and another import finds nothing new.
    try library.synchronize()
    #expect(try FileSystem.names(in: library.layout.staging) == [])
    #expect(Importer(library).run([source.path]).assetCount == 0)
    // An export is one file again and has the bytes of the original.
    let target = try TemporaryFolder()
    for version in [Exporter.Version.original, .current, .all] {
      var exporter = Exporter(
        library, to: URL(filePath: target.path), version: version, overwrites: true)
      let files = try exporter.export(asset)
      #expect(files.map(\.type) == (version == .all ? [.photo, .sidecar] : [.photo]))
      #expect(try digest(files[0].path) == SHA256Digest(of: bytes))
    }
  }

  @Test func `an incomplete embedded video is not extracted, and the asset is a plain photo`()
    throws
  {
    let video = try video()
    for damage in [Array(video.dropLast(video.count / 2)), Array(video.dropFirst(16))] {
      let asset = try folder.create([(.photo, try motionPhoto(.google, damage))])
      #expect(asset.playbackStyle == .image)
      #expect(try library.assetResources(for: asset).map(\.type) == [.photo])
    }
  }

  @Test func `an incomplete video in a HEIC is not extracted, with a reason`() throws {
    let video = try video()
    try source.write(heic(HEIFFile.box("mpvd", Array(video.dropLast(9)))), to: "a.heic")
    let outside = HEIFFile.number(video.count + 9, 4) + Array("mpvd".utf8) + video
    try source.write(heic(outside), to: "b.heic")
    let report = Importer(library).run([source.path])
    #expect(report.files.map(\.outcome) == [.imported, .refused])
    #expect(report.files.first?.reason == "the video was not extracted: its boxes are incomplete")
    #expect(report.files.last?.reason?.contains("mpvd") == true)
    #expect(try folder.assets().map(\.playbackStyle) == [.image])
  }

  @Test func `boxes with false lengths are not extracted as a video`() throws {
    let video = try video()
    var misleading = video
    // The first box of the video claims to extend past the end of the file.
    misleading.replaceSubrange(0..<4, with: [0x7F, 0xFF, 0xFF, 0xFF])
    let bait = [UInt8](repeating: 0, count: 4) + Array("ftyp".utf8)
    let baits = Array((0..<100_000).map { _ in bait }.joined())
    for trailer in [misleading, baits] {
      let asset = try folder.create([(.photo, try ImageFile().jpeg() + trailer)])
      #expect(asset.playbackStyle == .image)
    }
  }

  @Test func `a separate video takes precedence over the embedded one`() throws {
    let video = try video()
    var file = ImageFile()
    file.exif = [ImageFile.appleNote(content: "L")]
    let asset = try folder.create([
      (.photo, try file.jpeg() + video), (.pairedVideo, MovieFile.live("L", seed: 1)),
    ])
    #expect(asset.playbackStyle == .livePhoto)
    let movie = try library.assetResources(for: asset).first { $0.type == .pairedVideo }
    #expect(movie?.digest == SHA256Digest(of: MovieFile.live("L", seed: 1)))
  }
}
