// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Filters
import FoundationEssentials
import Glibc
import PhotoEditMovies
import PhotoEditVideo
import Rendering
import Storage

/// Makes the movie of a recipe: what needs no frames first, and then the frames.
struct MovieRendering {
  var input: String
  var edit: EditArguments
  /// Files that the stored graph needs, besides those of this call.
  var kept: [Digest: Data] = [:]

  /// A movie that was made.
  struct Made {
    var report: MovieReport
    /// What became of the frames; nil where they are the source's.
    var video: VideoReport?

    /// What of the source is missing, one sentence each.
    var losses: [String] { video.map { $0.losses } ?? report.losses }
  }

  /// - Parameter staged: The file to make; it must not exist.
  func run(
    _ recipe: MovieRecipe, from path: String, to staged: String,
    _ environment: CommandEnvironment
  ) throws(CommandFailure) -> Made {
    guard let frames = recipe.frames else {
      return Made(report: try rewrite(recipe, from: path, to: staged, environment))
    }
    // A trim goes by the key frames of the source, and spares the frames that it takes out.
    guard !recipe.edits.isEmpty else {
      let video = try render(frames, from: path, to: staged, environment)
      return Made(report: video.movie, video: video)
    }
    let part = staged + ".edited"
    defer { unlink(part) }
    let before = try rewrite(recipe, from: path, to: part, environment)
    var video = try render(frames, from: part, to: staged, environment)
    video.losses = before.losses + video.losses
    var report = video.movie
    report.kept = before.kept
    report.losses = before.losses + report.losses
    if before.engine != .copied { report.engine = before.engine }
    return Made(report: report, video: video)
  }

  private func rewrite(
    _ recipe: MovieRecipe, from path: String, to staged: String,
    _ environment: CommandEnvironment
  ) throws(CommandFailure) -> MovieReport {
    let cancellation = environment.cancellation
    let progress = environment.progress
    let name = input
    defer { progress.clear() }
    do throws(MovieError) {
      return try MovieRewriter.run(
        from: path, to: staged, edits: recipe.edits, remuxing: edit.movie.remuxing,
        isCancelled: { cancellation.isCancelled },
        progress: { progress.update(Int($0 * 100), of: 100, name) })
    } catch {
      throw CommandFailure(error, input: input)
    }
  }

  private func render(
    _ frames: FilterGraph, from path: String, to staged: String,
    _ environment: CommandEnvironment
  ) throws(CommandFailure) -> VideoReport {
    let cancellation = environment.cancellation
    let progress = environment.progress
    let name = "frames of \(FileSystem.lastName(of: input))"
    let threads = edit.rendering.threads ?? edit.rendering.share
    defer { progress.clear() }
    do throws(VideoError) {
      return try VideoRenderer.run(
        from: path, .graph(frames), to: staged, options: edit.movie.options(threads: threads),
        assetFiles: assetFiles, isCancelled: { cancellation.isCancelled },
        progress: { progress.update($0.frames, of: $0.frameCount ?? $0.frames, name) })
    } catch {
      throw CommandFailure(error, input: input)
    }
  }

  /// Finds the files of a graph's assets.
  var assetFiles: @Sendable (Digest) -> [UInt8]? {
    let (kept, files) = (kept, edit.rendering.assets)
    return { digest in kept[digest].map { Array($0) } ?? files[digest] }
  }
}

extension CommandFailure {
  /// What a movie whose frames cannot be rendered ends in.
  init(_ error: VideoError, input: String) {
    switch error {
    case .movie(let error): self.init(error, input: input)
    case .render(let error): self.init(error, input: input)
    case .cancelled: self = .cancelled(.interrupted)
    case .libraryMissing:
      self.init(
        .unavailable, "\(input): \(error)", hint: "apt-get install libavcodec59",
        code: "libraryMissing")
    default: self.init(.badData, "\(input): \(error)", code: "movie")
    }
  }
}
