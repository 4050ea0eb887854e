// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVCodec
import PhotoEditCodecs
import PhotoEditPlatform
import PhotoEditStorage

/// Renders the frames of a video and writes it as a QuickTime movie; all other data is preserved.
///
/// The result has exactly as many frames, shown at exactly the same times, and the unchanged
/// packets of all other streams. Memory does not grow with the duration of the video.
public enum VideoRenderer {
  /// Renders a video.
  ///
  /// - Parameters:
  ///   - source: The path of a video that `PassthroughExport.run` accepts, with one video track, of
  ///     any codec that libavcodec decodes.
  ///   - edit: The edit of the frames.
  ///   - staged: The path of the file to create. It must not exist; afterwards it is synced and
  ///     verified, or absent.
  ///   - options: The options for rendering and encoding.
  ///   - assetFiles: Returns the file of an attachment that the graph does not contain itself, by
  ///     its digest.
  ///   - sandbox: The policy on decoding in a confined process; nil for that of this process.
  ///   - isCancelled: Called often; true cancels the rendering.
  ///   - progress: Called after every frame, by one thread at a time.
  /// - Throws: `VideoError`.
  public static func run(
    from source: String, _ edit: VideoEdit, to staged: String,
    options: VideoOptions = VideoOptions(),
    assetFiles: @escaping @Sendable (SHA256Digest) -> [UInt8]? = { _ in nil },
    sandbox: SandboxPolicy? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (VideoProgress) -> Void = { _ in }
  ) throws(VideoError) -> VideoReport {
    var render = RenderOptions()
    render.assetFiles = assetFiles
    render.sandbox = sandbox
    render.isCancelled = isCancelled
    let opened = try movie(OpenedMovie(source, isCancelled: isCancelled))
    return try run(from: opened, edit, to: staged, options, render, progress: progress)
  }

  /// Renders an open video.
  ///
  /// - Parameter render: The attachments of the graph, the policy on confined processes, and
  ///   cancellation; other options must be the default ones.
  static func run(
    from opened: OpenedMovie, _ edit: VideoEdit, to staged: String, _ options: VideoOptions,
    _ render: RenderOptions, progress: @escaping @Sendable (VideoProgress) -> Void
  ) throws(VideoError) -> VideoReport {
    func source() throws(VideoError) -> VideoSource {
      try movie(VideoSource.open(opened, isCancelled: render.isCancelled))
    }
    let first = try source()
    let replacement = try movie(VideoTrackReplacement(of: first, options.conversion))
    let requestedThreads = max(1, options.threads ?? ThreadGroup.cores)
    // Decoder and encoder fail if fewer threads are available than configured.
    let cores = ThreadGroup.areAvailable(3 * requestedThreads) ? requestedThreads : 1
    let furthest = LockedValue(0)
    let forward: @Sendable (VideoProgress) -> Void = { now in
      let isAhead = furthest.withLock { frames in
        defer { frames = max(frames, now.frames) }
        return now.frames > frames
      }
      if isAhead { progress(now) }
    }
    func rendered(by reading: FrameReader) throws(VideoError) -> VideoReport {
      try write(reading, edit, replacement, to: staged, options, render, threads: cores, forward)
    }
    // Undamaged videos, which are nearly all, are decoded by several threads.
    let decoding = DecoderOptions(sandbox: render.sandbox, isCancelled: render.isCancelled)
    let reading = try FrameReader(first, threads: cores, isSteady: false, decoding)
    do throws(VideoError) { return try rendered(by: reading) } catch {
      guard reading.needsSteadyReader else { throw error }
    }
    return try rendered(by: FrameReader(source(), threads: cores, isSteady: true, decoding))
  }

