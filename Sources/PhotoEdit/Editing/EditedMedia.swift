// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels
package import PhotoEditRendering
import PhotoEditStorage

/// What a session edits.
public enum EditedMedia: String, Sendable, Hashable {
  /// A still.
  case photo
  /// A movie; its rendering is QuickTime.
  case movie
  /// A still with a movie around it. A rendering without a movie makes it a plain still until it is
  /// reverted.
  case livePhoto
}

/// What a session is told of a movie.
public struct EditedMovie: Sendable, Hashable {
  /// As people see it.
  public var size: PixelSize
  /// Seconds.
  public var duration: Double

  /// The type of the file, such as "com.apple.quicktime-movie".
  public var uniformTypeIdentifier: String
  /// What it says of its taking.
  public var facts: MediaFacts

  /// Makes a description.
  public init(
    size: PixelSize, duration: Double, uniformTypeIdentifier: String, facts: MediaFacts = .init()
  ) {
    self.size = size
    self.duration = duration
    self.uniformTypeIdentifier = uniformTypeIdentifier
    self.facts = facts
  }
}

extension EditingStore {
  /// Refuses: a store keeps photos unless it says how movies are looked at.
  public func describeMovie(at path: String) throws(EditingError) -> EditedMovie {
    throw .photosAlone(path)
  }
}

extension EditingError {
  static func photosAlone(_ path: String) -> EditingError {
    EditingError(
      .requestNotSupportedForAsset, path: path, "sessions of this store edit photos alone")
  }
}

/// Looks at a movie; no frame is read.
package typealias MovieReader = @Sendable (String) throws(EditingError) -> EditedMovie

/// The version of a session, opened and checked.
struct OpenedContent {
  var media: EditedMedia
  var picture: Picture?
  var movie: EditedMovie?
  var digest: Digest?
}

extension EditingInput {
  /// The still of the version.
  ///
  /// - Throws: `requestNotSupportedForAsset` for a movie.
  package func requirePicture() throws(EditingError) -> Picture {
    if let picture { return picture }
    throw EditingError(
      .requestNotSupportedForAsset, path: assetName, "it is a movie and not a photo")
  }
}
