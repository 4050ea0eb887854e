// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditMovieFiles
public import PhotoEditPixels
import PhotoEditRendering

/// A still and the movie around it, as they are shown.
///
/// Requests deliver a Live Photo in steps: the still alone, perhaps small, and in the end both parts.
/// It holds the still's pixels and only the place of the movie; `LivePhotoEditingContext` edits one.
public struct LivePhoto: Sendable, Hashable {
  /// The still, upright: 8-bit gray or RGB in sRGB.
  public let still: SampleImage
  /// The movie's file and what is in it; nil in deliveries before the last one.
  public let movie: AssetMovie?
  /// What ties still and movie together; nil where it is not known yet, and for a movie that was
  /// paired without it, such as one out of a motion photo.
  public let contentIdentifier: String?
  /// The files behind the parts that are here, the still first; none for a placeholder.
  public let resources: [AssetResource]

  init(
    still: SampleImage, movie: AssetMovie? = nil, contentIdentifier: String? = nil,
    resources: [AssetResource] = []
  ) {
    self.still = still
    self.movie = movie
    self.contentIdentifier = contentIdentifier
    self.resources = resources
  }

  /// The size in pixels at which the still was delivered.
  public var size: PixelSize { still.size }
  /// Seconds of the movie; nil as long as there is none.
  public var duration: Double? { movie?.info.duration }
  /// The moment that the still shows, in seconds from the beginning of the movie; the middle where
  /// the movie does not say it, nil as long as there is none.
  public var photoTime: Double? { movie?.info.photoTime }
}

extension LivePhoto {
  /// Asks for the Live Photo that two files are, such as those of an export.
  ///
  /// The call returns at once; the handler is called on a thread of its own: with the placeholder
  /// where there is one, with a small copy from the still's own file where it has one, with the still
  /// alone, all of these marked as degraded, and exactly once with `isLast`: with both parts, or with
  /// nil and the reason. Files that carry different content identifiers, or none, end with
  /// `invalidResource`.
  ///
  /// - Parameters:
  ///   - resourceFiles: A still and a QuickTime movie in any order, told apart by their content. They
  ///     are only read, and must stay where they are for as long as the Live Photo is used.
  ///   - placeholder: Shown until there is something better.
  ///   - targetSize: Of the still, in pixels; an empty one keeps its size. Nothing is enlarged.
  /// - Returns: A name by which the request can be cancelled.
  @discardableResult
  public static func request(
    resourceFiles: [URL], placeholder: SampleImage? = nil, targetSize: PixelSize,
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

  /// Cancels a request for files, whose handler is told so; one that has ended stays as it is.
  public static func cancelRequest(_ id: ImageRequestID) { requests.cancel(id) }

  /// The Live Photo that two files are, with both parts; see `request(resourceFiles:placeholder:
  /// targetSize:contentMode:resultHandler:)`.
  ///
  /// - Throws: `LibraryError`; `userCancelled` when the task is cancelled.
  public static func reading(
    resourceFiles: [URL], targetSize: PixelSize, contentMode: ImageContentMode = .aspectFit
  ) async throws(LibraryError) -> LivePhoto {
    try await requests.awaitResult { handler in
      request(
        resourceFiles: resourceFiles, targetSize: targetSize, contentMode: contentMode,
        resultHandler: handler)
    }
  }

  private static let requests = ImageRequests()
}
