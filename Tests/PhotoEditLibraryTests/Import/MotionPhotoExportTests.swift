// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditMovieFiles
import PhotoEditStorage
import PhotoEditTestSupport
import PhotoEditVideo
import Testing

@testable import PhotoEditLibrary

@Suite(
  "Exporting edited motion photos",
  .enabled(if: Program.find("ffmpeg") != nil, "the program ffmpeg is not installed"))
struct MotionPhotoExportTests {
  private let folder: TestLibrary
  private let target: TemporaryFolder

  init() throws {
    folder = try TestLibrary()
    target = try TemporaryFolder()
  }

  /// A motion photo in the Google format with the still image time at 0.3 s.
  private func motionPhoto() throws -> [UInt8] {
    let ffmpeg = try #require(Program.find("ffmpeg"))
    let path = folder.folder.path("film.mp4")
    let arguments =
      "-v error -y -f lavfi -i testsrc=size=32x24:rate=10:duration=1 -c:v libx264 -preset ultrafast "
      + "-pix_fmt yuv420p \(path)"
    let words = arguments.split(separator: " ").map(String.init)
    #expect(Program.run(ffmpeg, words, output: "/dev/null") == 0)
    let video = try FileBytes.reading(path).array
    var file = ImageFile()
    file.exif = [.blob(0x927C, Array("Maker\0".utf8) + [UInt8](repeating: 7, count: 40))]
    file.xmp =
      "xmlns:GCamera=\"http://ns.google.com/photos/1.0/camera/\" GCamera:MicroVideo=\"1\" "
      + "GCamera:MicroVideoOffset=\"\(video.count)\" "
      + "GCamera:MicroVideoPresentationTimestampUs=\"300000\""
    return try file.jpeg() + video
  }

  private func imported(_ bytes: [UInt8], _ library: TestLibrary) throws -> Asset {
    let source = try TemporaryFolder()
    try source.write(bytes, to: "PXL_1.MP.jpg")
    #expect(Importer(library.library).run([source.path]).assetCount == 1)
    return try #require(try library.assets().last)
  }

  /// Renders both parts, as `photoedit adjust` does.
  private func edit(_ asset: Asset) throws {
    var editor = PhotoEditor(try folder.store(asset))
    editor.renderers[.livePhoto] = LivePhotoRenderer()
    let session = try editor.begin()
    try session.commit(session.graph.appending([Invert(amount: 1)]))
  }

  private func export(
    _ asset: Asset, _ version: Exporter.Version = .current, joins: Bool = true
  ) throws -> [Exporter.File] {
    try folder.export([asset], to: target, version, joinsMotionPhotos: joins)
  }

  @Test func `the extracted video keeps the still image time`() throws {
    let asset = try imported(motionPhoto(), folder)
    let movie = try #require(try folder.files(of: asset)[.pairedVideo])
    #expect(try PassthroughExport.inspect(movie).stillImageTime == 0.3)
  }

