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
