// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import PhotoEditVideo
import Testing

@Suite("Editing sessions of video files")
struct MovieSessionTests {
  private let folder: TemporaryFolder
  private let original: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    // A second of 30 frames; each is a key frame.
    original = MovieFile().bytes
    try folder.write(original, to: "clip.mov")
  }

  private func store(rendering: String? = nil) -> SidecarStore {
    SidecarStore(
      movie: URL(filePath: folder.path("clip.mov")),
      rendering: rendering.map { URL(filePath: folder.path($0)) })
  }

  private func editor(_ store: any EditingStore) -> PhotoEditor {
    var editor = PhotoEditor(store)
    editor.renderers[.movie] = MovieRenderer()
    return editor
  }

  private func movie(_ report: RenderReport) throws -> RenderedMovie {
    guard case .movie(let movie) = report else {
      Issue.record("not the report of a video")
      throw CancellationError()
    }
    return movie
  }

  @Test func `an edit is started, resumed from the original, undone and reverted`() async throws {
    let store = store()
    let first = try editor(store).begin()
    #expect(first.input.media == .movie && first.input.version == .original)
    #expect(first.input.duration == 1 && first.input.size.width > 0)
    let made = try first.commit(first.graph.appending([Trim(start: 0.2, end: 0.8)]))
    #expect(made.kind == .first && made.state.isEdited)
    let report = try movie(made.rendering)
    #expect(report.method == "rewritten" && report.kept == 0.2...0.8 && report.frames == nil)
    #expect(try FileBytes.digest(of: folder.path("clip.edited.mov")) == report.digest)
    let second = try editor(store).begin()
    #expect(second.input.kind == .resumed && second.input.version == .original)
    #expect(second.graph.nodes.map(\.filter) == ["trim"] && second.blockingReasons.isEmpty)
    let rotated = try second.commit(second.graph.appending([Rotate90(turns: 1)]))
    #expect(rotated.graph.nodes.count == 2)
    #expect(try await store.undo().record?.current == report.digest)
    #expect(try await !store.revert().isEdited)
    #expect(try FileBytes.reading(folder.path("clip.mov")).array == original)
  }

  @Test func `a session has the date and location of a video, and no still`() async throws {
    var file = MovieFile()
    (file.rate, file.frames) = (120, 120)
    file.tags = [
      ("com.apple.quicktime.creationdate", "2019-10-23T16:00:00+0200"),
      ("com.apple.quicktime.location.ISO6709", "+48.8577+002.2950+035.0/"),
    ]
    try folder.write(file.bytes, to: "clip.mov")
    let input = try editor(store()).begin().input
    #expect(input.mediaType == .video && input.mediaSubtypes == .videoHighFrameRate)
    #expect(input.creationDate == Date(timeIntervalSince1970: 1_571_839_200))
    #expect(input.location == LocationCoordinate(latitude: 48.8577, longitude: 2.295, altitude: 35))
    #expect(input.uniformTypeIdentifier == "com.apple.quicktime-movie")
    let error = await #expect(throws: EditingError.self) { _ = try await input.displaySizeImage() }
    #expect(error?.code == .requestNotSupportedForAsset)
  }

  @Test func `an edit of another editor is continued from, with the reason`() async throws {
    var other = editor(store())
    other.formatIdentifier = "com.example.b"
    let theirs = try await other.apply([Mute()])
    let session = try editor(store()).begin()
    #expect(session.input.version == .current && session.input.kind == .notUnderstood)
    #expect(session.blockingReasons.count == 1 && session.graph.nodes.isEmpty)
    let own = try session.commit(session.graph.appending([Flip(.horizontal)]))
    #expect(own.state.record?.base == theirs.state.record?.current)
    #expect(FileSystem.itemExists(folder.path("clip.base.mov")))
  }

  @Test func `a dry run gives the report of a commit and leaves no files`() throws {
    let session = try editor(store()).begin()
    let graph = try session.graph.appending([Rotate90(turns: 1)])
    let plan = try session.dryRun(graph)
    #expect(try FileSystem.names(in: folder.path) == ["clip.mov"])
    #expect(try session.commit(graph).rendering == plan)
  }

  @Test func `a video that was changed or cannot be rendered is rejected`() async throws {
    let bare = await #expect(throws: EditingError.self) {
      try await PhotoEditor(store()).apply([Mute()])
    }
    #expect(bare?.code == .requestNotSupportedForAsset)
    try await editor(store()).apply([Mute()])
    var file = MovieFile()
    file.frames = 20
    try folder.write(file.bytes, to: "clip.mov")
    let error = await #expect(throws: EditingError.self) {
      try await editor(store()).apply([Flip(.horizontal)])
    }
    #expect(error?.code == .invalidResource)
    #expect(error?.message.contains("has changed since it was edited") == true)
  }

  @Test func `an unsupported edit of a video is rejected, and nothing is written`() async throws {
    let masked = await #expect(throws: EditingError.self) {
      try await editor(store()).apply([Trim(start: 2)])
    }
    #expect(masked?.code == .invalidResource && masked?.underlying is VideoError)
    #expect(masked?.message.contains("the video, which lasts 1.0 s") == true)
    #expect(try FileSystem.names(in: folder.path) == ["clip.mov"])
  }

  @Test func `a commit after a concurrent change is rejected`() async throws {
    let session = try editor(store()).begin()
    try await editor(store()).apply([Mute()])
    let error = #expect(throws: EditingError.self) {
      try session.commit(session.graph.appending([Flip(.vertical)]))
    }
    #expect(error?.code == .operationInterrupted)
    #expect(try store().state().undoable.count == 1)
  }

  @Test func `without a sidecar only the video is written`() async throws {
    let alone = DetachedStore(
      movie: URL(filePath: folder.path("clip.mov")), rendering: URL(filePath: folder.path("a.mov")))
    let made = try await editor(alone).apply([Rotate90(turns: 1)])
    #expect(made.state.current.path == folder.path("a.mov") && made.kind == .first)
    #expect(try FileSystem.names(in: folder.path) == ["a.mov", "clip.mov"])
    // An existing file is kept unless it may be replaced.
    let again = await #expect(throws: EditingError.self) {
      try await editor(alone).apply([Mute()])
    }
    #expect(again?.file?.kind == .exists)
    let over = DetachedStore(
      movie: URL(filePath: folder.path("clip.mov")),
      rendering: URL(filePath: folder.path("clip.mov")), replacesFiles: true)
    await #expect(throws: EditingError.self) { try await editor(over).apply([Mute()]) }
    #expect(try FileBytes.reading(folder.path("clip.mov")).array == original)
  }

  @Test(.enabled(if: Clips.isInstalled, "the programs ffmpeg and ffprobe are not installed"))
  func `frames are rendered, and losses rejected if none are allowed`() async throws {
    let clips = try Clips()
    let font = clips.file("font.ttf")
    try Data([UInt8](0...255)).write(to: URL(filePath: font))
    let path = try clips.make(
      "clip.mkv",
      "\(Clips.chart) \(Clips.h264) -attach \(font) -metadata:s:t mimetype=font/ttf")
    var editor = editor(SidecarStore(movie: URL(filePath: path)))
    editor.allowsLosses = false
    let names = try clips.names
    let session = try editor.begin()
    for attempt in [{ _ = try session.dryRun($0) }, { _ = try session.commit($0) }]
      as [(FilterGraph) throws -> Void]
    {
      let error = #expect(throws: EditingError.self) {
        try attempt(session.graph.appending([Sepia(amount: 1)]))
      }
      #expect(error?.message.contains("a cover image or attachment") == true)
      #expect(try clips.names == names)
    }
    editor.allowsLosses = true
    let made = try await editor.apply([Sepia(amount: 1)])
    let report = try movie(made.rendering)
    #expect(report.frames?.count == 10 && report.frames?.codec == "h264")
    #expect(made.rendering.losses.count == 1)
  }

  @Test(
    .enabled(if: Clips.isInstalled, "the programs ffmpeg and ffprobe are not installed"),
    arguments: [false, true])
  func `a session renders the file that it opened, whatever has its name since`(
    isRemoved: Bool
  ) throws {
    let clips = try Clips()
    let options = "\(Clips.chart) \(Clips.tone) \(Clips.h264) -c:a aac"
    for (name, filters) in [
      ("a.mp4", [Mute()]), ("b.mov", [Sepia(amount: 1)]), ("c.mkv", [Sepia(amount: 1)]),
      ("d.mov", [Trim(start: 0.1), Sepia(amount: 1)]),
    ] as [(String, [any Filter])] {
      let path = try clips.make(name, options)
      let session = try editor(SidecarStore(movie: URL(filePath: path))).begin()
      let graph = try session.graph.appending(filters)
      let before = try movie(session.dryRun(graph))
      try FileSystem.remove(path)
      if !isRemoved { try Data(MovieFile().bytes).write(to: URL(filePath: path)) }
      let after = try movie(session.dryRun(graph))
      #expect(after.digest == before.digest, "\(name)")
    }
  }

  @Test func `a video has no pixels to read or write`() async throws {
    let store = store()
    let input = try await store.editingInput()
    let output = try await store.editingOutput(for: input)
    let pixels = PixelBuffer<UInt8>(
      size: input.size, channels: .rgb, colorSpace: .sRGB, filledWith: 0)
    for body in [
      { _ = try await input.pixels(as: UInt8.self) }, { try await output.write(pixels) },
      { try await output.write { _ in } },
    ] as [@Sendable () async throws -> Void] {
      await #expect {
        try await body()
      } throws: {
        ($0 as? EditingError)?.code == .requestNotSupportedForAsset
      }
    }
    #expect(!FileManager.default.fileExists(atPath: output.renderedContentURL.path))
  }
}
