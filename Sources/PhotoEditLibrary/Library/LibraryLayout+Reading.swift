// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditStorage

/// Reading the contents of a library without following symbolic links, either to a file or to any
/// folder above it, because their targets are outside the library.
extension LibraryLayout {
  /// Reads a file of the library; the path is relative to it.
  func read(
    _ file: String, maximumBytes: Int = 4 << 30
  ) throws(FileError) -> FileBytes {
    try FileBytes.reading(path(file), maximumBytes: maximumBytes, followsLinks: false)
  }

  func digest(of file: String) throws(FileError) -> SHA256Digest {
    try FileBytes.digest(of: path(file), followsLinks: false)
  }

  /// Returns the full path of a file of the library, to open it by path.
  ///
  /// - Throws: `FileError` of the kind `missing` if it does not exist or is a link.
  func path(of file: String) throws(FileError) -> String {
    guard try hasFolder(FileSystem.folder(of: file)),
      try FileSystem.entry(at: path(file)) == .file
    else {
      throw FileError(.missing, path: path(file), reason: "library file is missing")
    }
    return path(file)
  }

  /// Returns the full path of a file of the library, which need not exist.
  ///
  /// - Throws: `FileError` of the kind `notRegular` if it is a link or special file.
  func unlinkedPath(_ file: String) throws(FileError) -> String {
    guard try hasFolder(FileSystem.folder(of: file)),
      try FileSystem.entry(at: path(file)) == .other
    else { return path(file) }
    throw .noFileOfLibrary(path(file))
  }

  func isFile(_ file: String) -> Bool { (try? path(of: file)) != nil }

  /// Returns the names in a folder of the library; none for a link, which the check reports.
  func names(_ folder: String) throws(LibraryError) -> [String] {
    guard FileSystem.isFolderAndNoLink(path(folder)) else { return [] }
    return try inFiles(FileSystem.names(in: path(folder)))
  }

  // MARK: Manifests

  /// Manifests may have a million members; these are the only limits for their strings.
  static let manifestLimits = JSONLimits(
    maximumBytes: 1 << 30, maximumStringBytes: 64 << 20, maximumArrayCount: 1 << 25)

  /// Returns the JSON of a manifest; nil if it is missing or unreadable.
  func json(_ file: String) -> JSONValue? {
    try? validJSON(file)
  }

  /// Returns the JSON of a manifest; nil if it is missing or invalid.
  ///
  /// - Throws: `LibraryError` if the system cannot read an existing file, so that it is not
  ///   mistaken for an invalid one and overwritten.
  func validJSON(_ file: String) throws(LibraryError) -> JSONValue? {
    let bytes: FileBytes
    do throws(FileError) {
      bytes = try read(file, maximumBytes: Self.manifestLimits.maximumBytes)
    } catch {
      switch error.kind {
      case .missing, .empty, .notRegular, .outside, .tooLarge: return nil
      default: throw LibraryError(error)
      }
    }
    return try? JSONValue(parsing: bytes.array, limits: Self.manifestLimits)
  }

  /// Returns the manifest in the folder of an asset; nil if it is missing or of another asset.
  ///
  /// - Throws: The same as `validJSON(_:)`.
  func assetManifest(_ uuid: UUID) throws(LibraryError) -> AssetManifest? {
    let json = try validJSON(assetFolder(uuid) + "/" + AssetManifest.name)
    let manifest = json.flatMap { AssetManifest($0) }
    return manifest?.uuid == uuid ? manifest : nil
  }

  /// Returns the folders of assets, whether or not they are in the database.
  func assetFolders() throws(LibraryError) -> [String] {
    var folders: [String] = []
    for prefix in try names(Self.assetsName) {
      for name in try names(Self.assetsName + "/" + prefix) {
        let folder = "\(Self.assetsName)/\(prefix)/\(name)"
        guard Self.isFileOfAsset(folder + "/x"), FileSystem.isFolderAndNoLink(path(folder)) else {
          continue
        }
        folders.append(folder)
      }
    }
    return folders
  }

  /// Returns the manifests of albums and folders, whether or not they are in the database.
  func collectionManifests() throws(LibraryError) -> [String] {
    var files: [String] = []
    for prefix in try names(Self.collectionsName) {
      let folder = Self.collectionsName + "/" + prefix
      files += try names(folder).filter { $0.hasSuffix(".json") }.map { folder + "/" + $0 }
    }
    return files
  }

  /// Returns the highest commit number in any manifest; 0 without any.
  func latestCommitOfManifests() throws(LibraryError) -> Int64 {
    var latest: Int64 = 0
    for folder in try assetFolders() {
      let manifest = try validJSON(folder + "/" + AssetManifest.name)
      latest = max(latest, ManifestCommit(manifest?["commit"])?.number ?? 0)
    }
    for file in try collectionManifests() {
      let manifest = try validJSON(file)
      latest = max(latest, ManifestCommit(manifest?["collection"]?["commit"])?.number ?? 0)
    }
    return latest
  }
}

extension LibraryLayout {
  /// Reads the XMP file among the files of an asset; nil without one.
  func sidecar(in resources: [ResourceRecord]) throws(FileError) -> SidecarMetadata? {
    guard let file = resources.first(where: { $0.type == .sidecar })?.file else { return nil }
    return SidecarMetadata(file: try read(file, maximumBytes: SidecarMetadata.maximumBytes))
  }
}
