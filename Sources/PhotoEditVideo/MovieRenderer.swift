// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
public import PhotoEdit
public import PhotoEditFilters
import PhotoEditMovieFiles
import PhotoEditPixels
import PhotoEditPlatform
public import PhotoEditRendering
import PhotoEditStorage

/// Renders movies for editing sessions: what needs no frames first, and then the frames.
///
/// Frames that the graph leaves alone are not encoded anew.
public struct MovieRenderer: MediaRenderer {
  /// How far a rendering has come.
  public enum Progress: Sendable, Hashable {
    /// Bytes came over, as a share of all that do, 0 to 1.
    case bytes(Double)
    /// Frames were encoded.
    case frames(VideoProgress)
  }

  /// How frames are encoded.
  public var video: VideoOptions
  /// Told how far the work has come, by one thread at a time.
  public var progress: @Sendable (Progress) -> Void

  /// Makes a renderer of movies.
  public init(
    video: VideoOptions = VideoOptions(),
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) {
    self.video = video
    self.progress = progress
  }

  /// Movies are larger than memory.
  public var needsFiles: Bool { true }

  /// Renders a graph on a movie.
  public func render(
    _ input: EditingInput, _ graph: FilterGraph, options: RenderOptions, to output: EditingOutput?
  ) throws(EditingError) -> RenderReport {
    guard let output, output.media == .movie else {
      throw EditingError(
        .changeNotSupported, path: input.assetName, "the output is not that of a movie",
        hint: "make the output from the input of this movie")
    }
    let recipe: MovieRecipe
    do throws(GraphObstacle) { recipe = try MovieRecipe(graph) } catch {
      throw EditingError(
        .changeNotSupported, path: input.assetName, "\(error)", underlying: error)
    }
    do throws(VideoError) {
      let movie = try render(
        recipe, from: input.path, to: output.renderedContentURL.path, options)
      output.digest = movie.digest
      return .movie(movie)
    } catch {
      throw EditingError(error, path: input.assetName)
    }
  }

  private func render(
    _ recipe: MovieRecipe, from path: String, to staged: String, _ options: RenderOptions
  ) throws(VideoError) -> RenderedMovie {
    guard let frames = recipe.frames else {
      return RenderedMovie(try rewrite(recipe, from: path, to: staged, options))
    }
    // A trim goes by the key frames of the source, and spares the frames that it takes out.
    guard !recipe.edits.isEmpty else {
      let video = try render(frames, from: path, to: staged, options)
      return RenderedMovie(video.movie, video)
    }
    let part = staged + ".edited"
    defer { unlink(part) }
    let before = try rewrite(recipe, from: path, to: part, options)
    var video = try render(frames, from: part, to: staged, options)
    video.losses = before.losses + video.losses
    var report = video.movie
    report.kept = before.kept
    if before.engine != .copied { report.engine = before.engine }
    return RenderedMovie(report, video)
  }

  private func rewrite(
    _ recipe: MovieRecipe, from path: String, to staged: String, _ options: RenderOptions
  ) throws(VideoError) -> MovieReport {
    try movie { () throws(MovieError) in
      try MovieRewriter.run(
        from: path, to: staged, edits: recipe.edits, remuxing: video.remuxing,
        isCancelled: options.isCancelled, progress: { progress(.bytes($0)) })
    }
  }

  private func render(
    _ frames: FilterGraph, from path: String, to staged: String, _ options: RenderOptions
  ) throws(VideoError) -> VideoReport {
    var video = video
    video.threads = video.threads ?? options.threads
    return try VideoRenderer.run(
      from: path, .graph(frames), to: staged, options: video, assetFiles: options.assetFiles,
      isCancelled: options.isCancelled, progress: { progress(.frames($0)) })
  }
}

extension RenderedMovie {
  /// - Parameter video: What became of the frames; nil where they are the source's.
  fileprivate init(_ report: MovieReport, _ video: VideoReport? = nil) {
    self.init(
      method: report.method.rawValue, engine: report.engine.rawValue, byteCount: report.bytes,
      digest: report.digest,
      size: report.streams.first { $0.kind == .video }?.shownSize ?? PixelSize(width: 0, height: 0),
      kept: report.kept,
      frames: video.map {
        Frames(
          count: $0.frames, size: $0.size, codec: $0.codec.rawValue,
          bitsPerSample: $0.bitsPerSample, isUpright: $0.isUpright)
      }, losses: video?.losses ?? report.losses)
  }
}

extension EditedMovie {
  /// Reads what a movie says about itself; no frame is read.
  package static func reading(_ path: String) throws(EditingError) -> EditedMovie {
    let info: MovieInfo
    do throws(MovieError) { info = try MoviePassThrough.inspect(path) } catch {
      throw EditingError(VideoError(error), path: path)
    }
    return EditedMovie(
      size: info.shownSize, duration: info.playingTime,
      uniformTypeIdentifier: info.container.typeIdentifier,
      facts: MediaFacts(
        movie: info.tags, created: info.creationDate, frameRate: info.frameRate,
        hasPictures: info.picture != nil))
  }
}
