// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditMovieFiles
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import PhotoEditVideo
import Synchronization
import Testing

@testable import PhotoEditLibrary

@Suite(
  "Previews of Live Photo edits",
  .enabled(if: Program.find("ffmpeg") != nil, "the program ffmpeg is not installed"))
struct LivePhotoPreviewTests {
  private let folder: TestLibrary
  private let box = PixelSize(width: 24, height: 24)

  init() throws { folder = try TestLibrary() }

  private func context() async throws -> LivePhotoEditingContext {
    let input = try await folder.library.contentEditingInput(
      for: try folder.livePhoto(audioTrack: true))
    return try #require(try LivePhotoEditingContext(input))
  }

  private func size(_ movie: URL) throws -> PixelSize {
    try VideoFrames.poster(movie.path).size
  }

  @Test func `a preview is a scaled Live Photo of the edit`() async throws {
    let context = try await context()
    context.audioVolume = 0.5
    let graph = try FilterGraph([Crop(pixels: Region(x: 0, y: 0, width: 32, height: 48))])
    let preview = try await context.prepareForPlayback(targetSize: box, .graph(graph))
    #expect(preview.size == PixelSize(width: 16, height: 24))
    #expect(try size(preview.movieURL) == PixelSize(width: 16, height: 24))
    let live = try await LivePhoto.reading(
      resourceFiles: preview.resourceFiles, targetSize: ImageManager.maximumSize)
    #expect(live.size == preview.size && live.duration == 1)
    let streams = try #require(live.movie).info.streams
    #expect(streams.compactMap(\.volume) == [0.5] && streams.compactMap(\.packets).contains(10))
  }

  @Test func `a frame handler gets scaled frames and their scale`() async throws {
    let context = try await context()
    let scales = LockedValue<[LivePhotoFrame.Kind: Set<Double>]>([:])
    let preview = try await context.prepareForPlayback(
      targetSize: PixelSize(width: 16, height: 16),
      .frames { frame in
        _ = scales.withLock { $0[frame.kind, default: []].insert(frame.renderScale) }
        return frame.image
      })
    #expect(scales.withLock { $0 } == [.photo: [0.25], .video: [0.25]])
    #expect(preview.size == PixelSize(width: 16, height: 12))
    #expect(try size(preview.movieURL) == PixelSize(width: 16, height: 12))
  }

  @Test func `previews are never enlarged, and an empty size keeps both sizes`() async throws {
    let context = try await context()
    for size in [PixelSize(width: 500, height: 500), PixelSize(width: 0, height: 0)] {
      for edit in [.graph(FilterGraph()), .frames { $0.image }]
        as [LivePhotoEditingContext.Edit]
      {
        let preview = try await context.prepareForPlayback(targetSize: size, edit)
        #expect(preview.size == PixelSize(width: 64, height: 48))
        #expect(try self.size(preview.movieURL) == PixelSize(width: 32, height: 24))
      }
    }
  }

  @Test func `the files of a preview are removed with it`() async throws {
    let context = try await context()
    var preview: LivePhotoPreview? = try await context.prepareForPlayback(
      targetSize: box, .graph(FilterGraph()))
    let paths = try #require(preview).resourceFiles.map(\.path)
    #expect(paths.allSatisfy(FileSystem.itemExists))
    preview = nil
    #expect(!paths.contains(where: FileSystem.itemExists))
  }

  @Test(arguments: [false, true])
  func `another preview or a save cancels the preview in progress`(
    isSave: Bool
  ) async throws {
    let library = folder.library
    let input = try await library.contentEditingInput(for: try folder.livePhoto())
    let context = try #require(try LivePhotoEditingContext(input))
    let begun = AsyncStream<Void>.makeStream()
    let goesOn = Atomic(false)
    // The first preview waits in its frame handler until the other request is done.
    let first = Task {
      try await context.prepareForPlayback(
        targetSize: box,
        .frames { frame in
          begun.continuation.yield()
          while !goesOn.load(ordering: .relaxed) { usleep(1000) }
          return frame.image
        })
    }
    for await _ in begun.stream { break }
    if isSave {
      let output = try await library.contentEditingOutput(for: input)
      try await context.saveLivePhoto(to: output, .graph(FilterGraph()))
    } else {
      _ = try await context.prepareForPlayback(targetSize: box, .graph(FilterGraph()))
    }
    goesOn.store(true, ordering: .relaxed)
    let error = await #expect(throws: EditingError.self) { _ = try await first.value }
    #expect(error?.code == .userCancelled)
  }

  @Test func `a failing frame handler leaves no preview`() async throws {
    struct Refusal: Error {}
    let context = try await context()
    await #expect(throws: EditingError.self) {
      _ = try await context.prepareForPlayback(targetSize: box, .frames { _ in throw Refusal() })
    }
    // The context can be reused for another attempt.
    _ = try await context.prepareForPlayback(targetSize: box, .graph(FilterGraph()))
  }
}
