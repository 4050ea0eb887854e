// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
public import PhotoEditPixels

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
