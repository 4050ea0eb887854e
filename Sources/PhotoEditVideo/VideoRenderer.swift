// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVCodec
import PhotoEditMovieFiles
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditRendering
public import PhotoEditStorage

/// Renders the frames of a video and writes it as a QuickTime movie; everything else in it is kept.
///
/// The result has exactly as many frames, shown at exactly the same times, and the unchanged
/// packets of all other streams. Memory does not grow with the duration of the video.
public enum VideoRenderer {
  /// Renders a video.
  ///
  /// - Parameters:
  ///   - source: The path of a video that `MoviePassThrough.run` accepts, with one video track, of
  ///     any codec that libavcodec decodes.
  ///   - edit: The edit of the frames.
  ///   - staged: The path of the file to create. It must not exist; afterwards it is synced and
  ///     verified, or absent.
  ///   - options: The options for rendering and encoding.
  ///   - assetFiles: Returns the file of an attachment that the graph does not contain itself, by
  ///     its digest.
  ///   - isCancelled: Called often; true cancels the rendering.
  ///   - progress: Called after every frame, by one thread at a time.
  /// - Throws: `VideoError`.
  public static func run(
    from source: String, _ edit: VideoEdit, to staged: String,
    options: VideoOptions = VideoOptions(),
    assetFiles: @escaping @Sendable (Digest) -> [UInt8]? = { _ in nil },
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (VideoProgress) -> Void = { _ in }
  ) throws(VideoError) -> VideoReport {
    var render = RenderOptions()
    render.assetFiles = assetFiles
    render.isCancelled = isCancelled
    try movie { () throws(MovieError) in
      try VideoReplacement.check(source, remuxing: options.remuxing, isCancelled: isCancelled)
    }
    let wanted = max(1, options.threads ?? Threads.cores)
    // Decoder and encoder fail if fewer threads are available than configured.
    let cores = Threads.areAvailable(3 * wanted) ? wanted : 1
    let reading = try FrameTaking(source, threads: cores, isCancelled: isCancelled)
    guard let first = try reading.takeFirst() else {
      throw .damaged(time: nil, reason: "no frame can be decoded")
    }
    let track = reading.track
    let color = try FrameColor(first.facts, track)
    let work = try FrameWork(
      edit, first: first, color, track, render, stillSize: options.stillSize)
    let plan = try EncodingPlan(
      first: first, color, track, work, duration: reading.duration(of: first), options,
      threads: cores)
    let encoder = try FrameEncoder(plan.settings, options)
    let writing = try FrameWriting(
      source, to: staged, encoder, plan, options, isUpright: work.isUpright,
      isCancelled: isCancelled)
    let output = color.output(plan.settings.color)
    let line = FrameLine<DecodedFrame, FrameWriting.Frame>(
      most: cores + 3,
      take: { () throws(VideoError) in try reading.take() },
      work: { frame throws(VideoError) in
        let target = try encoder.makeFrame()
        try work.run(frame, color, track, into: target, size: plan.settings.size, output)
        return FrameWriting.Frame(
          frame: target, presentation: frame.facts.presentation,
          duration: reading.takeDuration(of: frame))
      },
      handOn: { frame throws(VideoError) in
        if isCancelled() { throw .cancelled }
        try writing.write(frame)
        progress(VideoProgress(frames: writing.frames, frameCount: track.frames))
      })
    do throws(VideoError) {
      try line.run(workers: cores)
      var report = try writing.finish()
      report.method = .rendered
      return VideoReport(
        movie: report, frames: writing.frames, size: plan.settings.size,
        bitsPerSample: plan.settings.bits, codec: options.codec, isUpright: work.isUpright,
        losses: plan.losses + reading.losses + report.losses)
    } catch {
      writing.discard()
      throw error
    }
  }
}

extension FrameColor {
  /// Returns the color properties of the encoder's frames.
  fileprivate func output(_ tags: pe_codec_colour) -> pe_codec_colour {
    pe_codec_colour(
      primaries: primaries, transfer: transfer, matrix: effectiveMatrix,
      is_full_range: tags.is_full_range, chroma_location: 0)
  }
}
