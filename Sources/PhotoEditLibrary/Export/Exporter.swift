// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditCodecs
import PhotoEditPlatform
public import PhotoEditRendering
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
    /// An XMP file contains the other properties: title, caption, keywords, rating, label, date,
    /// location, favorite flag, hidden flag and positions in albums. It includes XMP imported with the photo.
    case all
  }

  /// A written file.
  public struct File: Sendable, Hashable {
    /// The path of the file.
    public internal(set) var path: String
    /// The role of the file.
    public let type: AssetResourceType
    /// The size in bytes.
    public let size: Int
    /// The SHA-256 of the bytes.
    public let digest: SHA256Digest
    /// The reason why the file does not contain all properties of the asset; nil if it does.
    public var note: String?
  }

  let library: PhotoLibrary
  let folder: String
  let version: Version
  let overwrites: Bool
  let joinsMotionPhotos: Bool
  /// Indicates whether an XMP file is written with every version.
  var writesSidecars = false
  /// Indicates whether the current version gets title, caption, keywords, rating, label, people,
  /// date, location and place of the asset if its file has other values.
  ///
  /// Only JPEG, QuickTime and MPEG-4 files can be changed; `File.note` states what another file does not
  /// get. Original files are never changed.
  public var embedsMetadata = true
  /// Indicates whether `Version.all` names the files of an edit as Apple's programs do: "IMG_1.AAE"
  /// for its adjustment data, and "IMG_E1.JPG" for its rendering if the original is "IMG_1.…".
  public var usesAppleNames = false
  /// The shape of copies for the web or for print, as JPEG files, which are written of photos in
  /// place of their current version; nil to write that itself.
  ///
  /// Videos of Live Photos are left out. Other videos are written as they are.
  public var copies: CopyShape?
  /// Called while a copy is rendered; `true` ends the rendering.
  var isCancelled: @Sendable () -> Bool = { false }
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
    let selection = try select(asset)
    let stem = names.reserve(selection.primary.filename) { selection.names($0) }
    let overwrites = overwrites
    return try write(selection, in: folder, stem) { _ in overwrites }
  }

  /// The files of an asset to write.
  struct Selection {
    let asset: String
    fileprivate var resources: [ResourceRecord]
    fileprivate let join: MotionPhotoWriter?
    let primary: ResourceRecord
    /// The extension of the original, or of the rendering that is written in its place.
    let fileExtension: String
    fileprivate let sidecar: FileBytes?
    fileprivate let naming: Naming
    fileprivate let embedded: EmbeddedMetadata?
    fileprivate let copies: CopyShape?

    func names(_ stem: String) -> [String] {
      resources.map { naming.name(of: $0, stem, original: fileExtension) }
    }
  }

  /// The names of the files of an asset, which importers and the tools of this project recognize.
  fileprivate struct Naming {
    let version: Version
    let isApple: Bool

    func name(of resource: ResourceRecord, _ stem: String, original: String) -> String {
      let ending = FileSystem.splitName(resource.file).fileExtension
      switch resource.type {
      case .photo, .video, .audio: return stem + "." + original
      case .alternatePhoto, .pairedVideo, .photoProxy: return stem + "." + Exporter.ending(resource)
      case .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo:
        if version != .all { return stem + "." + ending }
        return renderedName(stem, ending)
      case .adjustmentBasePhoto, .adjustmentBaseVideo, .adjustmentBasePairedVideo:
        return stem + ".base." + ending
      case .adjustmentData: return stem + (isApple ? ".AAE" : "." + original + ".aae")
      case .sidecar: return stem + "." + original + "." + ending
      }
    }

    /// Only names that end in digits have a form for renderings that Apple's programs recognize.
    private func renderedName(_ stem: String, _ ending: String) -> String {
      let (start, number) = (stem.prefix(4), stem.dropFirst(4))
      guard isApple, start.uppercased() == "IMG_", !number.isEmpty,
        number.allSatisfy({ $0.isASCII && $0.isNumber })
      else { return stem + ".edited." + ending }
      return start + "E" + number + "." + ending.uppercased()
    }
  }

  func select(_ asset: Asset) throws(LibraryError) -> Selection {
    let resources = try library.resources(of: asset)
    let copies = version == .current ? copies : nil
    var (selected, join) =
      copies == nil
      ? try joined(Self.choose(resources, version), of: resources)
      : (Self.choose(copiesOf: Self.choose(resources, version)), nil)
    guard let first = selected.first else { throw .noFiles(asset.localIdentifier) }
    let primary = resources.first { ResourceCombination.originals.contains($0.type) } ?? first
    // An XMP file has the name of the file next to it, which may be a rendering.
    let described =
      selected.first { ResourceCombination.originals.contains($0.type) }
      ?? selected.first { [.fullSizePhoto, .fullSizeVideo].contains($0.type) } ?? primary
    let writesMetadata = embedsMetadata || writesSidecars
    let removed = version == .current && writesMetadata ? try removedMetadata(resources) : []
    let sidecar =
      version == .all || writesSidecars
      ? FileBytes(
        try library.sidecar(of: asset, resources, isComplete: version == .all, removed: removed))
      : nil
    if let sidecar {
      selected = selected.filter { $0.type != .sidecar } + [ResourceRecord(sidecar: sidecar)]
    }
    let embedded =
      version == .current && embedsMetadata && copies?.keepsOnlyCopyright != true
      ? try EmbeddedMetadata(
        asset, selected, place: library.placeNames(of: asset, resources), removed: removed,
        path: path) : nil
    let isCopy = copies != nil && selected.contains { $0.isStill }
    return Selection(
      asset: asset.localIdentifier, resources: selected, join: join, primary: primary,
      fileExtension: isCopy
        ? "jpg"
        : ResourceCombination.originals.contains(described.type)
          ? Self.ending(described) : FileSystem.splitName(described.file).fileExtension,
      sidecar: sidecar, naming: Naming(version: version, isApple: usesAppleNames),
      embedded: embedded, copies: copies)
  }

  /// Returns the metadata that the edit has removed from the current version.
  private func removedMetadata(
    _ resources: [ResourceRecord]
  ) throws(LibraryError) -> MetadataRemoval {
    guard let record = resources.first(where: { $0.type == .adjustmentData }),
      resources.contains(where: { [.fullSizePhoto, .fullSizeVideo].contains($0.type) })
    else { return [] }
    return MetadataRemoval(
      adjustmentData: try inFiles(
        library.layout.read(record.file, maximumBytes: SidecarMetadata.maximumBytes).array))
  }

  /// Writes the selected files into a folder.
  ///
  /// - Parameters:
  ///   - links: Files of the same asset with other paths, to which hard links are created.
  ///   - adoptsEqualFiles: Whether an existing file with the same bytes stays.
  ///   - replaces: Returns whether the file at a path is replaced.
  func write(
    _ selection: Selection, in folder: String, _ stem: String, links: [File] = [],
    adoptsEqualFiles: Bool = false, replaces: (String) -> Bool
  ) throws(LibraryError) -> [File] {
    let paths = selection.names(stem).map { folder + "/" + $0 }
    guard Set(paths.map { $0.lowercased() }).count == paths.count else {
      throw .ambiguousExport(selection.asset)
    }
    if !adoptsEqualFiles { for path in paths { try check(path, replaces) } }
    let staging = try inFiles(StagingFolder(in: folder))
    defer { staging.discard() }
    var files: [File] = []
    for (index, resource) in selection.resources.enumerated() {
      let staged = staging.file("\(index)")
      let written: (digest: SHA256Digest, size: Int)
      var note: String?
      if let shape = selection.copies, resource.isStill {
        let file = try write(
          shape, of: resource, at: path(of: resource), with: selection.embedded, to: staged)
        written = (file.digest, file.size)
        note = file.note
      } else if resource.type == .fullSizePhoto, let join = selection.join {
        (written, note) = try join.write(to: staged, with: selection.embedded)
      } else if resource.type == .sidecar, let sidecar = selection.sidecar {
        try translating(LibraryError.init) { () throws(FileError) in
          let file = try OpenFile(creating: staged)
          try file.write(sidecar.buffer)
          try file.sync()
        }
        written = (sidecar.digest(), sidecar.count)
      } else if let file = try selection.embedded?.write(resource, path(of: resource), to: staged) {
        written = (file.digest, file.size)
        note = file.note
      } else {
        written = try copy(resource, to: staged)
        note = selection.embedded?.note(on: resource, try path(of: resource))
      }
      if selection.copies?.keepsOnlyCopyright == true,
        [.video, .audio, .fullSizeVideo].contains(resource.type)
      {
        note = Self.keptMetadata
      }
      files.append(
        File(
          path: paths[index], type: resource.type, size: written.size, digest: written.digest,
          note: note))
    }
    for (index, file) in files.enumerated() {
      if adoptsEqualFiles {
        if FileVersion(file.path)?.size == file.size,
          try inFiles(FileSystem.entry(at: file.path)) == .file,
          try inFiles(FileBytes.digest(of: file.path)) == file.digest
        {
          continue
        }
        try check(file.path, replaces)
      }
      let staged = staging.file("\(index)")
      if let other = links.first(where: { $0.digest == file.digest && $0.type == file.type }) {
        try translating(LibraryError.init) { () throws(FileError) in
          try FileSystem.remove(staged)
          try FileSystem.duplicate(other.path, to: staged)
        }
      }
      try publish(staged, as: file.path, of: selection.primary, replaces)
    }
    try inFiles(FileSystem.syncFolder(folder))
    return files
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
  fileprivate static func ending(_ resource: ResourceRecord) -> String {
    let own = FileSystem.splitName(resource.filename).fileExtension
    let isKnown = FileContent.family(ofExtension: own) != nil
    return isKnown ? own : FileSystem.splitName(resource.file).fileExtension
  }

  // MARK: Writing

  private func check(_ path: String, _ replaces: (String) -> Bool) throws(LibraryError) {
    let entry = try inFiles(FileSystem.entry(at: path))
    guard let entry else { return }
    guard entry == .file, replaces(path) else { throw .exportExists(path, isFile: entry == .file) }
  }

  private func copy(
    _ resource: ResourceRecord, to staged: String
  ) throws(LibraryError) -> (digest: SHA256Digest, size: Int) {
    let source = try path(of: resource)
    try inFiles(FileSystem.copy(source, to: staged, followsLinks: false))
    let digest = try inFiles(FileBytes.digest(of: staged))
    guard digest.bytes == resource.digest else { throw .damagedFile(source) }
    return (digest, resource.size)
  }

  /// Returns the path of a library file, without following links.
  private func path(of resource: ResourceRecord) throws(LibraryError) -> String {
    try inFiles(library.layout.path(of: resource.file))
  }

  private func publish(
    _ staged: String, as path: String, of original: ResourceRecord, _ replaces: (String) -> Bool
  ) throws(LibraryError) {
    try translating(LibraryError.init) { () throws(FileError) in
      let entry = try FileSystem.entry(at: path)
      try FileSystem.publish(
        staged, as: path, replacing: entry == .file && replaces(path),
        like: library.layout.path(original.file))
    }
  }
}
