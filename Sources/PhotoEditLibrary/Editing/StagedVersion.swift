// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCodecs
import PhotoEditMovieFiles
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage

/// A rendering that is staged but not yet in its final location.
struct StagedVersion {
  var path: String
  var digest: SHA256Digest
  /// The size in bytes.
  var byteCount: Int
  /// The size with the orientation applied.
  var size: PixelSize
  /// The duration in seconds; nil for a still image.
  var duration: Double?
  /// The content identifier that links the still image and the video of a Live Photo.
  var contentIdentifier: String?

  /// The reason why the still image time is invalid for the video; nil if it is valid.
  var stillTimeProblem: String?

  var isMovie: Bool { duration != nil }

  /// Reads the properties of a rendering: an image, or a playable QuickTime movie.
  ///
  /// - Parameter isMovie: The required kind; nil for either.
  init(reading path: String, isMovie: Bool? = nil) throws(EditingError) {
    let container = try translating(
      { EditingError($0 as MovieError, path: path) }, MovieContainer.detect(path: path))
    if container == nil, isMovie != true {
      let bytes = try PhotoEdit.mapFileErrors(FileBytes.reading(path))
      try self.init(still: bytes, at: path)
    } else {
      try self.init(movie: path)
    }
  }

  init(still bytes: FileBytes, at path: String) throws(EditingError) {
    self.path = path
    let image = try translating(
      { EditingError($0 as RenderError, path: path) }, ImageSource(bytes))
    size = image.size
    contentIdentifier = image.metadata.captureFacts(of: .jpeg).contentIdentifier
    (digest, byteCount) = (bytes.digest(), bytes.count)
  }

  private init(movie path: String) throws(EditingError) {
    self.path = path
    let facts = try translating({ EditingError($0, path: path) }) { () throws(MovieError) in
      try PassthroughExport.validateQuickTime(path)
      return try VideoProperties.reading(path)
    }
    (size, duration, contentIdentifier) = (facts.size, facts.duration, facts.contentIdentifier)
    stillTimeProblem = facts.stillTimeProblem
    guard let version = FileVersion(path) else { throw .missingFile(path) }
    byteCount = version.size
    digest = try PhotoEdit.mapFileErrors(FileBytes.digest(of: path))
  }
}

/// The still image and the video of a rendered Live Photo.
struct LivePhotoPair {
  let still: StagedVersion
  let movie: StagedVersion

  /// Checks that both belong together: the same content identifier, the same aspect ratio, and a
  /// still image time within the video.
  ///
  /// - Parameters:
  ///   - stillPath: The path of the still image for error messages.
  ///   - moviePath: The path of the video for error messages.
  func check(_ stillPath: String, _ moviePath: String) throws(EditingError) {
    guard let identifier = still.contentIdentifier, identifier == movie.contentIdentifier else {
      func name(_ identifier: String?) -> String { identifier.map { "'\($0)'" } ?? "none" }
      throw EditingError(
        .invalidResource, path: stillPath,
        "content identifiers do not match (still image: \(name(still.contentIdentifier)), "
          + "video: \(name(movie.contentIdentifier)))",
        hint: "write the same content identifier to both files")
    }
    // Sizes may differ, aspect ratios may not, except for a pixel of rounding in either dimension.
    let difference = still.size.width * movie.size.height - still.size.height * movie.size.width
    guard abs(difference) <= 2 * max(still.size.width, still.size.height) else {
      throw EditingError(
        .invalidResource, path: moviePath,
        "aspect ratios do not match (still image: \(still.size), video: \(movie.size))",
        hint: "crop and rotate both the same way")
    }
    if let problem = movie.stillTimeProblem {
      throw EditingError(
        .invalidResource, path: moviePath, problem,
        hint: "set a still image time within the video, or omit its track")
    }
  }
}

extension EditingError {
  static func missingFile(_ path: String) -> EditingError {
    EditingError(.missingResource, path: path, "file is missing")
  }
}

/// The properties to store for a version that becomes current again.
struct RestoredVersion {
  /// The size with the orientation applied.
  var size: PixelSize
  /// The duration in seconds; nil to leave it unchanged.
  var duration: Double?

  init(size: PixelSize) { self.size = size }

  /// Reads the properties of a file; a video is not read into memory.
  init(reading path: String, _ mediaType: MediaType) throws(EditingError) {
    if mediaType == .video {
      let facts = try translating(
        { EditingError($0 as MovieError, path: path) }, VideoProperties.reading(path))
      (size, duration) = (facts.size, facts.duration)
      return
    }
    let bytes = try PhotoEdit.mapFileErrors(FileBytes.reading(path))
    size = try translating({ EditingError($0 as RenderError, path: path) }, ImageSource(bytes)).size
  }
}
