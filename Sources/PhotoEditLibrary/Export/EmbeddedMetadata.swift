// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditMovieFiles
import PhotoEditStorage

/// The properties of an asset that an export writes into copies of its files.
///
/// Only JPEG, QuickTime and MPEG-4 files are changed, and only those with other values. A Live Photo
/// whose files have no common content identifier gets one.
struct EmbeddedMetadata {
  let metadata: SidecarMetadata
  let modificationDate: Double
  /// The reason why the date of the asset is not written; nil if it is.
  let unwritableDate: String?
  /// The content identifier to write; nil if the files already have one.
  let pair: String?
  /// Indicates whether a metadata file is written as well.
  let hasSidecar: Bool

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
    hasSidecar = resources.contains { $0.type == .sidecar }
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
      let bytes = try Self.read(resource, path)
      guard let (jpeg, note) = embed(into: bytes.array) else { return nil }
      return try Self.write(jpeg, note, to: staged)
    case .video, .audio, .fullSizeVideo, .pairedVideo, .fullSizePairedVideo:
      return try writeMovie(resource, path, to: staged)
    default: return nil
    }
  }

  /// Writes a new file.
  static func write(
    _ jpeg: [UInt8], _ note: String?, to staged: String
  ) throws(LibraryError) -> Written {
    try translating(LibraryError.init) { () throws(FileError) in
      let file = try OpenFile(creating: staged)
      try file.write(jpeg)
      try file.sync()
      return Written(digest: SHA256Digest(of: jpeg), size: jpeg.count, note: note)
    }
  }

  /// Reads the file of an image, which must have its recorded bytes.
  static func read(_ resource: ResourceRecord, _ path: String) throws(LibraryError) -> FileBytes {
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
}
