// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage

/// Edits the still image of a Live Photo and every frame of its video in the same way, and writes
/// both as a pair.
///
/// The pair gets a content identifier of its own. The video keeps its duration, the times of its
/// frames, its timed metadata and its tags; only its frames are new, and its audio volume is
/// adjusted as requested.
public final class LivePhotoEditingContext: Sendable {
  /// The edit of still image and frames.
  public enum Edit: Sendable {
    /// A filter graph; its lengths and positions in pixels refer to the still image, and are scaled
    /// down with the frames.
    ///
    /// The only operations on videos that it may contain are `mute` and `volume`.
    case graph(FilterGraph)
    /// Code that returns a new image for each image.
    ///
    /// It is called from several threads at once, with frames in any order. The results for the
    /// video must have one size, with the aspect ratio of the still image's result.
    case frames(@Sendable (LivePhotoFrame) throws -> ImageBuffer)
  }

  /// The options for encoding still image and video.
  public struct Options: Sendable {
    /// The rendering options of the still image.
    public var still = RenderOptions()
    /// The encoding options of the frames.
    public var video = VideoOptions()
    /// Receives the progress, 0 to 1, from one thread at a time.
    public var progress: (@Sendable (Double) -> Void)?

    /// Creates the default options.
    public init() {}
  }

  /// The duration of the video in seconds.
  public var duration: Double { source.duration }
  /// The still image time, in seconds from the start of the video; the middle if the video does not
  /// specify it, or specifies one outside its duration.
  public var photoTime: Double { source.photoTime }
  /// The orientation of the stored pixels of the still image; images passed to edits have it
  /// applied.
  public var orientation: Orientation { source.input.orientation }
  /// The playback volume of the edited video, as a fraction of the current volume.
  ///
  /// 0 removes the audio, 1 leaves it unchanged, and values in between are passed to players in
  /// steps of 1/256. Values outside this range are clamped. It is multiplied by the volume that
  /// `volume` and `mute` of a graph leave, which is stored with the graph.
  public var audioVolume: Double {
    get { volume.withLock { $0 } }
    set { volume.withLock { $0 = newValue > 0 ? min(newValue, 1) : 0 } }
  }

  private let source: LivePhotoSource
  private let volume = LockedValue(1.0)
  private let running = LockedValue<Cancellation?>(nil)

  /// Opens the Live Photo that a session starts with; returns nil if the input is not a Live Photo.
  ///
  /// - Throws: `EditingError` if its video cannot be read.
  public init?(_ input: EditingInput) throws(EditingError) {
    guard let source = try LivePhotoSource(input) else { return nil }
    self.source = source
  }

  /// Returns the still image at full size, with its orientation applied and 8 bits per sample.
  public func fullSizeImage() throws(EditingError) -> ImageBuffer {
    try source.input.still(RenderOptions(), bytesPerSample: 1)
  }

  /// Writes the edited pair to the destinations of an output, which then only needs to be
  /// committed.
  ///
  /// Only one save or preview runs at a time: another one cancels it. After a failure the output
  /// has neither file.
  ///
  /// - Throws: `EditingError`; `userCancelled` after `cancel`, another save or preview, or the
  ///   cancellation of the task, `changeNotSupported` for an output of another session.
  public func saveLivePhoto(
    to output: EditingOutput, _ edit: Edit, options: Options = Options()
  ) async throws(EditingError) {
    guard let moviePath = output.pairedVideoURL?.path else {
      throw EditingError(
        .changeNotSupported, path: output.assetName,
        "the output is for media type \(output.media.rawValue)",
        hint: "create the output from the input of this Live Photo")
    }
    let still = output.contentPath
    _ = try await run { cancellation throws(EditingError) in
      try self.save(still: still, movie: moviePath, edit, options, cancellation)
    }
  }

  /// Creates a small version of the pair that a save would write, for playback during editing.
  ///
  /// Only one save or preview runs at a time: another one cancels it.
  ///
  /// - Parameters:
  ///   - targetSize: The size in pixels that still image and video must fit into; an empty one
  ///     keeps their sizes. Neither is enlarged. Code receives images that fit into it, with their
  ///     `renderScale`.
  ///   - options: By default, the frames are encoded as quickly as possible.
  /// - Throws: `EditingError`, as for a save; no files remain then.
  public func prepareForPlayback(
    targetSize: PixelSize, _ edit: Edit, options: Options = .preview
  ) async throws(EditingError) -> LivePhotoPreview {
    try await run { cancellation throws(EditingError) in
      let folder = try mapFileErrors(StagingFolder(in: FileManager.default.temporaryDirectory.path))
      let rendering = try LivePhotoRendering(
        source: self.source, edit: edit, options: options, volume: self.audioVolume,
        box: targetSize.isEmpty ? nil : targetSize, cancellation: cancellation
      ).write(
        still: LivePhotoPreview.still(in: folder), movie: LivePhotoPreview.movie(in: folder))
      return LivePhotoPreview(folder, size: rendering.size)
    }
  }

  /// Cancels the running save or preview.
  public func cancel() { running.withLock { $0 }?.cancel() }

  // MARK: Running

  /// Writes both parts; blocks.
  func save(
    still: String, movie: String, _ edit: Edit, _ options: Options, _ cancellation: Cancellation
  ) throws(EditingError) -> Rendering {
    try LivePhotoRendering(
      source: source, edit: edit, options: options, volume: audioVolume, box: nil,
      cancellation: cancellation
    ).write(still: still, movie: movie)
  }

  /// Runs a body on a separate thread, after canceling the running one.
  private func run<Value: Sendable>(
    _ body: @escaping @Sendable (Cancellation) throws(EditingError) -> Value
  ) async throws(EditingError) -> Value {
    let cancellation = Cancellation()
    running.withLock { running in
      running?.cancel()
      running = cancellation
    }
    return try await blocking(cancellation, body)
  }
}

extension LivePhotoEditingContext.Options {
  /// Options for previews: the frames are encoded quickly, in larger files.
  public static var preview: Self {
    var options = Self()
    options.video.preset = .ultrafast
    return options
  }
}

/// One image of a Live Photo: its still image, or a frame of its video.
public struct LivePhotoFrame: Sendable, Hashable {
  /// The kind of image.
  public enum Kind: String, Sendable, Hashable {
    /// The still image.
    case photo
    /// A frame of the video.
    case video
  }

  /// The image with its orientation applied, 8 or 16 bits per sample, in the file's own color
  /// space.
  public let image: ImageBuffer
  /// The kind of image.
  public let kind: Kind
  /// Seconds from the start of the video; for the still image, the still image time.
  public let time: Double
  /// The number of pixels of this image per pixel of the still image: lengths in pixels must be
  /// multiplied by it.
  public let renderScale: Double
}
