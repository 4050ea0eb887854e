// SPDX-License-Identifier: Apache-2.0
import Codecs
public import Filters
import FoundationEssentials
public import PhotoEdit
import PhotoEditMovies
public import Pixels
public import Rendering
import Storage
import Synchronization

/// Edits the still of a Live Photo and every frame of its movie alike, and writes both as a pair.
///
/// The pair gets a content identifier of its own. The movie keeps its length, the times of its frames,
/// its timed metadata and its tags; only its pictures are new, and its sound as loud as asked.
public final class LivePhotoEditingContext: Sendable {
  /// What is done with still and frames.
  public enum Edit: Sendable {
    /// A recipe; its lengths are meant for the still, and shrink with the frames.
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
  public let duration: Double
  /// The moment that the still shows, in seconds from the beginning of the movie; the middle where
  /// the movie does not say it.
  public let photoTime: Double
  /// How the stored pixels of the still lie; everybody is given upright pictures.
  public var orientation: Orientation { input.orientation }
  /// Whether the movie has sound afterwards.
  public var hasSound: Bool {
    get { sound.withLock { $0 } }
    set { sound.withLock { $0 = newValue } }
  }

  private let input: EditingInput
  private let movie: String
  /// Whether the movie says a moment of the still that it does not have.
  private let isPhotoTimeWrong: Bool
  private let sound = Mutex(true)
  private let running = Mutex<Cancellation?>(nil)

  /// Opens the Live Photo that a session begins with; nil when it is none.
  ///
  /// - Throws: `EditingError` when its movie cannot be read.
  public init?(_ input: EditingInput) throws(EditingError) {
    guard input.media == .livePhoto, let url = input.audiovisualURL else { return nil }
    self.input = input
    movie = url.path
    let info: MovieInfo
    do throws(MovieError) { info = try MoviePassThrough.inspect(url.path) } catch {
      throw EditingError(VideoError(error), path: url.path)
    }
    duration = info.duration
    photoTime = info.photoTime
    isPhotoTimeWrong = info.isStillImageTimeOutside
  }

  /// The still at full size, upright, 8 bits a sample.
  public func fullSizeImage() throws(EditingError) -> SampleImage {
    try still(RenderOptions(), bytesPerSample: 1)
  }

