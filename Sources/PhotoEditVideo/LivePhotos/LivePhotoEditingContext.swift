// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
public import PhotoEdit
public import PhotoEditFilters
import PhotoEditMovieFiles
public import PhotoEditPixels
public import PhotoEditRendering
import PhotoEditStorage

/// Edits the still of a Live Photo and every frame of its movie alike, and writes both as a pair.
///
/// The pair gets a content identifier of its own. The movie keeps its length, the times of its frames,
/// its timed metadata and its tags; only its pictures are new, and its sound as loud as asked.
public final class LivePhotoEditingContext: Sendable {
  /// What is done with still and frames.
  public enum Edit: Sendable {
    /// A recipe; its lengths and places in pixels are meant for the still, and shrink with the frames.
    ///
    /// Of the operations on movies it may hold `mute` and `volume`.
    case graph(FilterGraph)
    /// Code that makes a picture of each picture.
    ///
    /// It is called from several threads at once, with frames in any order. The results for the
    /// movie must have one size, of the shape that the still's result has.
    case frames(@Sendable (LivePhotoFrame) throws -> SampleImage)
  }

  /// How still and movie are encoded.
  public struct Options: Sendable {
    /// How the still is rendered.
    public var still = RenderOptions()
    /// How the frames are encoded.
    public var video = VideoOptions()
    /// Told how far the work has come, 0 to 1, by one thread at a time.
    public var progress: (@Sendable (Double) -> Void)?

    /// Makes the default options.
    public init() {}
  }

  /// Seconds of the movie.
  public var duration: Double { source.duration }
  /// The moment that the still shows, in seconds from the beginning of the movie; the middle where
  /// the movie does not say it, or says one that it does not have.
  public var photoTime: Double { source.photoTime }
  /// How the stored pixels of the still lie; everybody is given upright pictures.
  public var orientation: Orientation { source.input.orientation }
  /// How loud the sound of the movie is played afterwards, as a share of how loud it is.
  ///
  /// 0 takes it out, 1 leaves it as it is, and what is between is told to players in steps of 1/256.
  /// Numbers outside count as the nearer end. What `volume` and `mute` of a graph leave is taken of
  /// this, and is stored with the graph.
  public var audioVolume: Double {
    get { volume.withLock { $0 } }
    set { volume.withLock { $0 = newValue > 0 ? min(newValue, 1) : 0 } }
  }

  private let source: LivePhotoSource
  private let volume = Guarded(1.0)
  private let running = Guarded<Cancellation?>(nil)

  /// Opens the Live Photo that a session begins with; nil when it is none.
  ///
  /// - Throws: `EditingError` when its movie cannot be read.
  public init?(_ input: EditingInput) throws(EditingError) {
    guard let source = try LivePhotoSource(input) else { return nil }
    self.source = source
  }

  /// The still at full size, upright, 8 bits a sample.
  public func fullSizeImage() throws(EditingError) -> SampleImage {
    try source.input.still(RenderOptions(), bytesPerSample: 1)
  }

  /// Writes the edited pair to the places of an output, which then has only to be committed.
  ///
  /// One save or preview at a time: another one cancels it. After a failure the output has neither
  /// file.
  ///
  /// - Throws: `EditingError`; `userCancelled` after `cancel`, another save or preview, or the
  ///   cancellation of the task, `changeNotSupported` for the output of something else.
  public func saveLivePhoto(
    to output: EditingOutput, _ edit: Edit, options: Options = Options()
  ) async throws(EditingError) {
    guard let place = output.pairedVideoURL?.path else {
      throw EditingError(
        .changeNotSupported, path: output.assetName, "the output is for a \(output.media.rawValue)",
        hint: "make the output from the input of this Live Photo")
    }
    let still = output.renderedContentURL.path
    _ = try await run { cancellation throws(EditingError) in
      try self.save(still: still, movie: place, edit, options, cancellation)
    }
  }

  /// Makes a small pair of what a save would write, to be played while somebody edits.
  ///
  /// One save or preview at a time: another one cancels it.
  ///
  /// - Parameters:
  ///   - targetSize: What still and movie must fit into, in pixels; an empty one keeps their sizes.
  ///     Neither is made larger. Code gets pictures that fit into it, with their `renderScale`.
  ///   - options: The frames are encoded as quickly as can be unless they say otherwise.
  /// - Throws: `EditingError`, as for a save; nothing is left then.
  public func prepareForPlayback(
    targetSize: PixelSize, _ edit: Edit, options: Options = .preview
  ) async throws(EditingError) -> LivePhotoPreview {
    try await run { cancellation throws(EditingError) in
      let folder = try filing { () throws(FileError) in
        try StagingFolder(in: FileManager.default.temporaryDirectory.path)
      }
      let rendering = try LivePhotoRendering(
        source: self.source, edit: edit, options: options, volume: self.audioVolume,
        box: targetSize.isEmpty ? nil : targetSize, cancellation: cancellation
      ).write(
        still: LivePhotoPreview.still(in: folder), movie: LivePhotoPreview.movie(in: folder))
      return LivePhotoPreview(folder, size: rendering.size)
    }
  }

  /// Stops the save or preview that is going on.
  public func cancel() { running.withLock { $0 }?.cancel() }

  // MARK: Work

  /// Writes both parts; blocks.
  func save(
    still: String, movie: String, _ edit: Edit, _ options: Options, _ cancellation: Cancellation
  ) throws(EditingError) -> Rendering {
    try LivePhotoRendering(
      source: source, edit: edit, options: options, volume: audioVolume, box: nil,
      cancellation: cancellation
    ).write(still: still, movie: movie)
  }

  /// Does work on a thread of its own, in place of the work that is going on.
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
  /// For previews: the frames are encoded at once, in larger files.
  public static var preview: Self {
    var options = Self()
    options.video.preset = .ultrafast
    return options
  }
}

extension EditingError {
  /// A failure of video for those who edit.
  init(_ error: VideoError, path: String) {
    switch error {
    case .cancelled, .movie(.cancelled): self = .cancelled
    case .movie(.file(let file)): self.init(file)
    case .render(let render): self.init(render, path: path)
    case .unsupported, .cannotEncode, .libraryMissing:
      self.init(.changeNotSupported, path: path, "\(error)")
    case .outOfMemory, .verificationFailed:
      self.init(.internalError, path: path, "\(error)")
    default: self.init(.invalidResource, path: path, "\(error)")
    }
    underlying = error
  }
}
