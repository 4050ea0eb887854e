// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditCodecs
public import PhotoEditPixels
package import PhotoEditRendering
import PhotoEditStorage

/// What an editing session begins with: one version of the photo, and the record if it was asked for.
///
/// The file stays as it is as long as this object lives, whatever is committed meanwhile.
public final class EditingInput: Sendable {
  /// The version that is handed out.
  public enum Version: String, Sendable, Hashable {
    /// The photo as it came.
    case original
    /// What the most recent edit began with.
    case base
    /// What the most recent edit made.
    case current
  }

  /// What is edited.
  public let media: EditedMedia
  /// Still or movie, by PhotoKit's number; a Live Photo is an image.
  public var mediaType: MediaType { media == .movie ? .video : .image }
  /// What is special about it, by PhotoKit's bits.
  public var mediaSubtypes: MediaSubtype {
    media == .livePhoto ? facts.subtypes.union(.photoLive) : facts.subtypes
  }
  /// The type of the file that is handed out, such as "public.jpeg"; of a Live Photo, of its still.
  public let uniformTypeIdentifier: String
  /// When it was taken: what the library says of an asset, and what a file says of itself.
  public var creationDate: Date? { facts.creationDate }
  /// Where it was taken: what the library says of an asset, and what a file says of itself.
  public var location: GeoPoint? { facts.location }
  /// The still at full size, to be read only; nil for a movie.
  public var fullSizeImageURL: URL? { media == .movie ? nil : URL(filePath: path) }
  /// The movie, to be read only; nil for a photo.
  ///
  /// Of a Live Photo, it is the movie around the still.
  public let audiovisualURL: URL?
  /// Seconds of the movie; 0 for a photo.
  public let duration: Double
  /// The record to be changed and applied anew; nil when the picture has everything baked in.
  public let adjustmentData: AdjustmentData?
  /// Which version the picture is.
  public let version: Version
  /// How the session relates to what is stored.
  public let kind: SessionKind
  /// Size of the picture as people see it; of a Live Photo, of its still.
  public let size: PixelSize
  /// How the pixels of the still lie in its file; players turn a movie by themselves, so it counts as upright.
  public let orientation: Orientation

  /// The file of the version.
  package let path: String
  /// The still; nil for a movie.
  package let picture: Picture?
  /// What is in the file; nil for a movie of which nothing was recorded to compare it with.
  let digest: Digest?
  package let assetName: String
  /// Whether the original has other metadata than when it was edited, and the same pixels.
  package let hasNewMetadata: Bool
  /// What was stored when the session began.
  package let state: EditState
  private let snapshot: StagingFolder?
  private let movieFacts: MediaFacts

  /// Read when somebody asks: most editors do not.
  private var facts: MediaFacts {
    if let known = state.facts { return known }
    guard let picture else { return movieFacts }
    return MediaFacts(picture.metadata.captureFacts(of: picture.header.format))
  }

  init(
    _ negotiation: Negotiation, _ content: OpenedContent, assetName: String,
    snapshot: StagingFolder?
  ) {
    media = content.media
    path = negotiation.content.path
    audiovisualURL =
      switch content.media {
      case .photo: nil
      case .movie: URL(filePath: negotiation.content.path)
      case .livePhoto: negotiation.movie.map { URL(filePath: $0.path) }
      }
    adjustmentData = negotiation.adjustmentData
    version = negotiation.version
    kind = negotiation.kind
    duration = content.movie?.duration ?? 0
    size = content.picture?.size ?? content.movie?.size ?? PixelSize(width: 0, height: 0)
    orientation = content.picture?.metadata.orientation ?? .up
    picture = content.picture
    uniformTypeIdentifier =
      content.picture?.header.format.uniformTypeIdentifier
      ?? content.movie?.uniformTypeIdentifier ?? "public.data"
    movieFacts = content.movie?.facts ?? MediaFacts()
    digest = content.digest
    self.assetName = assetName
    let recorded = negotiation.content.digest
    hasNewMetadata =
      negotiation.version == .original && recorded != nil && recorded != content.digest
    state = negotiation.state
    self.snapshot = snapshot
  }
}

/// How to ask for an input.
public struct EditingInputRequestOptions: Sendable {
  /// Says whether the editor understands a record; asked at most once, before content is read.
  ///
  /// Yes gives the base together with the data. No, or no closure, gives the current rendering
  /// without the data. A photo that is not edited gives the original, and nobody asks.
  public var canHandleAdjustmentData: (@Sendable (AdjustmentData) -> Bool)?
  /// Told how far reading has come, 0 to 1; false cancels.
  public var progressHandler: (@Sendable (Double) -> Bool)?
  /// What the decoder refuses.
  public var limits = ImageLimits()

  /// Makes the default options: no record is understood.
  public init() {}
}

/// The decision which version a session gets, before any content is read.
struct Negotiation: Sendable {
  let state: EditState
  let version: EditingInput.Version
  let kind: SessionKind
  var content: EditState.Content
  /// The movie around a still.
  var movie: EditState.Content?
  let adjustmentData: AdjustmentData?

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
