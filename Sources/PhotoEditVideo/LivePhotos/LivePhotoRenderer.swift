// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage

/// Renders both parts of Live Photos for editing sessions, which commit the pair.
///
/// Undo keeps both files, because rendering a video again takes a long time. A dry run renders only
/// the still image.
public struct LivePhotoRenderer: MediaRenderer {
  /// The encoding options of the frames.
  public var video: VideoOptions
  /// Receives the progress, 0 to 1, from one thread at a time.
  public var progress: (@Sendable (Double) -> Void)?

  /// Creates a renderer of Live Photos.
  public init(
    video: VideoOptions = VideoOptions(), progress: (@Sendable (Double) -> Void)? = nil
  ) {
    self.video = video
    self.progress = progress
  }

  /// Always false: the report on the still image covers the pair.
  public var needsFiles: Bool { false }

  /// Renders a graph on both parts of a Live Photo.
  public func render(
    _ input: EditingInput, _ graph: FilterGraph, options: RenderOptions, to output: EditingOutput?
  ) throws(EditingError) -> RenderReport {
    guard options.strip.isEmpty else {
      throw EditingError(
        .changeNotSupported, path: input.assetName,
        "the metadata of the video of a Live Photo cannot be removed",
        hint: "use an empty RenderOptions.strip, or edit only the still image")
    }
    guard let output else {
      return try StillRenderer().render(input, graph, options: options, to: nil)
    }
    guard let context = try LivePhotoEditingContext(input), let movie = output.pairedVideoURL else {
      throw EditingError(
        .changeNotSupported, path: input.assetName, "not a Live Photo",
        hint: "render it as a photo")
    }
    var work = LivePhotoEditingContext.Options()
    work.still = options
    work.still.modificationDate = nil
    work.video = video
    work.progress = progress
    var rendering = try context.save(
      still: output.contentPath, movie: movie.path, .graph(graph), work,
      Cancellation())
    // A video in the file of the still image is not a loss: it is the other part.
    rendering.losses.removeAll { $0.kind == MetadataLoss.Kind.motionPhoto.rawValue }
    return .still(rendering)
  }
}

/// The Live Photo that an edit starts with.
struct LivePhotoSource: Sendable {
  let input: EditingInput
  let movie: String
  let movieSize: PixelSize
  let duration: Double
  /// The still image time, in seconds from the start of the video.
  let photoTime: Double
  /// Indicates whether the video specifies a still image time outside its duration.
  let isPhotoTimeWrong: Bool

  /// Inspects both parts; returns nil if the input is not a Live Photo.
  init?(_ input: EditingInput) throws(EditingError) {
    guard input.media == .livePhoto, let movie = input.moviePath else { return nil }
    let info = try translating(
      { EditingError(VideoError($0 as MovieError), path: movie) },
      PassthroughExport.inspect(movie))
    self.input = input
    self.movie = movie
    let image = info.streams.first { $0.kind == .video }
    movieSize = PixelSize(width: image?.width ?? 0, height: image?.height ?? 0)
    duration = info.duration
    photoTime = info.photoTime
    isPhotoTimeWrong = info.isStillImageTimeOutside
  }
}
