// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditRendering
import PhotoEditStorage

/// The input of an editing session: one version of the photo, and the adjustment data if requested.
///
/// Its files are copies for this object, which remain unchanged while it exists, even if another
/// edit is committed; nothing that is written to them reaches a version of the photo.
public final class EditingInput: Sendable {
  /// The version that a session receives.
  public enum Version: String, Sendable, Hashable {
    /// The original photo.
    case original
    /// The input of the most recent edit.
    case base
    /// The output of the most recent edit.
    case current
  }

  /// The medium of the asset.
  public let media: EditingMediaType
  /// Image or video, with PhotoKit's raw values; a Live Photo is an image.
  public var mediaType: MediaType { media == .movie ? .video : .image }
  /// The media subtypes, with PhotoKit's raw values.
  public var mediaSubtypes: MediaSubtype {
    media == .livePhoto ? facts.subtypes.union(.photoLive) : facts.subtypes
  }
  /// The uniform type identifier of the file, such as "public.jpeg"; for a Live Photo, of its
  /// still.
  public let uniformTypeIdentifier: String
  /// The capture date: from the library for an asset, otherwise from the file.
  public var creationDate: Date? { facts.creationDate }
  /// The capture location: from the library for an asset, otherwise from the file.
  public var location: LocationCoordinate? { facts.location }
  /// The still at full size: a read-only copy that exists as long as this object; nil for a video.
  ///
  /// The copy is made at the first access; `pixels()` needs none. It is nil if the copy cannot be
  /// made; `prepareFiles()` throws the reason.
  public var fullSizeImageURL: URL? { Self.url(stillCopy) }
  /// The video: a read-only copy that exists as long as this object; nil for a photo.
  ///
  /// For a Live Photo, this is the video paired with the still. The copy is made at the first
  /// access, which takes time and space unless the file system can share the blocks of files. It is
  /// nil if the copy cannot be made; `prepareFiles()` throws the reason.
  public var audiovisualURL: URL? { Self.url(movieCopy) }
  /// The duration of the video in seconds; 0 for a photo.
  public let duration: Double
  /// The adjustment data to modify and apply again; nil if the image includes all edits.
  public let adjustmentData: AdjustmentData?
  /// The version of the image.
  public let version: Version
  /// The relation of the session to the stored edit.
  public let kind: SessionKind
  /// The size of the image with the orientation applied; for a Live Photo, of its still.
  public let size: PixelSize
  /// The orientation of the still's stored pixels; always `up` for a video because players rotate
  /// it themselves.
  public let orientation: Orientation

  /// The path of the version's own file, which is only read.
  package let path: String
  /// The path of the video's own file, which is only read; nil for a photo.
  package let moviePath: String?
  /// The still; nil for a video.
  package let image: ImageSource?
  /// The open video, if the store keeps it.
  package let heldMovie: (any AnyObject & Sendable)?
  /// The digest of the file; nil for a video without a recorded digest to compare with.
  let digest: SHA256Digest?
  package let assetName: String
  /// Indicates whether the original has the same pixels as when it was edited but different
  /// metadata.
  package let hasNewMetadata: Bool
  /// The stored state when the session began.
  package let state: EditState
  private let snapshot: StagingFolder?
  private let stillCopy: ReadOnlyCopy?
  private let movieCopy: ReadOnlyCopy?
  private let movieFacts: MediaProperties

  /// The values of the fields of texts: from the library for an asset, otherwise from the file.
  package var textFields: [TextField: String] {
    var fields = image?.textFields ?? [:]
    if image == nil, let date = movieFacts.creationDate {
      fields.setDate(date.timeIntervalSince1970 + Double(movieFacts.utcOffset ?? 0))
    }
    return fields.merging(state.textFields) { $1 }
  }

  /// Computed on demand because most editors do not need it.
  private var facts: MediaProperties {
    if let known = state.facts { return known }
    guard let image else { return movieFacts }
    return MediaProperties(image.metadata.captureFacts(of: image.header.format))
  }

  init(
    _ selection: InputVersionSelection, _ content: OpenedContent, assetName: String,
    snapshot: StagingFolder?, makeFolder: @escaping @Sendable () throws(FileError) -> StagingFolder
  ) {
    media = content.media
    path = selection.content.path
    moviePath =
      switch content.media {
      case .photo: nil
      case .movie: selection.content.path
      case .livePhoto: selection.movie?.path
      }
    let name = "input." + selection.fileExtension
    stillCopy = content.image.map { image in
      ReadOnlyCopy(named: name, in: makeFolder) { path throws(FileError) in
        // The bytes that were compared with the record, whatever has happened to the file since.
        defer { withExtendedLifetime(image) {} }
        try OpenFile(creating: path).write(image.bytes.buffer)
      }
    }
    movieCopy = moviePath.map { movie in
      ReadOnlyCopy(
        named: content.media == .movie ? name : "paired.mov", in: makeFolder
      ) { path throws(FileError) in
        try FileSystem.copy(movie, to: path, isSynced: false)
      }
    }
    adjustmentData = selection.adjustmentData
    version = selection.version
    kind = selection.kind
    duration = content.movie?.duration ?? 0
    size = content.image?.size ?? content.movie?.size ?? PixelSize(width: 0, height: 0)
    orientation = content.image?.metadata.orientation ?? .up
    image = content.image
    uniformTypeIdentifier =
      content.image?.header.format.uniformTypeIdentifier
      ?? content.movie?.uniformTypeIdentifier ?? "public.data"
    movieFacts = content.movie?.facts ?? MediaProperties()
    heldMovie = content.movie?.file.object
    digest = content.digest
    self.assetName = assetName
    let recorded = selection.content.digest
    hasNewMetadata =
      selection.version == .original && recorded != nil && recorded != content.digest
    state = selection.state
    self.snapshot = snapshot
  }

