// SPDX-License-Identifier: Apache-2.0
import Codecs
import PhotoEditMovies
import Storage

/// Photos that carry their movie in the same file, as phones of Google and Samsung make them.
///
/// The file stays the original, byte for byte. The movie in it is taken out beside it, as QuickTime,
/// so that the asset is a Live Photo like any other.
enum MotionPhoto {
  /// What became of the movie in a photo.
  enum Outcome {
    case movie(StagedResource)
    /// It cannot be taken out; why.
    case kept(String)
  }

  /// Takes the movie out of a photo that has one and no other.
  ///
  /// - Parameter newPath: Gives places for files of the commit.
  /// - Returns: Nil for an asset without such a photo.
  static func split(
    _ resources: [StagedResource], newPath: () throws(LibraryError) -> String
  ) throws(LibraryError) -> Outcome? {
    guard let still = resources.first(where: { $0.type == .photo }),
      let range = still.picture?.motionMovie,
      // A RAW has no place beside a Live Photo.
      !resources.contains(where: { [.pairedVideo, .alternatePhoto].contains($0.type) })
    else { return nil }
    let (inner, staged) = (try newPath(), try newPath())
    try inFiles { () throws(FileError) in
      let bytes = try FileBytes.reading(still.path)
      guard range.upperBound <= bytes.count else {
        throw FileError(.changed, path: still.source, reason: "the file is shorter than it was")
      }
      let file = try OpenFile(creating: inner)
      // The buffer is there for as long as its bytes are.
      defer { withExtendedLifetime(bytes) {} }
      try file.write(UnsafeRawBufferPointer(rebasing: bytes.buffer[range]))
    }
    defer { try? FileSystem.remove(inner) }
    let facts: MovieFacts
    do throws(MovieError) {
      _ = try MoviePassThrough.run(from: inner, to: staged)
      facts = try MovieFacts.reading(staged)
    } catch {
      if case .file(let file) = error { throw LibraryError(file) }
      return .kept("\(error)")
    }
    guard facts.hasPictures, facts.duration > 0, let size = FileVersion(staged)?.size else {
      return .kept("it has no pictures that last")
    }
    let digest = try inFiles { () throws(FileError) in try FileBytes.digest(of: staged) }
    var movie = StagedResource(
      type: .pairedVideo, path: staged, source: still.source, digest: digest, size: size,
      facts: .movie(facts), uniformType: facts.content.uniformType,
      filename: FileSystem.splitName(still.filename).stem + ".mov", consumed: nil)
    movie.isTakenOut = true
    return .movie(movie)
  }

  /// Whether a photo of the library has its movie in the same file.
  static func isOne(_ path: String) -> Bool {
    let limit = ResourceStaging.maximumPictureBytes
    // Whatever cannot be read has no movie that could be told of.
    guard let bytes = try? FileBytes.reading(path, maximumBytes: limit),
      let metadata = try? ImageMetadata.read(bytes)
    else { return false }
    return metadata.motionPhotoRange != nil
  }
}
