// SPDX-License-Identifier: Apache-2.0

/// The medium that a session edits.
public enum EditingMediaType: String, Sendable, Hashable {
  /// A still image.
  case photo
  /// A video; its rendering is a QuickTime movie.
  case movie
  /// A still with a paired video. After a rendering without a video, the asset is a plain still
  /// until it is reverted.
  case livePhoto
}

/// The properties of a video that a session needs.
public struct MovieDescription: Sendable, Hashable {
  /// The size with the orientation applied.
  public var size: PixelSize
  /// The duration in seconds.
  public var duration: Double

  /// The uniform type identifier of the file, such as "com.apple.quicktime-movie".
  public var uniformTypeIdentifier: String
  /// The capture date, location, and subtypes that the file contains.
  public var facts: MediaProperties
  /// The file from which the properties were read, for the renderer, if the store keeps it open.
  package var file = HeldFile()

  /// Creates a description of a video.
  public init(
    size: PixelSize, duration: Double, uniformTypeIdentifier: String,
    facts: MediaProperties = .init()
  ) {
    self.size = size
    self.duration = duration
    self.uniformTypeIdentifier = uniformTypeIdentifier
    self.facts = facts
  }
}

/// A file that is held open together with what was read from it, so that all steps read the same
/// file; of no meaning for comparisons.
package struct HeldFile: Sendable, Hashable {
  package var object: (any AnyObject & Sendable)?

  package static func == (_: HeldFile, _: HeldFile) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}

extension EditingStore {
  /// Throws an error: a store supports only photos unless it implements this method.
  public func describeMovie(at path: String) throws(EditingError) -> MovieDescription {
    throw .photosAlone(path)
  }
}

extension EditingError {
  static func photosAlone(_ path: String) -> EditingError {
    EditingError(
      .requestNotSupportedForAsset, path: path, "this editing store supports only photos")
  }
}

/// Reads the properties of a video without decoding frames.
package typealias MovieReader = @Sendable (String) throws(EditingError) -> MovieDescription

/// The version of a session, opened and checked.
struct OpenedContent {
  var media: EditingMediaType
  var image: ImageSource?
  var movie: MovieDescription?
  var digest: SHA256Digest?
}

extension EditingInput {
  /// Returns the still of the version.
  ///
  /// - Throws: `requestNotSupportedForAsset` for a video.
  package func requireImage() throws(EditingError) -> ImageSource {
    if let image { return image }
    throw EditingError(
      .requestNotSupportedForAsset, path: assetName, "expected a photo, found a video")
  }
}