  private static func url(_ copy: ReadOnlyCopy?) -> URL? {
    copy.flatMap { try? $0.path() }.map { URL(filePath: $0) }
  }

  /// Creates the copies to which the URLs refer, unless they exist already.
  ///
  /// Not needed before a URL is used; serves to copy a large video in the background, or to learn
  /// why a URL is nil.
  ///
  /// - Throws: `EditingError`, for lack of space for example.
  public func prepareFiles() async throws(EditingError) {
    try await inBackground { _ throws(EditingError) in
      for copy in [self.stillCopy, self.movieCopy].compactMap({ $0 }) {
        _ = try mapFileErrors(copy.path())
      }
    }
  }

  /// Decodes the still at full size for code that processes pixels itself.
  ///
  /// The orientation is applied. The color space is that of the file, or sRGB if a rendering
  /// without filters would be in sRGB.
  ///
  /// - Parameters:
  ///   - type: `UInt8`, `UInt16` or `Float`.
  ///   - arrangement: The order of the samples.
  ///   - options: Limits, leniency, threads, and cancellation; other options are ignored.
  /// - Throws: `EditingError`; `requestNotSupportedForAsset` for a video, `userCancelled` if the
  ///   task is canceled.
  public func pixels<Sample>(
    as type: Sample.Type = Sample.self, arrangement: PixelArrangement = .interleaved,
    options: RenderOptions = RenderOptions()
  ) async throws(EditingError) -> PixelBuffer<Sample> {
    try await inBackground { cancellation throws(EditingError) in
      let image = try self.requireImage()
      return try self.rendering(
        Renderer.pixels(
          of: image, arrangement: arrangement, options: options.stopping(for: cancellation)))
    }
  }

  /// Decodes the still at a reduced size for display on a screen.
  ///
  /// The orientation is applied. The color space is that of the file, or sRGB if a rendering
  /// without filters would be in sRGB. A JPEG is decoded at a reduced scale, which takes a fraction
  /// of the time.
  ///
  /// - Parameters:
  ///   - box: The size that the result must fit into; the result is never larger than the still.
  ///   - options: Limits, leniency, threads, and cancellation; other options are ignored.
  /// - Throws: `EditingError`; `requestNotSupportedForAsset` for a video, `userCancelled` if the
  ///   task is canceled.
  public func displaySizeImage(
    fitting box: PixelSize = PixelSize(width: 2048, height: 2048),
    options: RenderOptions = RenderOptions()
  ) async throws(EditingError) -> PixelBuffer<UInt8> {
    try await inBackground { cancellation throws(EditingError) in
      let image = try self.requireImage()
      return try self.rendering(
        Renderer.pixels(
          of: image, fitting: box, options: options.stopping(for: cancellation)))
    }
  }

  /// Evaluates an expression and rethrows its render error as an editing error for the still.
  package func rendering<Value>(
    _ body: @autoclosure () throws(RenderError) -> Value
  ) throws(EditingError) -> Value {
    try translating({ EditingError($0, path: version == .original ? assetName : path) }, body)
  }
}

/// Options for requesting an editing input.
public struct EditingInputRequestOptions: Sendable {
  /// Returns whether the editor understands the adjustment data; called at most once, before
  /// content is read.
  ///
  /// If it returns true, the session receives the base with the data. If it returns false or is
  /// nil, the session receives the current rendering without the data. For an unedited photo, the
  /// session receives the original, and the closure is not called.
  public var canHandleAdjustmentData: (@Sendable (AdjustmentData) -> Bool)?
  /// Called with the progress of reading, from 0 to 1; returning false cancels.
  public var progressHandler: (@Sendable (Double) -> Bool)?
  /// The limits of the decoder.
  public var limits = ImageLimits()

  /// Creates the default options, by which no adjustment data is understood.
  public init() {}
}

/// The decision about the version that a session receives, made before content is read.
struct InputVersionSelection: Sendable {
  let state: EditState
  let version: EditingInput.Version
  let kind: SessionKind
  var content: EditState.Content
  /// The video paired with a still.
  var movie: EditState.Content?
  let adjustmentData: AdjustmentData?

  /// The extension of the version's file: an original keeps its own.
  var fileExtension: String {
    version == .original
      ? FileSystem.splitName(FileSystem.lastName(of: content.path)).fileExtension
      : state.isMovie ? "mov" : "jpg"
  }

  init(_ state: EditState, canHandle: ((AdjustmentData) -> Bool)?) {
    self.state = state
    guard let record = state.record else {
      (version, kind) = (.original, .first)
      content = state.original
      movie = state.movies.original
      adjustmentData = nil
      return
    }
    if let base = state.base, let canHandle, canHandle(record.adjustment) {
      (version, kind) = (record.base == nil ? .original : .base, .resumed)
      content = base
      movie = state.movies.base
      adjustmentData = record.adjustment
    } else {
      (version, kind) = (.current, .notUnderstood)
      content = state.current
      movie = state.movies.current
      adjustmentData = nil
    }
  }
}
