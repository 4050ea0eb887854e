// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditMovieFiles
import PhotoEditStorage

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
    guard let still = resources.first(where: { $0.type == .photo }), let picture = still.picture,
      // A RAW has no place beside a Live Photo.
      !resources.contains(where: { [.pairedVideo, .alternatePhoto].contains($0.type) })
    else { return nil }
    guard let range = picture.motionMovie else {
      return picture.hasBrokenMovie ? .kept("its boxes are not whole") : nil
    }
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
      try takeOut(inner, to: staged, photoTime: picture.motionTime)
      facts = try MovieFacts.reading(staged)
    } catch {
      if case .file(let file) = error { throw LibraryError(file) }
      return .kept("\(error)")
    }
    guard facts.hasPictures, facts.duration > 0, let size = FileVersion(staged)?.size else {
      return .kept("it has no pictures that last")
    }
    let digest = try inFiles(FileBytes.digest(of: staged))
    var movie = StagedResource(
      type: .pairedVideo, path: staged, source: still.source, digest: digest, size: size,
      facts: .movie(facts), uniformType: facts.content.uniformType,
      filename: FileSystem.splitName(still.filename).stem + ".mov", consumed: nil)
    movie.isTakenOut = true
    return .movie(movie)
  }

  /// Makes QuickTime of the movie, which then knows the moment of the picture as well.
  private static func takeOut(
    _ inner: String, to staged: String, photoTime: Double?
  ) throws(MovieError) {
    let info = try MoviePassThrough.inspect(inner)
    if let photoTime, info.stillImageTime == nil, photoTime <= info.duration {
      do throws(MovieError) {
        _ = try MovieRewriter.run(from: inner, to: staged, edits: [.stillImageTime(photoTime)])
        return
      } catch {
        // A movie that takes no further track is as good without.
        guard case .impossibleEdit = error else { throw error }
      }
    }
    _ = try MoviePassThrough.run(from: inner, to: staged)
  }

  /// Whether the movie of a Live Photo is the one in the file of its still.
  ///
  /// A movie that came by itself says to which still it belongs, or is another one.
  ///
  /// - Parameters:
  ///   - path: The still.
  ///   - movie: Where the movie is.
  ///   - digest: The SHA-256 of the movie.
  static func isInside(_ path: String, movie: String, digest: [UInt8]) -> Bool {
    guard let bytes = read(path), let metadata = try? ImageMetadata.read(bytes),
      let range = metadata.motionPhotoRange
    else { return false }
    var builder = DigestBuilder()
    // The buffer is there for as long as its bytes are.
    withExtendedLifetime(bytes) {
      builder.update(UnsafeRawBufferPointer(rebasing: bytes.buffer[range]))
    }
    if builder.finish().bytes == digest { return true }
    // It was made QuickTime when it was taken out, and has no identifier.
    let facts = try? MovieFacts.reading(movie)
    return facts.map { $0.contentIdentifier == nil } ?? true
  }

  /// The metadata of a still; nil for one that cannot be read.
  static func metadata(of path: String) -> ImageMetadata? {
    // Whatever cannot be read says nothing.
    read(path).flatMap { try? ImageMetadata.read($0) }
  }

  private static func read(_ path: String) -> FileBytes? {
    // A file that is not there has no movie that could be told of.
    try? FileBytes.reading(path, maximumBytes: ResourceStaging.maximumPictureBytes)
  }
}
