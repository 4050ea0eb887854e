// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCodecs
import PhotoEditMovieFiles
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage

/// A rendering that waits for its place.
struct StagedVersion {
  var path: String
  var digest: Digest
  /// Bytes.
  var byteCount: Int
  /// As people see it.
  var size: PixelSize
  /// Seconds; nil for a still.
  var duration: Double?
  /// What ties still and movie of a Live Photo together.
  var contentIdentifier: String?

  /// Why the moment that the still shows cannot be one of the movie; nil when it can.
  var stillTimeProblem: String?

  var isMovie: Bool { duration != nil }

  /// Looks at a rendering: a picture, or a QuickTime movie that plays.
  ///
  /// - Parameter isMovie: What it has to be; nil for either.
  init(reading path: String, isMovie: Bool? = nil) throws(EditingError) {
    let container: MovieContainer?
    do throws(MovieError) { container = try MovieContainer.detect(path: path) } catch {
      throw EditingError(error, path: path)
    }
    if container == nil, isMovie != true {
      let bytes = try PhotoEdit.filing { () throws(FileError) in try FileBytes.reading(path) }
      try self.init(still: bytes, at: path)
    } else {
      try self.init(movie: path)
    }
  }

  /// Looks at the bytes of a picture.
  init(still bytes: FileBytes, at path: String) throws(EditingError) {
    self.path = path
    do throws(RenderError) {
      let picture = try Picture(bytes)
      size = picture.size
      contentIdentifier = picture.metadata.captureFacts(of: .jpeg).contentIdentifier
    } catch {
      throw EditingError(error, path: path)
    }
    (digest, byteCount) = (bytes.digest(), bytes.count)
  }

  private init(movie path: String) throws(EditingError) {
    self.path = path
    do throws(MovieError) {
      try MoviePassThrough.validateQuickTime(path)
      let facts = try MovieFacts.reading(path)
      (size, duration, contentIdentifier) = (facts.size, facts.duration, facts.contentIdentifier)
      stillTimeProblem = facts.stillTimeProblem
    } catch {
      throw EditingError(error, path: path)
    }
    guard let version = FileVersion(path) else { throw .missingFile(path) }
    byteCount = version.size
    digest = try PhotoEdit.filing { () throws(FileError) in try FileBytes.digest(of: path) }
  }
}

/// Still and movie of the rendering of a Live Photo.
struct LivePhotoPair {
  let still: StagedVersion
  let movie: StagedVersion

  /// Makes sure that both belong together: the same content identifier and the same shape, and a
  /// moment of the still that is one of the movie.
  ///
  /// - Parameters:
  ///   - stillPath: Where people know the still.
  ///   - moviePath: Where people know the movie.
  func check(_ stillPath: String, _ moviePath: String) throws(EditingError) {
    guard let identifier = still.contentIdentifier, identifier == movie.contentIdentifier else {
      func name(_ identifier: String?) -> String { identifier.map { "'\($0)'" } ?? "none" }
      throw EditingError(
        .invalidResource, path: stillPath,
        "still and movie are no Live Photo: the content identifier of the still is "
          + "\(name(still.contentIdentifier)), that of the movie \(name(movie.contentIdentifier))",
        hint: "write the same identifier into both")
    }
    // Sizes differ, shapes do not, but for the pixel that rounding takes on either side.
    let difference = still.size.width * movie.size.height - still.size.height * movie.size.width
    guard abs(difference) <= 2 * max(still.size.width, still.size.height) else {
      throw EditingError(
        .invalidResource, path: moviePath,
        "still and movie are of different shapes: \(still.size) and \(movie.size)",
        hint: "crop and turn both alike")
    }
    if let problem = movie.stillTimeProblem {
      throw EditingError(
        .invalidResource, path: moviePath, problem,
        hint: "set the still-image time to a moment of the movie, or leave its track out")
    }
  }
}

extension EditingError {
  static func missingFile(_ path: String) -> EditingError {
    EditingError(.missingResource, path: path, "the file is gone")
  }
}
