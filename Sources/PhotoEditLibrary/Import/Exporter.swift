// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditPlatform
public import PhotoEditStorage

/// Writes the files of assets into a folder.
///
/// A file is written to a temporary path, compared with the digest recorded in the library, synced
/// and then renamed into place. Assets of one export with the same name are numbered.
public struct Exporter: Sendable {
  /// The files of an asset to write.
  public enum Version: String, Sendable, Hashable, CaseIterable {
    /// The imported files.
    case original
    /// The current version, including the video of a Live Photo.
    case current
    /// All files: importing them restores the asset with its edit, which can be resumed.
    ///
    /// An XMP file contains the other properties: title, caption, date, location, favorite flag,
    /// hidden flag and positions in albums. It includes XMP imported with the photo.
    case all
  }

  /// A written file.
  public struct File: Sendable, Hashable {
    /// The path of the file.
    public let path: String
    /// The role of the file.
    public let type: AssetResourceType
    /// The size in bytes.
    public let size: Int
    /// The SHA-256 of the bytes.
    public let digest: SHA256Digest
  }

  let library: PhotoLibrary
  let folder: String
  let version: Version
  let overwrites: Bool
  let joinsMotionPhotos: Bool
  private var names = ExportName()

  /// Creates an exporter for an existing folder.
  ///
  /// A motion photo is exported as one file, edited or not: the original byte for byte, its current
  /// version with the video appended to the image. With `all` the video of an edit is written
  /// next to its still.
  ///
  /// - Parameters:
  ///   - overwrites: Whether existing files are replaced; links and folders never are.
  ///   - joinsMotionPhotos: False to write the videos of motion photos as separate files; the
  ///     original then contains its video as well.
  public init(
    _ library: PhotoLibrary, to folder: URL, version: Version = .current, overwrites: Bool = false,
    joinsMotionPhotos: Bool = true
  ) {
    self.library = library
    self.folder = folder.path
    self.version = version
    self.overwrites = overwrites
    self.joinsMotionPhotos = joinsMotionPhotos
  }

  /// Writes the files of an asset: either all or none of them, unless the system fails between the
  /// renames; the error's path then indicates the files written.
  ///
  /// - Throws: `LibraryError`; `invalidResource` if a file already exists, or if the library's own
  ///   file does not match its recorded digest.
  public mutating func export(_ asset: Asset) throws(LibraryError) -> [File] {
    let resources = try library.resources(of: asset)
    var (selected, join) = try joined(Self.choose(resources, version), of: resources)
    guard let first = selected.first else { throw .noFiles(asset.localIdentifier) }
    let primary = resources.first { ResourceCombination.originals.contains($0.type) } ?? first
    let (ending, version) = (Self.ending(primary), version)
    let sidecar =
      version == .all
      ? FileBytes(
        try library.sidecar(of: asset, keeping: resources.first { $0.type == .sidecar }))
      : nil
    if let sidecar { selected.append(ResourceRecord(sidecar: sidecar)) }
    func name(of resource: ResourceRecord, _ stem: String) -> String {
      Self.name(of: resource, stem, original: ending, version)
    }
    let stem = names.reserve(primary.filename) { stem in selected.map { name(of: $0, stem) } }
    let plans = selected.map { Plan(resource: $0, path: folder + "/" + name(of: $0, stem)) }
    let paths = plans.map(\.path)
    guard Set(paths.map { $0.lowercased() }).count == paths.count else {
      throw .ambiguousExport(asset.localIdentifier)
    }
    for path in paths { try check(path) }
    let staging = try inFiles(StagingFolder(in: folder))
    defer { staging.discard() }
    var files: [File] = []
    for (index, plan) in plans.enumerated() {
      let staged = staging.file("\(index)")
      let written: (digest: SHA256Digest, size: Int)
      if plan.resource.type == .fullSizePhoto, let join {
        written = try join.write(to: staged)
      } else if plan.resource.type == .sidecar, let sidecar {
        try inFiles { () throws(FileError) in
          let file = try OpenFile(creating: staged)
          try file.write(sidecar.buffer)
          try file.sync()
        }
        written = (sidecar.digest(), sidecar.count)
      } else {
        written = try copy(plan, to: staged)
      }
      files.append(
        File(
          path: plan.path, type: plan.resource.type, size: written.size, digest: written.digest))
    }
    for (index, plan) in plans.enumerated() {
      try publish(staging.file("\(index)"), as: plan.path, of: primary)
    }
    try inFiles(FileSystem.syncFolder(folder))
    return files
  }