  @Test func `an edited motion photo is exported as one file and imports with the same parts`()
    throws
  {
    let asset = try imported(motionPhoto(), folder)
    try edit(asset)
    let edited = try folder.files(of: asset)
    let still = try FileBytes.reading(#require(edited[.fullSizePhoto]))
    let movie = try FileBytes.reading(#require(edited[.fullSizePairedVideo]))
    let files = try export(asset)
    #expect(files.map(\.type) == [.fullSizePhoto])
    let file = try #require(files.first)
    #expect(FileSystem.lastName(of: file.path) == "PXL_1.MP.jpg")
    let bytes = try FileBytes.reading(file.path)
    #expect(bytes.digest() == file.digest && bytes.count == file.size)
    // The video is at the end of the file, and XMP contains the still image time.
    #expect(Array(bytes.array.suffix(movie.count)) == movie.array)
    #expect(try ImageMetadata.read(bytes).motionPhotoTime == 0.3)
    // The pixels are unchanged: the image data from the first table on are those of the rendering.
    let tables = try #require(still.array.firstOffset(ofTables: ()))
    let image = Array(still.array[tables...])
    #expect(Array(bytes.array.dropLast(movie.count).suffix(image.count)) == image)
    // After another import, the parts are unchanged and can be edited further.
    let other = try TestLibrary()
    let copy = try imported(bytes.array, other)
    #expect(copy.playbackStyle == .livePhoto)
    let again = try other.files(of: copy)
    #expect(try digest(#require(again[.photo])) == file.digest)
    #expect(try digest(#require(again[.pairedVideo])) == movie.digest())
    var editor = PhotoEditor(try other.store(copy))
    editor.renderers[.livePhoto] = LivePhotoRenderer()
    let session = try editor.begin()
    try session.commit(session.graph.appending([Invert(amount: 1)]))
    #expect(try other.refetched(copy).playbackStyle == .livePhoto)
    #expect(try FileSystem.names(in: target.path) == ["PXL_1.MP.jpg"])
  }

  @Test(.enabled(if: Program.find("exiftool") != nil, "the program exiftool is not installed"))
  func `ExifTool reads the image, the video and its length`() throws {
    let asset = try imported(motionPhoto(), folder)
    try edit(asset)
    let file = try #require(try export(asset).first)
    let movie = try FileBytes.reading(#require(try folder.files(of: asset)[.fullSizePairedVideo]))
    let program = try #require(Program.find("exiftool"))
    let names = ["MotionPhoto", "MotionPhotoVersion", "MotionPhotoPresentationTimestampUs"]
    let output = folder.folder.path("facts")
    let tags =
      names.map { "-XMP-GCamera:\($0)" } + ["-DirectoryItemSemantic", "-DirectoryItemLength"]
    #expect(Program.run(program, ["-s3", "-n", "-a"] + tags + [file.path], output: output) == 0)
    // Values of a list are on one line or, by earlier versions of the program, on several.
    let lines = try String(contentsOfFile: output, encoding: .utf8)
      .replacing(", ", with: "\n").split(separator: "\n")
    #expect(lines.prefix(3) == ["1", "1", "300000"])
    #expect(lines.dropFirst(3) == ["Primary", "MotionPhoto", "\(movie.count)"])
    // The trailing bytes of that length are a valid video for other programs too.
    let bytes = try FileBytes.reading(file.path).array
    try folder.folder.write(Array(bytes.suffix(movie.count)), to: "cut.mov")
    let probe = try #require(Program.find("ffprobe"))
    let words = ["-v", "error", "-show_entries", "stream=codec_name,width", "-of", "csv=p=0"]
    #expect(Program.run(probe, words + [folder.folder.path("cut.mov")], output: output) == 0)
    #expect(try String(contentsOfFile: output, encoding: .utf8).contains("h264,32"))
  }

  @Test func `a split export writes two files that form a Live Photo`() throws {
    let asset = try imported(motionPhoto(), folder)
    try edit(asset)
    let files = try export(asset, joins: false)
    #expect(files.map(\.type) == [.fullSizePhoto, .fullSizePairedVideo])
    #expect(try FileSystem.names(in: target.path).sorted() == ["PXL_1.MP.jpg", "PXL_1.MP.mov"])
    let other = try TestLibrary()
    #expect(Importer(other.library).run([target.path]).assetCount == 1)
    #expect(try other.assets().first?.playbackStyle == .livePhoto)
  }

  @Test func `a full export can be imported with its edit`() throws {
    let original = try motionPhoto()
    let asset = try imported(original, folder)
    try edit(asset)
    let files = try export(asset, .all)
    #expect(!files.contains { $0.type == .pairedVideo })
    #expect(files.first { $0.type == .photo }?.digest == SHA256Digest(of: original))
    let other = try TestLibrary()
    let report = Importer(other.library).run([target.path])
    #expect(report.assetCount == 1 && report.count(.imported) == report.files.count)
    let copy = try #require(try other.assets().first)
    #expect(copy.hasAdjustments && copy.playbackStyle == .livePhoto)
    let (own, theirs) = (
      try folder.files(of: asset), try other.files(of: copy).filter { $0.key != .sidecar }
    )
    #expect(try own.mapValues { try digest($0) } == theirs.mapValues { try digest($0) })
  }

  @Test func `a motion photo whose image alone was edited is exported without the video`()
    async throws
  {
    let asset = try imported(motionPhoto(), folder)
    _ = try await PhotoEditor(folder.store(asset)).apply([Invert(amount: 1)])
    let files = try export(asset)
    #expect(files.map(\.type) == [.fullSizePhoto])
    let current = try #require(try folder.files(of: asset)[.fullSizePhoto])
    #expect(try files.first?.digest == digest(current))
  }

  @Test func `a separate video next to a motion photo is exported, too`() throws {
    let video = try motionPhoto()
    var file = ImageFile()
    file.exif = [ImageFile.appleNote(content: "L")]
    let asset = try folder.create([
      (.photo, try file.jpeg() + video.suffix(from: try ImageFile().jpeg().count)),
      (.pairedVideo, MovieFile.live("L", seed: 1)),
    ])
    #expect(try export(asset).map(\.type) == [.photo, .pairedVideo])
  }
}

extension [UInt8] {
  /// The offset of the first table or frame of a JPEG, after its metadata.
  fileprivate func firstOffset(ofTables: Void) -> Int? {
    var position = 2
    while position + 4 <= count, self[position] == 0xFF {
      if ![0xE0...0xEF, 0xFE...0xFE].contains(where: { $0.contains(self[position + 1]) }) {
        return position
      }
      position += 2 + Int(self[position + 2]) << 8 + Int(self[position + 3])
    }
    return nil
  }
}
