// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditMovieFiles
import PhotoEditStorage

/// The current version of a motion photo on its way into one file: the picture, and the movie
/// behind it.
struct MotionPhotoJoin {
  /// The picture, which says that a movie of that length follows.
  private let still: [UInt8]
  private let movie: FileBytes
  private let moviePath: String

  /// Prepares the join; nil for a picture that has no place for what is to be said.
  ///
  /// - Parameters:
  ///   - original: The file that came, which may know the moment of the picture.
  ///   - path: Where in the file system a resource lies.
  /// - Throws: `LibraryError` for files that are not what they were.
  init?(
    still: ResourceRecord, movie: ResourceRecord, original: ResourceRecord,
    path: (ResourceRecord) throws(LibraryError) -> String
  ) throws(LibraryError) {
    func content(of resource: ResourceRecord) throws(LibraryError) -> FileBytes {
      let path = try path(resource)
      let bytes = try inFiles(
        FileBytes.reading(path, maximumBytes: ResourceStaging.maximumPictureBytes))
      guard bytes.digest().bytes == resource.digest else { throw .damagedFile(path) }
      return bytes
    }
    var jpeg = try content(of: still).array
    self.movie = try content(of: movie)
    moviePath = try path(movie)
    let time = Self.photoTime(movie: moviePath, original: try path(original))
    guard
      MotionPhotoPatch.announce(movieOf: movie.size, "video/quicktime", photoTime: time, in: &jpeg)
    else { return nil }
    self.still = jpeg
  }

  /// What cannot be read does not know the moment.
  private static func photoTime(movie: String, original: String) -> Double? {
    if let info = try? MoviePassThrough.inspect(movie), let time = info.stillImageTime {
      return time
    }
    return MotionPhoto.metadata(of: original)?.motionPhotoTime
  }

  /// Writes the file and makes sure that the movie is found in it.
  ///
  /// - Returns: Its digest and its size in bytes.
  func write(to staged: String) throws(LibraryError) -> (digest: Digest, size: Int) {
    let written = try inFiles { () throws(FileError) in
      let file = try OpenFile(creating: staged)
      // The buffer is there for as long as its bytes are.
      defer { withExtendedLifetime(movie) {} }
      try file.write(still)
      try file.write(movie.buffer)
      try file.sync()
      return try FileBytes.reading(staged)
    }
    let place = still.count..<(still.count + movie.count)
    guard written.count == place.upperBound,
      // Whatever is wrong with it, the movie is not found.
      let metadata = try? ImageMetadata.read(jpeg: written), metadata.motionPhotoRange == place
    else {
      throw LibraryError(
        .invalidResource, path: moviePath, "the movie cannot stand behind a picture",
        hint: "export still and movie as two files")
    }
    return (written.digest(), written.count)
  }
}
