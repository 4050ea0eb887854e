// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Editing videos and Live Photos in a library")
struct MovieEditingTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  /// A video editor that handles only its own adjustment data.
  private struct Editor {
    let identifier: String

    var options: EditingInputRequestOptions {
      var options = EditingInputRequestOptions()
      let identifier = identifier
      options.canHandleAdjustmentData = { $0.formatIdentifier == identifier }
      return options
    }

    func data(_ text: String) throws -> AdjustmentData {
      try AdjustmentData(formatIdentifier: identifier, formatVersion: "1", data: Data(text.utf8))
    }
  }

  private let a = Editor(identifier: "org.example.a")
  private let b = Editor(identifier: "org.example.b")

  private func movie(_ seed: Int, width: Int = 64, frames: Int = 30) -> [UInt8] {
    var file = MovieFile()
    (file.seed, file.width, file.frames) = (seed, width, frames)
    return file.bytes
  }

  private func open(_ asset: Asset, _ editor: Editor) async throws -> EditingInput {
    try await library.contentEditingInput(for: asset, options: editor.options)
  }

  /// Runs an editing session and returns its input.
  @discardableResult
  private func edit(
    _ asset: Asset, _ editor: Editor, _ text: String, _ rendering: [UInt8],
    paired: [UInt8]? = nil
  ) async throws -> EditingInput {
    let input = try await open(asset, editor)
    let output = try await library.contentEditingOutput(for: input)
    output.adjustmentData = try editor.data(text)
    try Data(rendering).write(to: output.renderedContentURL)
    if let paired { try Data(paired).write(to: #require(output.pairedVideoURL)) }
    try await library.performChanges { try $0.change(asset).setContentEditingOutput(output) }
    return input
  }

  private func refusal(
    _ asset: Asset, _ editor: Editor, _ rendering: [UInt8]?, paired: [UInt8]? = nil
  ) async throws -> LibraryError? {
    let input = try await open(asset, editor)
    let output = try await library.contentEditingOutput(for: input)
    output.adjustmentData = try editor.data("refused")
    if let rendering { try Data(rendering).write(to: output.renderedContentURL) }
    if let paired { try Data(paired).write(to: #require(output.pairedVideoURL)) }
    return try await libraryError {
      try await library.performChanges { try $0.change(asset).setContentEditingOutput(output) }
    }
  }

  private func digests(_ asset: Asset) throws -> [AssetResourceType: SHA256Digest] {
    try library.synchronize()
    return try folder.files(of: asset).filter { $0.key != .adjustmentData }
      .mapValues { try digest($0) }
  }

  private func content(_ input: EditingInput) throws -> SHA256Digest {
    try digest(#require(input.audiovisualURL).path)
  }

  // MARK: Videos

  @Test func `ten editing steps of a video give the expected files at each step`() async throws {
    let asset = try folder.create([(.video, movie(1))])
    #expect(asset.canPerform(.content))
    let original = SHA256Digest(of: movie(1))
    #expect(try digests(asset) == [.video: original])
    let first = try await edit(asset, a, "one", movie(2, width: 32, frames: 15))
    #expect(first.media == .movie && first.version == .original && first.kind == .first)
    #expect(first.size.width == 64 && first.duration == 1 && first.fullSizeImageURL == nil)
    #expect(try content(first) == original)
    let edited = try folder.refetched(asset)
    #expect(edited.hasAdjustments && edited.pixelWidth == 32 && edited.duration == 0.5)
    let second = try await edit(asset, a, "two", movie(3))
    #expect(second.version == .original && second.kind == .resumed)
    #expect(try second.adjustmentData == a.data("one"))
    let rA = SHA256Digest(of: movie(3))
    #expect(try digests(asset) == [.video: original, .fullSizeVideo: rA])
    let fourth = try await edit(asset, b, "one", movie(4))
    #expect(fourth.version == .current && fourth.adjustmentData == nil)
    #expect(try content(fourth) == rA)
    let versions = { (current: Int, base: Int) in
      [
        AssetResourceType.video: original, .fullSizeVideo: SHA256Digest(of: movie(current)),
        .adjustmentBaseVideo: SHA256Digest(of: movie(base)),
      ]
    }
    #expect(try digests(asset) == versions(4, 3))
    let fifth = try await edit(asset, b, "two", movie(5))
    #expect(fifth.version == .base)
    #expect(try fifth.adjustmentData == b.data("one"))
    #expect(try content(fifth) == rA)
    #expect(try digests(asset) == versions(5, 3))
    // The input of step 4 is still readable.
    #expect(try content(fourth) == rA)
    let sixth = try await edit(asset, a, "three", movie(6))
    #expect(sixth.version == .current)
    #expect(try content(sixth) == SHA256Digest(of: movie(5)))
    #expect(try digests(asset) == versions(6, 5))
    // A file that is not a QuickTime movie is rejected and changes no file.
    var other = MovieFile()
    other.brand = "isom"
    let error = try await refusal(asset, a, other.bytes)
    #expect(error?.code == .invalidResource)
    #expect(error?.message.contains("com.apple.quicktime-movie") == true)
    #expect(error?.message.contains("public.mpeg-4") == true)
    #expect(try digests(asset) == versions(6, 5))
    let store = try folder.store(asset)
    #expect(try await store.revert().isEdited == false)
    #expect(try digests(asset)[.video] == original)
    #expect(try library.assetResources(for: asset).map(\.type) == [.video])
    let reverted = try folder.refetched(asset)
    #expect(!reverted.hasAdjustments && reverted.pixelWidth == 64 && reverted.duration == 1)
    let version = try library.read { db throws(LibraryError) in try db.version() }
    try await store.revert()
    #expect(try library.read { db throws(LibraryError) in try db.version() } == version)
    // Undoing the revert restores the edit completely.
    _ = try await store.undo()
    #expect(try digests(asset)[.fullSizeVideo] == SHA256Digest(of: movie(6)))
    #expect(try digests(asset)[.adjustmentBaseVideo] == SHA256Digest(of: movie(5)))
  }

  @Test(
    .requirement(
      "edit-without-rendering", "undecodable-rendering", "rendering-judged-by-content",
      "rendered-content-types", "video-rendering-is-a-movie"))
  func `a rendering that is not a valid video is rejected`() async throws {
    let asset = try folder.create([(.video, movie(1))])
    let before = try digests(asset)
    var still = MovieFile()
    still.handler = "soun"
    let cases: [([UInt8]?, LibraryError.Code, String)] = [
      (nil, .missingResource, "renderedContentURL"), ([], .invalidResource, "empty"),
      (try TestImages.bytes("jpeg-17x31.jpg"), .invalidResource, "public.jpeg"),
      (Array(movie(2).dropLast(40)), .invalidResource, ""),
      (still.bytes, .invalidResource, "video track"),
      (movie(2, frames: 0), .invalidResource, "frames"),
    ]
    for (rendering, code, text) in cases {
      let error = try await refusal(asset, a, rendering)
      #expect(error?.code == code, "\(text): \(String(describing: error))")
      #expect(text.isEmpty || "\(String(describing: error))".contains(text))
      #expect(try digests(asset) == before)
      #expect(try FileSystem.names(in: library.layout.staging) == [])
    }
  }

  @Test(.requirement("resource-combinations"))
  func `a video can be created together with an edit`() async throws {
    let (placeholder, output) = try library.performChangesAndWait { changes in
      let request = try changes.createAsset()
      try request.addResource(.video, data: movie(1))
      let output = try EditingOutput(
        placeholder: request.placeholder, in: changes, media: .movie)
      output.adjustmentData = try a.data("one")
      try Data(movie(2)).write(to: output.renderedContentURL)
      try changes.setContentEditingOutput(output, for: request.placeholder)
      return (request.placeholder, output)
    }
    #expect(output.media == .movie)
    let asset = try #require(try folder.asset(placeholder.localIdentifier))
    #expect(asset.hasAdjustments)
    #expect(try digests(asset)[.fullSizeVideo] == SHA256Digest(of: movie(2)))
  }

  // MARK: Live Photos

  private func still(_ identifier: String, _ seed: UInt8) throws -> [UInt8] {
    try ImageFile.live(identifier, seed: Int(seed))
  }

  private func livePhoto() throws -> Asset {
    try folder.create([
      (.photo, try still("O", 1)), (.pairedVideo, MovieFile.live("O", seed: 1)),
    ])
  }

  /// The digests of still and video of a version.
  private func pair(_ identifier: String, _ seed: Int) throws -> [SHA256Digest] {
    [
      SHA256Digest(of: try still(identifier, UInt8(seed))),
      SHA256Digest(of: MovieFile.live(identifier, seed: seed)),
    ]
  }

  @discardableResult
  private func editPair(
    _ asset: Asset, _ editor: Editor, _ text: String, _ identifier: String, _ seed: Int
  ) async throws -> EditingInput {
    try await edit(
      asset, editor, text, try still(identifier, UInt8(seed)),
      paired: MovieFile.live(identifier, seed: seed))
  }

  @Test func `ten editing steps of a Live Photo give the expected files at each step`() async throws
  {
    let asset = try livePhoto()
    let original = try pair("O", 1)
    func versions(_ current: [SHA256Digest], base: [SHA256Digest]?) -> [AssetResourceType:
      SHA256Digest]
    {
      var all: [AssetResourceType: SHA256Digest] = [
        .photo: original[0], .pairedVideo: original[1], .fullSizePhoto: current[0],
        .fullSizePairedVideo: current[1],
      ]
      all[.adjustmentBasePhoto] = base?[0]
      all[.adjustmentBasePairedVideo] = base?[1]
      return all
    }
    let first = try await editPair(asset, a, "one", "A", 2)
    #expect(first.media == .livePhoto && first.version == .original && first.duration == 1)
    #expect(try content(first) == original[1])
    #expect(try digest(#require(first.fullSizeImageURL).path) == original[0])
    #expect(try folder.refetched(asset).playbackStyle == .livePhoto)
    let second = try await editPair(asset, a, "two", "A2", 3)
    #expect(second.version == .original && second.kind == .resumed)
    #expect(try content(second) == original[1])
    let rA = try pair("A2", 3)
    #expect(try digests(asset) == versions(rA, base: nil))
    let fourth = try await editPair(asset, b, "one", "B", 4)
    #expect(fourth.version == .current && fourth.adjustmentData == nil)
    #expect(try content(fourth) == rA[1])
    #expect(try digests(asset) == versions(try pair("B", 4), base: rA))
    let fifth = try await editPair(asset, b, "two", "B2", 5)
    #expect(fifth.version == .base)
    #expect(try content(fifth) == rA[1])
    let rB = try pair("B2", 5)
    #expect(try digests(asset) == versions(rB, base: rA))
    let sixth = try await editPair(asset, a, "three", "A3", 6)
    #expect(try content(sixth) == rB[1])
    let final = versions(try pair("A3", 6), base: rB)
    #expect(try digests(asset) == final)
    // A PNG and mismatched pairs are rejected and change no file.
    let png = try TestImages.bytes("png-rgb-8.png")
    #expect(try await refusal(asset, a, png)?.code == .invalidResource)
    let stranger = try await refusal(
      asset, a, try still("X", 7), paired: MovieFile.live("Y", seed: 7))
    #expect(stranger?.code == .invalidResource)
    #expect(stranger?.message.contains("'X'") == true && stranger?.message.contains("'Y'") == true)
    let nameless = try await refusal(
      asset, a, try still("X", 7), paired: MovieFile.live(nil, seed: 7))
    #expect(nameless?.message.contains("none") == true)
    #expect(try await refusal(asset, a, try still("X", 7), paired: png)?.code == .invalidResource)
    #expect(try digests(asset) == final)
    // One revert returns to the original.
    let store = try folder.store(asset)
    try await store.revert()
    #expect(try library.assetResources(for: asset).map(\.type) == [.photo, .pairedVideo])
    #expect(try folder.refetched(asset).playbackStyle == .livePhoto)
    let version = try library.read { db throws(LibraryError) in try db.version() }
    try await store.revert()
    #expect(try library.read { db throws(LibraryError) in try db.version() } == version)
    _ = try await store.undo()
    let back = try digests(asset).filter { final.keys.contains($0.key) }
    #expect(back == final)
  }

  @Test func `a rendering without a video is a plain photo until it is reverted`() async throws {
    let asset = try livePhoto()
    try await editPair(asset, a, "one", "A", 2)
    let input = try await edit(asset, a, "two", try still("S", 3))
    #expect(input.media == .livePhoto)
    let now = try folder.refetched(asset)
    #expect(now.playbackStyle == .image && !now.mediaSubtypes.contains(.photoLive))
    // The input for editor B is the still alone, so B cannot write a video.
    #expect(try await open(asset, b).media == .photo)
    let store = try folder.store(asset)
    _ = try await store.undo()
    #expect(try folder.refetched(asset).playbackStyle == .livePhoto)
    #expect(try digests(asset)[.fullSizePairedVideo] == (try pair("A", 2))[1])
    _ = try await store.redo()
    _ = try await store.revert()
    #expect(try folder.refetched(asset).playbackStyle == .livePhoto)
  }

  @Test func `still and video must have the same aspect ratio`() async throws {
    let asset = try livePhoto()
    var wide = MovieFile()
    (wide.width, wide.height) = (64, 8)
    wide.tags = [("com.apple.quicktime.content.identifier", "W")]
    let error = try await refusal(asset, a, try still("W", 2), paired: wide.bytes)
    #expect(error?.code == .invalidResource)
    #expect(error?.message.contains("aspect ratios") == true)
  }

  @Test func `the still image time must be within the video`() async throws {
    let asset = try livePhoto()
    let inside = try MovieFile.live("T", seed: 2, stillAt: 0.9)
    let outside = try MovieFile.live("T", seed: 2, stillAt: 5)
    let error = try await refusal(asset, a, try still("T", 2), paired: outside)
    #expect(error?.code == .invalidResource)
    #expect(error?.message.contains("5.0 s") == true && error?.message.contains("1.0 s") == true)
    #expect(try folder.refetched(asset).hasAdjustments == false)
    try await edit(asset, a, "one", try still("T", 2), paired: inside)
    #expect(try folder.refetched(asset).playbackStyle == .livePhoto)
  }

  @Test func `a still image time outside of the video is accepted only by force`() throws {
    let files: [(AssetResourceType, [UInt8])] = [
      (.photo, try still("T", 1)), (.pairedVideo, try MovieFile.live("T", seed: 1, stillAt: 5)),
    ]
    do {
      _ = try folder.create(files)
      Issue.record("an asset was created")
    } catch let error as LibraryError {
      #expect(error.code == .invalidResource && error.message.contains("5.0 s"))
    }
    #expect(try folder.assets().isEmpty)
    let forced = try folder.create(files) { try $0.setPairing(.force) }
    #expect(forced.playbackStyle == .livePhoto)
  }

  @Test func `a plain photo offers no paired video URL`() async throws {
    let asset = try folder.addPhoto()
    let input = try await open(asset, a)
    let output = try await library.contentEditingOutput(for: input)
    #expect(input.media == .photo && output.pairedVideoURL == nil && input.audiovisualURL == nil)
  }
}
