// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditMovieFiles
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import PhotoEditVideo
import Testing

@testable import PhotoEditLibrary

@Suite(
  "Live Photo editing context",
  .enabled(if: Program.find("ffmpeg") != nil, "the program ffmpeg is not installed"))
struct LivePhotoContextTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  private func livePhoto(audioTrack: Bool = false) throws -> Asset {
    try folder.livePhoto(audioTrack: audioTrack)
  }

  private func session(
    _ asset: Asset
  ) async throws -> (LivePhotoEditingContext, EditingInput, EditingOutput) {
    let input = try await library.contentEditingInput(for: asset)
    let context = try #require(try LivePhotoEditingContext(input))
    let output = try await library.contentEditingOutput(for: input)
    output.adjustmentData = try AdjustmentData(
      formatIdentifier: "org.example.live", formatVersion: "1", data: Data([1]))
    return (context, input, output)
  }

  private func commit(_ output: EditingOutput, _ asset: Asset) async throws {
    try await library.performChanges { try $0.change(asset).setContentEditingOutput(output) }
  }

  @Test func `a graph renders both parts with a new content identifier`() async throws {
    let asset = try livePhoto()
    let (context, input, output) = try await session(asset)
    #expect(input.media == .livePhoto && context.duration == 1 && context.photoTime == 0.5)
    var graph = FilterGraph()
    try graph.append(Grayscale(.luma601))
    try await context.saveLivePhoto(to: output, .graph(graph))
    try await commit(output, asset)
    let after = try folder.refetched(asset)
    #expect(after.playbackStyle == .livePhoto && after.hasAdjustments)
    let files = try folder.files(of: asset)
    let still = try #require(files[.fullSizePhoto])
    let movie = try #require(files[.fullSizePairedVideo])
    let info = try PassthroughExport.inspect(movie)
    let identifier = try #require(info.contentIdentifier)
    #expect(identifier != TestLibrary.liveIdentifier && identifier.utf8.count == 36)
    let metadata = try ImageMetadata.read(FileBytes.reading(still))
    #expect(metadata.captureFacts(of: .jpeg).apple?.contentIdentifier == identifier)
    #expect(info.streams.map(\.packets) == [10] && info.duration == 1)
    // The frames have no color anymore.
    let poster = try VideoFrames.poster(movie)
    for x in stride(from: 0, to: poster.size.width, by: 5) {
      let pixel = (0..<3).map { poster[x: x, y: 5, channel: $0] }
      #expect(abs(pixel[0] - pixel[1]) <= 2 && abs(pixel[1] - pixel[2]) <= 2)
    }
    // The commit succeeds with only these two files.
    try library.synchronize()
    _ = try await folder.store(asset).revert()
    #expect(try folder.refetched(asset).playbackStyle == .livePhoto)
  }

  @Test func `a frame handler gets the still and all frames with time, kind and scale`()
    async throws
  {
    let asset = try livePhoto()
    let (context, _, output) = try await session(asset)
    let seen = LockedValue<[LivePhotoFrame.Kind: [Double]]>([:])
    try await context.saveLivePhoto(
      to: output,
      .frames { frame in
        seen.withLock { $0[frame.kind, default: []].append(frame.time) }
        #expect(frame.renderScale == (frame.kind == .photo ? 1 : 0.5))
        var image = frame.image
        // Rotated by 180°, so that the position of each pixel changes.
        for y in 0..<image.size.height {
          for x in 0..<image.size.width {
            for channel in 0..<3 {
              image[x: x, y: y, channel: channel] =
                frame.image[
                  x: image.size.width - 1 - x, y: image.size.height - 1 - y, channel: channel]
            }
          }
        }
        return image
      })
    let times = seen.withLock { $0 }
    #expect(times[.photo] == [0.5])
    let frames = Set(times[.video]?.map { Int(($0 * 10).rounded()) } ?? [])
    #expect(frames == Set(0..<10))
    try await commit(output, asset)
    let movie = try #require(try folder.files(of: asset)[.fullSizePairedVideo])
    let original = try #require(try folder.files(of: asset)[.pairedVideo])
    let (before, after) = (try VideoFrames.poster(original), try VideoFrames.poster(movie))
    #expect(before.size == after.size)
    for (x, y) in [(4, 4), (16, 12), (28, 20)] {
      for channel in 0..<3 {
        let expected = before[x: 31 - x, y: 23 - y, channel: channel]
        #expect(abs(after[x: x, y: y, channel: channel] - expected) < 40)
      }
    }
  }

  @Test func `pixel rectangles and sizes refer to the still and are scaled for the video`()
    async throws
  {
    let asset = try livePhoto()
    let original = try VideoFrames.poster(
      try #require(try folder.files(of: asset)[.pairedVideo]))
    let crop = Crop(pixels: Region(x: 20, y: 12, width: 40, height: 32))
    var pad = Pad()
    (pad.left, pad.right, pad.top) = (8, 8, 8)
    let cases: [(graph: [any Filter], still: PixelSize, movie: PixelSize)] = [
      ([crop], PixelSize(width: 40, height: 32), PixelSize(width: 20, height: 16)),
      ([Resize(width: 48)], PixelSize(width: 48, height: 36), PixelSize(width: 24, height: 18)),
      ([crop, pad], PixelSize(width: 56, height: 40), PixelSize(width: 28, height: 20)),
      (
        [Rotate90(turns: 1), Crop(pixels: Region(x: 8, y: 0, width: 40, height: 64))],
        PixelSize(width: 40, height: 64), PixelSize(width: 20, height: 32)
      ),
    ]
    for (index, (filters, still, movie)) in cases.enumerated() {
      let (context, _, output) = try await session(asset)
      try await context.saveLivePhoto(to: output, .graph(FilterGraph().appending(filters)))
      let file = try #require(output.pairedVideoURL).path
      let frame = try VideoFrames.poster(file)
      let header = try ImageDecoders.open(FileBytes.reading(output.renderedContentURL.path)).header
      #expect(header.size == still && frame.size == movie, "case \(index)")
      if index == 0 {
        for (x, y) in [(2, 2), (10, 8), (17, 13)] {
          for channel in 0..<3 {
            let expected = original[x: x + 10, y: y + 6, channel: channel]
            #expect(abs(frame[x: x, y: y, channel: channel] - expected) < 40)
          }
        }
      }
      // Both parts have the same aspect ratio, so the pair can be committed.
      try await commit(output, asset)
      _ = try await folder.store(asset).revert()
    }
  }

  @Test func `a stored graph is resumed and undone on both parts`() async throws {
    let asset = try livePhoto()
    var editor = PhotoEditor(try folder.store(asset))
    editor.renderers[.livePhoto] = LivePhotoRenderer()
    let first = try editor.begin()
    try first.commit(first.graph.appending([Invert(amount: 1)]))
    let movie = try folder.files(of: asset)[.fullSizePairedVideo].map { try digest($0) }
    #expect(movie != nil)
    let second = try editor.begin()
    #expect(second.input.media == .livePhoto && second.input.version == .original)
    #expect(second.graph.nodes.map(\.filter) == ["invert"])
    let outcome = try second.commit(second.graph.appending([Sepia(amount: 0.5)]))
    #expect(outcome.kind == .resumed)
    let files = try folder.files(of: asset)
    #expect(try files[.fullSizePairedVideo].map { try digest($0) } != movie)
    #expect(files[.adjustmentBasePairedVideo] == nil)
    #expect(try folder.refetched(asset).playbackStyle == .livePhoto)
    _ = try await folder.store(asset).undo()
    #expect(try folder.files(of: asset)[.fullSizePairedVideo].map { try digest($0) } == movie)
    // After a rendering as a photo, the asset is a photo.
    try await PhotoEditor(try folder.store(asset)).apply([Sepia(amount: 1)])
    #expect(try folder.refetched(asset).playbackStyle == .image)
  }

  @Test func `the audio volume is applied, and zero removes the audio track`() async throws {
    let asset = try livePhoto(audioTrack: true)
    for (asked, kept, volume) in [
      (1, 1, 1), (0.25, 0.25, 0.25), (7, 1, 1), (0, 0, nil), (-1, 0, nil), (.nan, 0, nil),
    ] as [(Double, Double, Double?)] {
      let (context, _, output) = try await session(asset)
      context.audioVolume = asked
      #expect(context.audioVolume == kept)
      try await context.saveLivePhoto(to: output, .graph(FilterGraph()))
      let url = try #require(output.pairedVideoURL)
      let audioTrack = try PassthroughExport.inspect(url.path).streams.first { $0.kind == .audio }
      #expect(audioTrack?.volume == volume)
    }
  }

  @Test func `a muting graph can be resumed and the audio restored`() async throws {
    let asset = try livePhoto(audioTrack: true)
    var editor = PhotoEditor(try folder.store(asset))
    editor.renderers[.livePhoto] = LivePhotoRenderer()
    func audioTrack() throws -> MovieStream? {
      let movie = try #require(try folder.files(of: asset)[.fullSizePairedVideo])
      return try PassthroughExport.inspect(movie).streams.first { $0.kind == .audio }
    }
    let first = try editor.begin()
    try first.commit(first.graph.appending([Mute(), Invert(amount: 1)]))
    #expect(try audioTrack() == nil)
    let second = try editor.begin()
    #expect(second.graph.nodes.map(\.filter) == ["mute", "invert"])
    var graph = second.graph
    try graph.remove(node: graph.nodes[0].id)
    try second.commit(graph.appending([Volume(0.5)]))
    #expect(try audioTrack()?.volume == 0.5)
    // Trimming the video is rejected.
    let third = try editor.begin()
    #expect(throws: EditingError.self) {
      try third.commit(third.graph.appending([Trim(start: 0.2)]))
    }
  }

  @Test func `a canceled or failed save leaves neither part`() async throws {
    let asset = try livePhoto()
    let (context, _, output) = try await session(asset)
    let error = await #expect(throws: EditingError.self) {
      try await context.saveLivePhoto(
        to: output,
        .frames { frame in
          if frame.kind == .video { context.cancel() }
          return frame.image
        })
    }
    #expect(error?.code == .userCancelled)
    struct Refusal: Error {}
    await #expect(throws: EditingError.self) {
      try await context.saveLivePhoto(to: output, .frames { _ in throw Refusal() })
    }
    let staging = FileSystem.folder(of: output.renderedContentURL.path)
    #expect(try FileSystem.names(in: staging) == [])
    // The output can be reused for another attempt.
    try await context.saveLivePhoto(to: output, .graph(FilterGraph()))
    try await commit(output, asset)
    #expect(try folder.refetched(asset).hasAdjustments)
  }

  @Test func `saving repairs a still image time outside of the video`() async throws {
    let asset = try livePhoto()
    let source = try #require(try folder.files(of: asset)[.pairedVideo])
    // The writer rejects times outside of the video, so the bytes are changed directly.
    let (timed, file) = (folder.folder.path("timed.mov"), folder.folder.path("source.mov"))
    _ = try MovieRewriter.run(from: source, to: timed, edits: [.stillImageTime(0.8)])
    var bytes = try FileBytes.reading(timed).array
    let pause = try #require(bytes.firstRange(of: Self.pause(800)))
    bytes.replaceSubrange(pause, with: Self.pause(7000))
    try Data(bytes).write(to: URL(filePath: file))
    #expect(try PassthroughExport.inspect(file).isStillImageTimeOutside)
    let wrong = try folder.create([
      (.photo, try ImageFile.live(TestLibrary.liveIdentifier, seed: 1)), (.pairedVideo, bytes),
    ]) { try $0.setPairing(.force) }
    let (context, _, output) = try await session(wrong)
    #expect(context.photoTime == 0.5)
    try await context.saveLivePhoto(to: output, .graph(FilterGraph()))
    try await commit(output, wrong)
    let movie = try #require(try folder.files(of: wrong)[.fullSizePairedVideo])
    #expect(try PassthroughExport.inspect(movie).stillImageTime == 0.5)
  }

  /// An empty edit list entry, in movie timescale units.
  private static func pause(_ units: Int) -> [UInt8] {
    ImageFile.big(units, 4) + [0xFF, 0xFF, 0xFF, 0xFF, 0, 1, 0, 0]
  }

  @Test func `a plain photo has no Live Photo editing context`() async throws {
    let asset = try folder.addPhoto()
    let input = try await library.contentEditingInput(for: asset)
    #expect(try LivePhotoEditingContext(input) == nil)
  }
}
