// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditMovieFiles
import PhotoEditStorage

/// Writes the current version of a motion photo as one file: the image followed by the video.
struct MotionPhotoWriter {
  /// The image without the metadata that states the length of the video that follows.
  private let still: [UInt8]
  private let movie: FileBytes
  private let moviePath: String
  private let photoTime: Double?

  /// Prepares the file; returns nil for an image that has no space for the required metadata.
  ///
  /// - Parameters:
  ///   - original: The imported file, which may contain the still image time.
  ///   - path: Returns the path of a resource.
  /// - Throws: `LibraryError` for files that do not match their recorded digests.
  init?(
    still: ResourceRecord, movie: ResourceRecord, original: ResourceRecord,
    path: (ResourceRecord) throws(LibraryError) -> String
  ) throws(LibraryError) {
    func content(of resource: ResourceRecord) throws(LibraryError) -> FileBytes {
      let path = try path(resource)
      let bytes = try inFiles(
        FileBytes.reading(path, maximumBytes: ResourceStager.maximumImageBytes))
      guard bytes.digest().bytes == resource.digest else { throw .damagedFile(path) }
      return bytes
    }
    let jpeg = try content(of: still).array
    self.movie = try content(of: movie)
    moviePath = try path(movie)
    photoTime = Self.photoTime(movie: moviePath, original: try path(original))
    self.still = jpeg
    guard announcing(in: jpeg) != nil else { return nil }
  }

  /// Returns an image with the metadata that states the length of the video; nil without space.
  private func announcing(in jpeg: [UInt8]) -> [UInt8]? {
    var jpeg = jpeg
    return MotionPhotoPatch.announce(
      movieOf: movie.count, "video/quicktime", photoTime: photoTime, in: &jpeg) ? jpeg : nil
  }

  /// Returns the still image time of the video or else the original; skips unreadable files.
  private static func photoTime(movie: String, original: String) -> Double? {
    if let info = try? PassthroughExport.inspect(movie), let time = info.stillImageTime {
      return time
    }
    return MotionPhoto.metadata(of: original)?.motionPhotoTime
  }

  /// Writes the file and verifies that the video is found in it.
  ///
  /// - Parameter embedded: Properties to write into the image; nil for none.
  /// - Returns: The digest, the size in bytes, and the reason why properties are missing.
  func write(
    to staged: String, with embedded: EmbeddedMetadata?
  ) throws(LibraryError) -> ((digest: SHA256Digest, size: Int), note: String?) {
    let described = embedded?.embed(into: self.still)
    let still = described.flatMap { announcing(in: $0.jpeg) } ?? announcing(in: self.still) ?? []
    let written = try translating(LibraryError.init) { () throws(FileError) in
      let file = try OpenFile(creating: staged)
      // Keeps the buffer alive while its bytes are in use.
      defer { withExtendedLifetime(movie) {} }
      try file.write(still)
      try file.write(movie.buffer)
      try file.sync()
      return try FileBytes.reading(staged)
    }
    let movieRange = still.count..<(still.count + movie.count)
    guard written.count == movieRange.upperBound,
      // Unreadable metadata means that the video cannot be found.
      let metadata = try? ImageMetadata.read(jpeg: written), metadata.motionPhotoRange == movieRange
    else {
      throw LibraryError(
        .invalidResource, path: moviePath, "video cannot be embedded in a motion photo",
        hint: "export the still image and the video as two files")
    }
    return ((written.digest(), written.count), described?.note)
  }
}
