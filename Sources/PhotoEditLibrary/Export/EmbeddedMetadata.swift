// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditMovieFiles
import PhotoEditStorage

/// The properties of an asset that an export writes into copies of its files.
///
/// Only JPEG and QuickTime files are changed, and only those with other values. A Live Photo whose
/// files have no common content identifier gets one.
struct EmbeddedMetadata {
  private let metadata: SidecarMetadata
  private let modificationDate: Double
  /// The reason why the date of the asset is not written; nil if it is.
  private let unwritableDate: String?
  /// The content identifier to write; nil if the files already have one.
  private let pair: String?

  struct Written {
    let digest: SHA256Digest
    let size: Int
    /// The reason why the file does not contain all properties.
    var note: String?
  }

  /// - Parameters:
  ///   - resources: The files to export.
  ///   - place: The names of the place; nil if the file states them or nothing is known.
  ///   - removed: The metadata that the edit has removed, which is not written again.
  ///   - path: Returns the path of a file.
  init(
    _ asset: Asset, _ resources: [ResourceRecord], place: PlaceNames?, removed: MetadataRemoval,
    path: (ResourceRecord) throws(LibraryError) -> String
  ) throws(LibraryError) {
    var metadata = SidecarMetadata(asset)
    metadata.place = place
    metadata.remove(removed)
    self.metadata = metadata
    modificationDate = asset.modificationDate.timeIntervalSince1970
    unwritableDate =
      asset.creationDate == nil || metadata.date != nil
        || !removed.isDisjoint(with: [.dates, .all])
      ? nil : "its date cannot be written: the year is not one of 1 to 9999"
    let still = resources.first { [.photo, .fullSizePhoto].contains($0.type) }
    let movie = resources.first { [.pairedVideo, .fullSizePairedVideo].contains($0.type) }
    guard let still, let movie else {
      pair = nil
      return
    }
    let names = (
      MotionPhoto.metadata(of: try path(still))?.captureFacts(of: nil).contentIdentifier,
      (try? PassthroughExport.inspect(try path(movie)))?.contentIdentifier
    )
    let isPaired = names.0 != nil && names.0 == names.1
    pair =
      isPaired ? nil : names.1 ?? names.0 ?? String(asset.localIdentifier.prefix { $0 != "/" })
  }

  /// Writes a file with the properties; returns nil if it already has them or is of another kind.
  func write(
    _ resource: ResourceRecord, _ path: String, to staged: String
  ) throws(LibraryError) -> Written? {
    switch resource.type {
    case .photo, .fullSizePhoto:
      guard resource.uniformType == ImageFormat.jpeg.uniformTypeIdentifier else { return nil }
      let bytes = try read(resource, path)
      guard let (jpeg, note) = embed(into: bytes.array) else { return nil }
      return try translating(LibraryError.init) { () throws(FileError) in
        let file = try OpenFile(creating: staged)
        try file.write(jpeg)
        try file.sync()
        return Written(digest: SHA256Digest(of: jpeg), size: jpeg.count, note: note)
      }
    case .video, .fullSizeVideo, .pairedVideo, .fullSizePairedVideo:
      return try writeMovie(resource, path, to: staged)
    default: return nil
    }
  }

  private func read(_ resource: ResourceRecord, _ path: String) throws(LibraryError) -> FileBytes {
    let bytes = try inFiles(
      FileBytes.reading(path, maximumBytes: ResourceStager.maximumImageBytes))
    guard bytes.digest().bytes == resource.digest else { throw .damagedFile(path) }
    return bytes
  }

  /// Returns a JPEG with the properties; nil if it has them.
  func embed(into jpeg: [UInt8]) -> (jpeg: [UInt8], note: String?)? {
    var changed = jpeg
    let outcome = MetadataEmbedding.embed(metadata, at: modificationDate, into: &changed)
    var note = unwritableDate
    if outcome == .impossible { note = "its metadata cannot be written into the file" }
    if let pair, !ContentIdentifierPatch.write(pair, into: &changed) {
      note = "the image cannot contain a content identifier"
    }
    return changed == jpeg && note == nil ? nil : (changed, note)
  }

  // MARK: Videos

  private func writeMovie(
    _ resource: ResourceRecord, _ path: String, to staged: String
  ) throws(LibraryError) -> Written? {
    guard let info = try? PassthroughExport.inspect(path), info.container == .quickTime else {
      return nil
    }
    let edits = resource.type.isPaired ? pair.map { [.contentIdentifier($0)] } ?? [] : edits(info)
    guard !edits.isEmpty || unwritableDate != nil else { return nil }
    let digest = try inFiles(FileBytes.digest(of: path))
    guard digest.bytes == resource.digest else { throw .damagedFile(path) }
    var note = unwritableDate
    var isWritten = false
    if !edits.isEmpty {
      do throws(MovieError) {
        _ = try MovieRewriter.run(from: path, to: staged, edits: edits)
        isWritten = true
      } catch {
        note = "its metadata cannot be written: \(error)"
      }
    }
    if !isWritten { try inFiles(FileSystem.copy(path, to: staged, followsLinks: false)) }
    let written = try inFiles(FileBytes.digest(of: staged))
    guard let size = FileVersion(staged)?.size else { throw .damagedFile(staged) }
    return Written(digest: written, size: size, note: note)
  }

  /// Returns the changes of a video that make its properties those of the asset.
  private func edits(_ info: MovieInfo) -> [MovieEdit] {
    let current = VideoProperties(info)
    var edits: [MovieEdit] = []
    func set(_ name: String, _ old: String?, _ new: String?) {
      guard old != new else { return }
      edits.append(.text(key: "com.apple.quicktime." + name, value: new))
    }
    set("title", current.title, metadata.title)
    set("description", current.caption, metadata.caption)
    let keywords = metadata.tags.keywords.map { KeywordPath.name($0) }.joined(separator: ",")
    set(
      "keywords", info.tags["com.apple.quicktime.keywords"], keywords.isEmpty ? nil : keywords)
    set(
      "rating.user", info.tags["com.apple.quicktime.rating.user"],
      metadata.tags.rating.map { "\($0)" })
    if let date = metadata.date {
      let old = current.media.creationDate?.timeIntervalSince1970
      let isEqual = old.map { abs($0 - date.seconds) < 1 } ?? false
      if !isEqual || current.media.utcOffset != date.offset {
        edits.append(
          .creationDate(
            MovieDate(seconds: Int(date.seconds.rounded(.down)), utcOffset: date.offset ?? 0)))
      }
    }
    let new = metadata.latitude.flatMap { latitude in
      metadata.longitude.flatMap {
        MovieLocation(latitude: latitude, longitude: $0, altitude: metadata.altitude)
      }
    }
    let old = current.media.location.flatMap {
      MovieLocation(latitude: $0.latitude, longitude: $0.longitude, altitude: $0.altitude)
    }
    // Values in a video have four decimal places.
    if new?.description != old?.description { edits.append(.location(new)) }
    return edits
  }
}
