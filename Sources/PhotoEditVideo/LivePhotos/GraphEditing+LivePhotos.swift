// SPDX-License-Identifier: Apache-2.0
import Codecs
public import Filters
import FoundationEssentials
public import PhotoEdit
import Rendering
import Storage

extension GraphEditing {
  /// Renders a graph on both parts of the Live Photo that an edit began with, and commits the pair.
  ///
  /// Undo keeps both files, for a movie takes long to be made again.
  ///
  /// - Parameters:
  ///   - video: How the frames are encoded.
  ///   - progress: Told how far the work has come, 0 to 1, by one thread at a time.
  /// - Throws: `EditingError`; nothing has changed then. `changeNotSupported` for what is no Live
  ///   Photo.
  public func finishLivePhoto(
    _ beginning: Beginning, with graph: FilterGraph, video: VideoOptions = VideoOptions(),
    progress: (@Sendable (Double) -> Void)? = nil
  ) throws(EditingError) -> Outcome {
    guard let context = try LivePhotoEditingContext(beginning.input) else {
      throw EditingError(
        .changeNotSupported, path: store.assetName, "it is no Live Photo",
        hint: "render it as a photo")
    }
    let (graph, output) = try openOutput(beginning, graph)
    defer { output.staging.discard() }
    guard let movie = output.pairedVideoURL?.path else {
      throw EditingError(.internalError, path: store.assetName, "no place for the movie")
    }
    var work = LivePhotoEditingContext.Options()
    work.still = options
    let files = output.assets
    let given = options.assetFiles
    work.still.assetFiles = { digest in files[digest].map { Array($0) } ?? given(digest) }
    work.video = video
    work.progress = progress
    var rendering = try context.save(
      still: output.renderedContentURL.path, movie: movie, .graph(graph), work, Cancellation())
    // A movie in the file of the still is not lost: it is the other part.
    rendering.losses.removeAll { $0.kind == MetadataLoss.Kind.motionPhoto.rawValue }
    try check(rendering, of: beginning.input)
    let state = try store.performCommit(output, date: date)
    return Outcome(state, beginning, graph, rendering)
  }
}
