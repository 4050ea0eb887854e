// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditMovieFiles
import PhotoEditStorage

/// Extracts the embedded videos of motion photos, as created by Google and Samsung phones.
///
/// The file stays the original, byte for byte. Its video is extracted to a separate QuickTime file,
/// so that the asset is a regular Live Photo.
enum MotionPhoto {
  enum Outcome {
    case movie(StagedResource)
    /// The video cannot be extracted, for this reason.
    case notExtracted(String)
  }

  /// Extracts the video of a photo that has an embedded video and no other.
  ///
  /// - Parameter newPath: Returns paths for files of the commit.
  /// - Returns: Nil for an asset without such a photo.
  static func split(
    _ resources: [StagedResource], newPath: () throws(LibraryError) -> String
  ) throws(LibraryError) -> Outcome? {
    guard let still = resources.first(where: { $0.type == .photo }), let image = still.image,
      // A RAW cannot be combined with a Live Photo.
      !resources.contains(where: { [.pairedVideo, .alternatePhoto].contains($0.type) })
    else { return nil }
    guard let range = image.motionMovie else {
      return image.hasBrokenMovie ? .notExtracted("its boxes are incomplete") : nil
    }
    let (inner, staged) = (try newPath(), try newPath())
    try translating(LibraryError.init) { () throws(FileError) in
      let bytes = try FileBytes.reading(still.path)
      guard range.upperBound <= bytes.count else {
        throw FileError(.changed, path: still.source, reason: "file was truncated")
      }
      let file = try OpenFile(creating: inner)
      // Keeps the buffer alive while its bytes are in use.
      defer { withExtendedLifetime(bytes) {} }
      try file.write(UnsafeRawBufferPointer(rebasing: bytes.buffer[range]))
    }
    defer { try? FileSystem.remove(inner) }
    let facts: VideoProperties
    do throws(MovieError) {
      try extract(inner, to: staged, photoTime: image.motionTime)
      facts = try VideoProperties.reading(staged)
    } catch {
      if case .file(let file) = error { throw LibraryError(file) }
      return .notExtracted("\(error)")
    }
    guard facts.hasVideo, facts.duration > 0, let size = FileVersion(staged)?.size else {
      return .notExtracted("it has no frames or no duration")
    }
    let digest = try inFiles(FileBytes.digest(of: staged))
    var movie = StagedResource(
      type: .pairedVideo, path: staged, source: still.source, digest: digest, size: size,
      facts: .movie(facts), uniformType: facts.content.uniformType,
      filename: FileSystem.splitName(still.filename).stem + ".mov", consumed: nil)
    movie.isExtracted = true
    return .movie(movie)
  }

  /// Converts the video to QuickTime and adds the still image time.
  private static func extract(
    _ inner: String, to staged: String, photoTime: Double?
  ) throws(MovieError) {
    let info = try PassthroughExport.inspect(inner)
    if let photoTime, info.stillImageTime == nil, photoTime <= info.duration {
      do throws(MovieError) {
        _ = try MovieRewriter.run(from: inner, to: staged, edits: [.stillImageTime(photoTime)])
        return
      } catch {
        // If the video cannot have another track, the still image time is omitted.
        guard case .impossibleEdit = error else { throw error }
      }
    }
    _ = try PassthroughExport.run(from: inner, to: staged, digestsStreams: false)
  }

  /// Returns whether the video of a Live Photo is the one embedded in its still.
  ///
  /// A separately imported video has a content identifier or is a different video.
  ///
  /// - Parameters:
  ///   - path: The path of the still.
  ///   - movie: The path of the video.
  ///   - digest: The SHA-256 of the video.
  static func isInside(_ path: String, movie: String, digest: [UInt8]) -> Bool {
    guard let embedded = embeddedMovie(in: path) else { return false }
    if embedded.bytes == digest { return true }
    // An extracted video was converted to QuickTime and has no identifier.
    let facts = try? VideoProperties.reading(movie)
    return facts.map { $0.contentIdentifier == nil } ?? true
  }

  /// Returns the digest of the video inside a still; nil if there is no video, or the file cannot be
  /// read.
  ///
  /// - Parameter range: The bytes of the video; nil if unknown.
  static func embeddedMovie(in path: String, _ range: Range<Int>? = nil) -> SHA256Digest? {
    guard let bytes = read(path),
      let range = range ?? (try? ImageMetadata.read(bytes))?.motionPhotoRange,
      range.upperBound <= bytes.count
    else { return nil }
    var builder = DigestBuilder()
    // Keeps the buffer alive while its bytes are in use.
    withExtendedLifetime(bytes) {
      builder.update(UnsafeRawBufferPointer(rebasing: bytes.buffer[range]))
    }
    return builder.finish()
  }

  /// Returns the digest of the video inside a staged still, if any.
  static func embeddedMovie(of still: StagedResource) -> SHA256Digest? {
    still.image?.motionMovie.flatMap { embeddedMovie(in: still.path, $0) }
  }

  /// Returns the metadata of a still; nil if it cannot be read.
  static func metadata(of path: String) -> ImageMetadata? {
    read(path).flatMap { try? ImageMetadata.read($0) }
  }

  private static func read(_ path: String) -> FileBytes? {
    try? FileBytes.reading(path, maximumBytes: ResourceStager.maximumImageBytes)
  }
}

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
