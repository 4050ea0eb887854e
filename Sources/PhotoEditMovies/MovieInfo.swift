// SPDX-License-Identifier: Apache-2.0

/// What a movie file says about itself.
public struct MovieInfo: Sendable, Hashable {
  /// The container, judged by content.
  public var container: MovieContainer
  /// Seconds of the longest stream.
  public var duration: Double
  /// The streams in file order.
  public var streams: [MovieStream]
  /// Text and numbers about the whole movie, such as "com.apple.quicktime.make" or "©nam".
  public var tags: [String: String]
  /// When the movie was made by its header, in seconds since 1970; nil when that does not say.
  public var creationDate: Double?
}
