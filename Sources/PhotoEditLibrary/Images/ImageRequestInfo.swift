// SPDX-License-Identifier: Apache-2.0

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
