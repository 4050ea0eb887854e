// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditMovieFiles
public import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage

/// A still and its paired video, ready for display.
///
/// Requests deliver a Live Photo in steps: first the still alone, possibly small, and finally both
/// parts. It holds the still's pixels but only the path of the video; use `LivePhotoEditingContext`
/// to edit one.
public struct LivePhoto: Sendable, Hashable {
  /// The still, oriented `up`: 8-bit gray or RGB in sRGB.
  public let still: ImageBuffer
  /// The video's file and properties; nil in deliveries before the last one.
  public let movie: AssetVideo?
  /// The identifier that pairs still and video; nil while it is unknown, and for a video that was
  /// paired without it, such as one from a motion photo.
  public let contentIdentifier: String?
  /// The files of the available parts, the still first; empty for a placeholder.
  public let resources: [AssetResource]

  init(
    still: ImageBuffer, movie: AssetVideo? = nil, contentIdentifier: String? = nil,
    resources: [AssetResource] = []
  ) {
    self.still = still
    self.movie = movie
    self.contentIdentifier = contentIdentifier
    self.resources = resources
  }

  /// The size in pixels at which the still was delivered.
  public var size: PixelSize { still.size }
  /// The duration of the video in seconds; nil while there is no video.
  public var duration: Double? { movie?.info.duration }
  /// The still image time, in seconds from the start of the video; the middle if the video does not
  /// specify it, nil while there is no video.
  public var photoTime: Double? { movie?.info.photoTime }

  /// Requests the Live Photo formed by two files, such as those of an export.
  ///
  /// The call returns immediately. The handler is called on a thread of its own: with the
  /// placeholder if there is one, with a small copy embedded in the still's file if it has one,
  /// with the still alone, all of these marked as degraded, and exactly once with `isLast`: with
  /// both parts, or with nil and the reason. Files with different content identifiers, or without
  /// any, end with `invalidResource`.
  ///
  /// - Parameters:
  ///   - resourceFiles: A still and a QuickTime movie in any order, distinguished by their content.
  ///     They are only read, and must remain at their paths while the Live Photo is in use.
  ///   - placeholder: Shown until a better image is available.
  ///   - targetSize: The size of the still in pixels; if empty, it is unchanged. Nothing is
  ///     enlarged.
  /// - Returns: An identifier for canceling the request.
  @discardableResult
  public static func request(
    resourceFiles: [URL], placeholder: ImageBuffer? = nil, targetSize: PixelSize,
    contentMode: ImageContentMode = .aspectFit,
    resultHandler: @escaping @Sendable (LivePhoto?, ImageRequestInfo) -> Void
  ) -> ImageRequestID {
    requests.submit(isSynchronous: false, resultHandler) { request throws(LibraryError) in
      if let placeholder { request.deliverEarly(LivePhoto(still: placeholder)) }
      let shape = try ImageRequestOptions().shape(
        targetSize.isEmpty ? ImageManager.maximumSize : targetSize, contentMode)
      let files = try LivePhotoFiles(resourceFiles.map(\.path))
      return (try files.livePhoto(shape, request), isDegraded: false)
    }
  }

  /// Cancels a request for files; its handler is notified.
  ///
  /// Has no effect on one that has ended.
  public static func cancelRequest(_ id: ImageRequestID) { requests.cancel(id) }

  /// Returns the Live Photo formed by two files, with both parts; see
  /// `request(resourceFiles:placeholder:targetSize:contentMode:resultHandler:)`.
  ///
  /// - Throws: `LibraryError`; `userCancelled` when the task is canceled.
  public static func reading(
    resourceFiles: [URL], targetSize: PixelSize, contentMode: ImageContentMode = .aspectFit
  ) async throws(LibraryError) -> LivePhoto {
    try await requests.awaitResult { _, handler in
      request(
        resourceFiles: resourceFiles, targetSize: targetSize, contentMode: contentMode,
        resultHandler: handler)
    }
  }

  private static let requests = ImageRequests()
}

/// A still and a video outside any library.
struct LivePhotoFiles {
  private let still: String
  private let movie: String

  /// Determines which file is the still and which the video.
  init(_ paths: [String]) throws(LibraryError) {
    var (stills, movies) = ([String](), [String]())
    for path in paths.prefix(3) {
      let head = try ResourceStager.head(of: path)
      if FileContent.container(head) == nil { stills.append(path) } else { movies.append(path) }
    }
    guard let still = stills.first, let movie = movies.first, paths.count == 2 else {
      throw .noPair(paths)
    }
    (self.still, self.movie) = (still, movie)
  }

  /// Reads both files, delivers intermediate results to a request and checks the pairing.
  func livePhoto(
    _ shape: ThumbnailShape, _ request: ImageRequest<LivePhoto>
  ) throws(LibraryError) -> LivePhoto {
    let staged = try stage(still, .photo)
    let resource = AssetResource(outside: staged)
    let identifier = staged.contentIdentifier
    func deliver(_ image: ImageBuffer) {
      request.deliverEarly(
        LivePhoto(still: image, contentIdentifier: identifier, resources: [resource]))
    }
    let bytes = try inFiles(FileBytes.reading(still))
    let source = try ThumbnailGenerator.source(bytes, still)
    if let early = Thumbnailer.embeddedThumbnail(of: source, shape: shape) { deliver(early.image) }
    let image = try ThumbnailGenerator(path: still, isCancelled: { request.isCancelled })
      .image(of: source, shape)
    deliver(image)
    if request.isCancelled { throw .imageCancelled }
    let stagedMovie = try stage(movie, .pairedVideo)
    guard let identifier, identifier == stagedMovie.contentIdentifier else {
      throw .differentIdentifiers(staged, stagedMovie)
    }
    return LivePhoto(
      still: image, movie: try AssetVideo(at: movie), contentIdentifier: identifier,
      resources: [resource, AssetResource(outside: stagedMovie)])
  }

  /// Reads a file as if it were imported, without copying it.
  private func stage(
    _ path: String, _ type: AssetResourceType
  ) throws(LibraryError) -> StagedResource {
    let options = AssetResourceCreationOptions()
    return try ResourceStager.stage(
      ResourceSource(type: type, origin: .file(path), options: options), to: nil)
  }
}

extension LibraryError {
  static let partOfLivePhoto = LibraryError(
    .changeNotSupported, "cropping a Live Photo is not supported",
    hint: "omit normalizedCropRect, or request the still image with requestImage")

  static func noLivePhoto(_ identifier: String) -> LibraryError {
    LibraryError(
      .requestNotSupportedForAsset, "the asset is not a Live Photo", identifiers: [identifier])
  }

  fileprivate static func noPair(_ paths: [String]) -> LibraryError {
    let names = paths.isEmpty ? ["none"] : paths.prefix(3).map(FileSystem.lastName)
    return LibraryError(
      .invalidResource, path: paths.first,
      "expected one still image and one video, found \(names.joined(separator: ", "))",
      hint: "pass the still image file and the video file")
  }

  fileprivate static func differentIdentifiers(
    _ still: StagedResource, _ movie: StagedResource
  ) -> LibraryError {
    let error = unpaired(
      still: still.source, still.contentIdentifier, movie: movie.filename, movie.contentIdentifier)
    return LibraryError(
      error.code, path: error.path, error.message, hint: "pass the two files of one Live Photo")
  }
}
