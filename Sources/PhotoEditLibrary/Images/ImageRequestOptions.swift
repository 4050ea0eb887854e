// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// How a picture lies in the target size of a request; the numbers are PhotoKit's.
public enum ImageContentMode: Int, Sendable, Hashable, CaseIterable {
  /// All of the picture lies inside of the target size.
  case aspectFit = 0
  /// The picture covers the target size.
  case aspectFill = 1
}

/// Which picture of an asset is wanted; the numbers are PhotoKit's.
public enum ImageVersion: Int, Sendable, Hashable, CaseIterable {
  /// As people see it: the rendering of the edit, or what came in.
  case current = 0
  /// What came in, without edits; of a RAW file and its JPEG, the JPEG.
  case unadjusted = 1
  /// What came in, with the most in it; of a RAW file and its JPEG, the RAW file.
  case original = 2
}

/// What counts more, time or quality; the numbers are PhotoKit's.
public enum ImageDeliveryMode: Int, Sendable, Hashable, CaseIterable {
  /// What there is at once, marked as degraded, and then the picture as it was asked for.
  case opportunistic = 0
  /// The picture as it was asked for, once.
  case highQuality = 1
  /// What there is at once, or else the picture as it was asked for; once, and perhaps degraded.
  case fast = 2
}

/// What becomes of a picture of another size; the numbers are PhotoKit's.
public enum ImageResizeMode: Int, Sendable, Hashable, CaseIterable {
  /// It stays as large as it is.
  case none = 0
  /// It is made small, never enlarged, and nothing is cut off.
  case fast = 1
  /// It has exactly the target size: a picture that fills it is cut to it, a smaller one enlarged.
  ///
  /// One that fits meets the target size with one side at least.
  case exact = 2
}

/// What a request for a picture says besides asset and size.
public struct ImageRequestOptions: Sendable {
  /// Told how far a request is, from 0 to 1; setting the flag cancels it.
  public typealias ProgressHandler = @Sendable (_ progress: Double, _ stop: inout Bool) -> Void

  /// Which picture of the asset is wanted.
  public var version = ImageVersion.current
  /// What counts more, time or quality.
  public var deliveryMode = ImageDeliveryMode.opportunistic
  /// What becomes of a picture of another size.
  public var resizeMode = ImageResizeMode.fast
  /// The part of the upright picture that is wanted; needs `resizeMode` to be exact.
  public var normalizedCropRect: NormalizedRegion?
  /// Whether the handler is called once, on the calling thread, before the call returns.
  public var isSynchronous = false
  /// Told of progress, on a thread of the manager's choice.
  public var progressHandler: ProgressHandler?
  /// Without effect: everything is on this machine.
  public var isNetworkAccessAllowed = false

  /// Makes the usual options: the current version, opportunistically.
  public init() {}
}