  private struct Plan {
    let resource: ResourceRecord
    let path: String
  }

  // MARK: Selection

  static func choose(_ resources: [ResourceRecord], _ version: Version) -> [ResourceRecord] {
    func all(_ types: Set<AssetResourceType>) -> [ResourceRecord] {
      resources.filter { types.contains($0.type) }
    }
    switch version {
    case .all: return resources.filter { $0.type != .photoProxy && $0.type != .sidecar }
    case .original: return all([.photo, .video, .audio, .alternatePhoto, .pairedVideo, .sidecar])
    case .current:
      let rendered = all([.fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo])
      return rendered.isEmpty ? all([.photo, .video, .audio, .pairedVideo]) : rendered
    }
  }

  /// Removes videos that are contained in the file of their still or will be embedded in it.
  private func joined(
    _ selected: [ResourceRecord], of resources: [ResourceRecord]
  ) throws(LibraryError) -> ([ResourceRecord], MotionPhotoWriter?) {
    func one(_ type: AssetResourceType, in list: [ResourceRecord]) -> ResourceRecord? {
      list.first { $0.type == type }
    }
    guard joinsMotionPhotos, let original = one(.photo, in: resources),
      let movie = one(.pairedVideo, in: resources),
      MotionPhoto.isInside(
        try path(of: original), movie: try path(of: movie), digest: movie.digest)
    else { return (selected, nil) }
    let rest = selected.filter { $0.type != .pairedVideo }
    guard version == .current, let still = one(.fullSizePhoto, in: selected),
      let edited = one(.fullSizePairedVideo, in: selected),
      let join = try MotionPhotoWriter(still: still, movie: edited, original: original, path: path)
    else { return (rest, nil) }
    return (rest.filter { $0.type != .fullSizePairedVideo }, join)
  }

  /// Returns the extension of an original: that of its name if known, else that of the content.
  private static func ending(_ resource: ResourceRecord) -> String {
    let own = FileSystem.splitName(resource.filename).fileExtension
    let isKnown = FileContent.family(ofExtension: own) != nil
    return isKnown ? own : FileSystem.splitName(resource.file).fileExtension
  }

  /// Returns the file name that importers and the tools of this project recognize.
  private static func name(
    of resource: ResourceRecord, _ stem: String, original: String, _ version: Version
  ) -> String {
    let ending = FileSystem.splitName(resource.file).fileExtension
    switch resource.type {
    case .photo, .video, .audio: return stem + "." + original
    case .alternatePhoto, .pairedVideo, .photoProxy: return stem + "." + Self.ending(resource)
    case .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo:
      return stem + (version == .all ? ".edited." : ".") + ending
    case .adjustmentBasePhoto, .adjustmentBaseVideo, .adjustmentBasePairedVideo:
      return stem + ".base." + ending
    case .adjustmentData: return stem + "." + original + ".aae"
    case .sidecar: return stem + "." + original + "." + ending
    }
  }

  // MARK: Writing

  private func check(_ path: String) throws(LibraryError) {
    let entry = try inFiles(FileSystem.entry(at: path))
    guard let entry else { return }
    guard overwrites, entry == .file else { throw .exportExists(path, isFile: entry == .file) }
  }

  private func copy(
    _ plan: Plan, to staged: String
  ) throws(LibraryError) -> (digest: SHA256Digest, size: Int) {
    let source = try path(of: plan.resource)
    try inFiles(FileSystem.copy(source, to: staged, followsLinks: false))
    let digest = try inFiles(FileBytes.digest(of: staged))
    guard digest.bytes == plan.resource.digest else { throw .damagedFile(source) }
    return (digest, plan.resource.size)
  }

  /// Returns the path of a library file, without following links.
  private func path(of resource: ResourceRecord) throws(LibraryError) -> String {
    try inFiles(library.layout.path(of: resource.file))
  }

  private func publish(
    _ staged: String, as path: String, of original: ResourceRecord
  ) throws(LibraryError) {
    try inFiles { () throws(FileError) in
      let entry = try FileSystem.entry(at: path)
      try FileSystem.publish(
        staged, as: path, replacing: overwrites && entry == .file,
        like: library.layout.path(original.file))
    }
  }
}
