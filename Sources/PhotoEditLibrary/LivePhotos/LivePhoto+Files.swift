// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
public import PhotoEditPixels
import PhotoEditRendering

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
