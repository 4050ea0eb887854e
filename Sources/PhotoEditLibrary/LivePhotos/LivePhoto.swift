// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditMovieFiles
public import PhotoEditPixels
import PhotoEditRendering

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
}

extension LivePhoto {
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
    try await requests.awaitResult { handler in
      request(
        resourceFiles: resourceFiles, targetSize: targetSize, contentMode: contentMode,
        resultHandler: handler)
    }
  }

  private static let requests = ImageRequests()
}
