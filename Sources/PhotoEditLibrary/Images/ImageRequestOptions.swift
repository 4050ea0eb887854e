// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels
import Synchronization

/// The ways to fit an image to the target size of a request; the raw values match PhotoKit.
public enum ImageContentMode: Int, Sendable, Hashable, CaseIterable {
  /// The whole image fits inside the target size.
  case aspectFit = 0
  /// The image covers the target size.
  case aspectFill = 1
}

/// The versions of an asset's image; the raw values match PhotoKit.
public enum ImageVersion: Int, Sendable, Hashable, CaseIterable {
  /// The current version: the rendering of the edit, or else the original.
  case current = 0
  /// The original without edits; of a RAW file and its JPEG, the JPEG.
  case unadjusted = 1
  /// The original with the most data; of a RAW file and its JPEG, the RAW file.
  case original = 2
}

/// The priorities of speed and quality; the raw values match PhotoKit.
public enum ImageDeliveryMode: Int, Sendable, Hashable, CaseIterable {
  /// The image that is available immediately, marked as degraded, followed by the requested image.
  case opportunistic = 0
  /// The requested image, once.
  case highQuality = 1
  /// The image that is available immediately, or otherwise the requested image; once, and possibly
  /// degraded.
  case fast = 2
}

/// The ways to resize an image to the target size; the raw values match PhotoKit.
public enum ImageResizeMode: Int, Sendable, Hashable, CaseIterable {
  /// The image keeps its size.
  case none = 0
  /// The image is reduced, never enlarged, and not cropped.
  case fast = 1
  /// The image has exactly the target size: aspect fill crops it, and a smaller one is enlarged.
  ///
  /// With aspect fit at least one side matches the target size.
  case exact = 2
}

/// The options of an image request besides asset and size.
public struct ImageRequestOptions: Sendable {
  /// Receives the progress of a request, from 0 to 1; setting the flag cancels the request.
  public typealias ProgressHandler = @Sendable (_ progress: Double, _ stop: inout Bool) -> Void

  /// The version of the asset.
  public var version = ImageVersion.current
  /// The priority of speed or quality.
  public var deliveryMode = ImageDeliveryMode.opportunistic
  /// The way to resize an image to the target size.
  public var resizeMode = ImageResizeMode.fast
  /// The part of the oriented image to return; requires the exact `resizeMode`.
  public var normalizedCropRect: NormalizedRect?
  /// Indicates whether the handler is called once, on the calling thread, before the call returns.
  public var isSynchronous = false
  /// Receives the progress, on a thread of the manager's choice.
  public var progressHandler: ProgressHandler?
  /// Has no effect: everything is stored on this machine.
  public var isNetworkAccessAllowed = false

  /// Creates the default options: the current version, opportunistically.
  public init() {}
}

/// The identifier of an image request: nonzero and unique within the process.
public struct ImageRequestID: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: Int

  /// Creates an identifier from its number.
  public init(rawValue: Int) { self.rawValue = rawValue }
}

/// Additional information about the result of an image request.
public struct ImageRequestInfo: Sendable {
  /// The identifier of the request.
  public let requestID: ImageRequestID
  /// Indicates whether the image is smaller or older than requested.
  public let isDegraded: Bool
  /// Indicates whether the request was canceled, by its identifier or by its progress handler.
  public let isCancelled: Bool
  /// The reason why there is no image.
  public let error: LibraryError?
  /// Indicates whether the content is not stored on this machine; always false.
  public let isInCloud = false
  /// Indicates whether this is the last call of the handler.
  public let isLast: Bool
}

/// Reports the progress of a request and records whether its handler asked to stop.
final class ImageProgress: Sendable {
  private let handler: ImageRequestOptions.ProgressHandler?
  private let stops = Atomic(false)

  init(_ handler: ImageRequestOptions.ProgressHandler?) { self.handler = handler }

  var isStopped: Bool { stops.load(ordering: .relaxed) }

  /// Reports the progress.
  ///
  /// - Throws: The error of a canceled request if the handler asks to stop.
  func report(_ progress: Double) throws(LibraryError) {
    var stop = false
    handler?(progress, &stop)
    guard stop else { return }
    stops.store(true, ordering: .relaxed)
    throw .imageCancelled
  }
}