  private static func write(
    _ reading: FrameReader, _ edit: VideoEdit, _ replacement: VideoTrackReplacement,
    to staged: String, _ options: VideoOptions, _ render: RenderOptions, threads cores: Int,
    _ progress: @escaping @Sendable (VideoProgress) -> Void
  ) throws(VideoError) -> VideoReport {
    let isCancelled = render.isCancelled
    guard let first = try reading.readFirst() else {
      throw .damaged(time: nil, reason: "no frame can be decoded")
    }
    let track = reading.track
    let color = try FrameColor(first.facts, track)
    let work = try FrameProcessor(
      edit, first: first, color, track, render, stillSize: options.stillSize)
    let plan = try EncodingPlan(
      first: first, color, track, work, duration: reading.duration(of: first), options,
      threads: cores)
    let encoder = try FrameEncoder(plan.settings, options)
    let writing = try FrameWriter(
      replacement, at: staged, encoder, plan, options.codec, isOriented: work.isOriented,
      segmentStarts: track.segmentStarts)
    let output = color.output(plan.settings.color)
    let queue = OrderedFrameQueue<DecodedFrame, FrameWriter.Frame>(
      maximumCount: cores + 3,
      read: { () throws(VideoError) in try reading.read() },
      work: { frame throws(VideoError) in
        let target = try encoder.makeFrame()
        try work.run(frame, color, track, into: target, size: plan.settings.size, output)
        return FrameWriter.Frame(
          frame: target, presentation: frame.facts.presentation,
          duration: reading.removeDuration(of: frame))
      },
      deliver: { frame throws(VideoError) in
        if isCancelled() { throw .cancelled }
        try writing.write(frame)
        progress(VideoProgress(frames: writing.frames, frameCount: track.frames))
      })
    do throws(VideoError) {
      try queue.run(workers: cores)
      var report = try writing.finish()
      report.method = .rendered
      return VideoReport(
        movie: report, frames: writing.frames, size: plan.settings.size,
        bitsPerSample: plan.settings.bits, codec: options.codec, isOriented: work.isOriented,
        losses: plan.losses + reading.losses + report.losses)
    } catch {
      writing.discard()
      throw error
    }
  }
}

extension FrameColor {
  /// Returns the color properties of the encoder's frames.
  fileprivate func output(_ tags: pe_codec_color) -> pe_codec_color {
    pe_codec_color(
      primaries: primaries, transfer: transfer, matrix: effectiveMatrix,
      is_full_range: tags.is_full_range, chroma_location: 0)
  }
}

/// The result of rendering a video.
public struct VideoReport: Sendable, Hashable {
  /// The written file and its streams; those other than the video are the source's.
  public var movie: MovieReport
  /// The number of rendered frames; equal to that of the source.
  public var frames: Int
  /// The coded size of the new frames.
  public var size: PixelSize
  /// The number of bits per sample of the new frames.
  public var bitsPerSample: Int
  /// The codec of the new frames.
  public var codec: VideoCodec
  /// Indicates whether the frames themselves now have the orientation applied, because the graph
  /// moves pixels; otherwise players rotate them as they rotated the source's.
  public var isOriented: Bool
  /// The properties of the source that the frames do not preserve, one sentence each.
  public var losses: [String]
}

/// The progress of rendering a video.
public struct VideoProgress: Sendable, Hashable {
  /// The number of encoded frames.
  public var frames: Int
  /// The total number of frames; nil if it is known only by reading them.
  public var frameCount: Int?

  /// The fraction from 0 to 1; nil if the total is unknown.
  public var fraction: Double? {
    frameCount.map { $0 > 0 ? min(1, Double(frames) / Double($0)) : 1 }
  }
}

/// The edit of every frame of a video.
public enum VideoEdit: Sendable {
  /// A filter graph, applied to the frames with their orientation applied, as to photos.
  case graph(FilterGraph)
  /// Code that returns a new image for each frame, which is passed with its orientation applied.
  ///
  /// It is called from several threads at once, with frames in any order. All results must have one
  /// size; their samples, gray or RGB, have 8 or 16 bits and the frame's color space.
  case frames(@Sendable (VideoFrame) throws -> ImageBuffer)
}
