// SPDX-License-Identifier: Apache-2.0

/// Names a request for a picture; never 0, and given once in a process.
public struct ImageRequestID: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: Int

  /// Makes a name from its number.
  public init(rawValue: Int) { self.rawValue = rawValue }
}

/// What a request for a picture says besides the picture.
public struct ImageRequestInfo: Sendable {
  /// Which request it is.
  public let requestID: ImageRequestID
  /// Whether the picture is smaller or older than what was asked for.
  public let isDegraded: Bool
  /// Whether the request was cancelled, by its name or by its progress handler.
  public let isCancelled: Bool
  /// Why there is no picture.
  public let error: LibraryError?
  /// Whether the content is not on this machine; always false.
  public let isInCloud = false
  /// Whether the handler is called again.
  public let isLast: Bool
}