  /// Writes the edited pair to the places of an output, which then has only to be committed.
  ///
  /// One save at a time: another one cancels it. After a failure the output has neither file.
  ///
  /// - Throws: `EditingError`; `userCancelled` after `cancel`, another save, or the cancellation of
  ///   the task, `changeNotSupported` for the output of something else.
  public func saveLivePhoto(
    to output: EditingOutput, _ edit: Edit, options: Options = Options()
  ) async throws(EditingError) {
    guard let place = output.pairedVideoURL?.path else {
      throw EditingError(
        .changeNotSupported, path: output.assetName, "the output is for a \(output.media.rawValue)",
        hint: "make the output from the input of this Live Photo")
    }
    let cancellation = Cancellation()
    running.withLock { running in
      running?.cancel()
      running = cancellation
    }
    let result: Result<Void, EditingError> = await withTaskCancellationHandler {
      await onOwnThread {
        Result { () throws(EditingError) in
          _ = try self.save(
            still: output.renderedContentURL.path, movie: place, edit, options, cancellation)
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
    try result.get()
  }

  /// Stops the save that is going on.
  public func cancel() { running.withLock { $0 }?.cancel() }

  // MARK: Work

  /// Writes both parts; blocks.
  func save(
    still: String, movie place: String, _ edit: Edit, _ options: Options,
    _ cancellation: Cancellation
  ) throws(EditingError) -> Rendering {
    let identifier = UUID().uuidString
    do throws(EditingError) {
      for path in [still, place] where FileSystem.isThere(path) {
        try filing { () throws(FileError) in try FileSystem.remove(path) }
      }
      let rendering = try saveStill(still, identifier, edit, options, cancellation)
      try saveMovie(place, identifier, edit, options, cancellation)
      if cancellation.isCancelled { throw .cancelled }
      return rendering
    } catch {
      // What is not there need not be removed.
      for path in [still, place] { try? FileSystem.remove(path) }
      throw error
    }
  }

  private func saveStill(
    _ path: String, _ identifier: String, _ edit: Edit, _ options: Options,
    _ cancellation: Cancellation
  ) throws(EditingError) -> Rendering {
    let picture = try input.requirePicture()
    var render = options.still
    let isCancelled = render.isCancelled
    render.isCancelled = { isCancelled() || cancellation.isCancelled }
    let rendering: Rendering
    switch edit {
    case .graph(var graph):
      graph.source = picture.identity
      rendering = try input.rendering { () throws(RenderError) in
        try Renderer.render(picture, graph, options: render)
      }
    case .frames(let process):
      let image = try still(render, bytesPerSample: picture.header.bitsPerSample > 8 ? 2 : 1)
      let frame = LivePhotoFrame(image: image, kind: .photo, time: photoTime, renderScale: 1)
      let made: SampleImage
      do { made = try process(frame) } catch {
        throw EditingError(.invalidResource, path: input.assetName, "its still: \(error)")
      }
      rendering = try input.rendering { () throws(RenderError) in
        try Renderer.encode(made, inPlaceOf: picture, options: render)
      }
    }
    var jpeg = rendering.jpeg
    guard ContentIdentifierPatch.write(identifier, into: &jpeg) else {
      throw EditingError(
        .changeNotSupported, path: input.assetName,
        "its still has no place for the identifier that ties it to the movie",
        hint: "edit the still alone, which makes it a plain photo until it is reverted")
    }
    try filing { () throws(FileError) in
      let file = try OpenFile(creating: path)
      try jpeg.withUnsafeBufferPointer { bytes throws(FileError) in
        try file.write(UnsafeRawBufferPointer(bytes))
      }
    }
    options.progress?(0.1)
    return rendering
  }

  private func saveMovie(
    _ path: String, _ identifier: String, _ edit: Edit, _ options: Options,
    _ cancellation: Cancellation
  ) throws(EditingError) {
    let full = Double(input.size.longEdge)
    let video: VideoEdit =
      switch edit {
      case .graph(let graph): .graph(graph)
      case .frames(let process):
        .frames { frame in
          try process(
            LivePhotoFrame(
              image: frame.image, kind: .video, time: frame.time,
              renderScale: Double(frame.image.size.longEdge) / full))
        }
      }
    var encoding = options.video
    encoding.stillSize = input.size
    let rendered = path + ".rendered"
    // It is there only until the pair is whole.
    defer { try? FileSystem.remove(rendered) }
    do throws(VideoError) {
      _ = try VideoRenderer.run(
        from: movie, video, to: rendered, options: encoding,
        assetFiles: options.still.assetFiles,
        isCancelled: { cancellation.isCancelled || options.still.isCancelled() }
      ) { progress in
        if let fraction = progress.fraction { options.progress?(0.1 + 0.85 * fraction) }
      }
      var edits: [MovieEdit] = [.contentIdentifier(identifier)]
      if !hasSound { edits.append(.mute) }
      if isPhotoTimeWrong { edits.append(.stillImageTime(photoTime)) }
      try finish(rendered, path, edits, cancellation)
    } catch {
      throw EditingError(error, path: movie)
    }
    options.progress?(1)
  }

  private func finish(
    _ rendered: String, _ path: String, _ edits: [MovieEdit], _ cancellation: Cancellation
  ) throws(VideoError) {
    do throws(MovieError) {
      _ = try MovieRewriter.run(
        from: rendered, to: path, edits: edits, isCancelled: { cancellation.isCancelled })
    } catch {
      throw VideoError(error)
    }
  }

  private func still(
    _ options: RenderOptions, bytesPerSample: Int
  ) throws(EditingError) -> SampleImage {
    let picture = try input.requirePicture()
    return try input.rendering { () throws(RenderError) in
      try Renderer.raster(picture, FilterGraph(), options: options)
    }.image(bytesPerSample: bytesPerSample)
  }
}

extension EditingInput {
  fileprivate func rendering<Value>(
    _ body: () throws(RenderError) -> Value
  ) throws(EditingError) -> Value {
    do throws(RenderError) { return try body() } catch {
      throw EditingError(error, path: assetName)
    }
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
  }
}
