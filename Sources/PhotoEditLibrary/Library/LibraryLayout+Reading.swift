// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditStorage

/// Reading what is in a library: never through a symbolic link, in the place of a file or of any
/// folder above it, because what a link leads to is not the library's.
extension LibraryLayout {
  /// Reads a file of the library; the path is relative to it.
  func read(
    _ file: String, maximumBytes: Int = 4 << 30
  ) throws(FileError) -> FileBytes {
    try FileBytes.reading(path(file), maximumBytes: maximumBytes, followsLinks: false)
  }

  /// Hashes a file of the library.
  func digest(of file: String) throws(FileError) -> Digest {
    try FileBytes.digest(of: path(file), followsLinks: false)
  }

  /// The whole path of a file of the library, for those who open it by name.
  ///
  /// - Throws: `FileError` of the kind `missing` where there is none, or a link in its place.
  func place(of file: String) throws(FileError) -> String {
    guard try hasFolder(FileSystem.folder(of: file)),
      try FileSystem.entry(at: path(file)) == .file
    else {
      throw FileError(.missing, path: path(file), reason: "the library's file is not there")
    }
    return path(file)
  }

  /// The whole path of a file of the library, which need not be there.
  ///
  /// - Throws: `FileError` of the kind `notRegular` where a link leads elsewhere.
  func unlinkedPath(_ file: String) throws(FileError) -> String {
    guard try hasFolder(FileSystem.folder(of: file)),
      try FileSystem.entry(at: path(file)) == .other
    else { return path(file) }
    throw .noFileOfLibrary(path(file))
  }

  /// Whether a file of the library is there.
  func isFile(_ file: String) -> Bool {
    do throws(FileError) {
      _ = try place(of: file)
      return true
    } catch {
      return false
    }
  }

  /// Names in a folder of the library; a link to a folder, which the check reports, has none.
  func names(_ folder: String) throws(LibraryError) -> [String] {
    guard FileSystem.isFolderAndNoLink(path(folder)) else { return [] }
    return try inFiles(FileSystem.names(in: path(folder)))
  }

  // MARK: Manifests

  /// Manifests hold a million members; their texts have no bound but this.
  static let manifestLimits = JSONLimits(
    maximumBytes: 1 << 30, maximumStringBytes: 64 << 20, maximumArrayCount: 1 << 25)

  /// Reads the JSON of a manifest; nil where there is none that can be read.
  func json(_ file: String) -> JSONValue? {
    do throws(LibraryError) { return try soundJSON(file) } catch { return nil }
  }

  /// Reads the JSON of a manifest; nil where there is none, or something else.
  ///
  /// - Throws: `LibraryError` when the system cannot read what is there: nobody may take it for
  ///   less than it is and write over it.
  func soundJSON(_ file: String) throws(LibraryError) -> JSONValue? {
    let bytes: FileBytes
    do throws(FileError) {
      bytes = try read(file, maximumBytes: Self.manifestLimits.maximumBytes)
    } catch {
      switch error.kind {
      case .missing, .empty, .notRegular, .tooLarge: return nil
      default: throw LibraryError(error)
      }
    }
    do throws(JSONError) {
      return try JSONValue(parsing: bytes.array, limits: Self.manifestLimits)
    } catch {
      return nil
    }
  }

  /// The manifest in the folder of an asset; nil where there is none of it.
  ///
  /// - Throws: The same as `soundJSON(_:)`.
  func assetManifest(_ uuid: UUID) throws(LibraryError) -> AssetManifest? {
    let json = try soundJSON(assetFolder(uuid) + "/" + AssetManifest.name)
    let manifest = json.flatMap { AssetManifest($0) }
    return manifest?.uuid == uuid ? manifest : nil
  }

  /// The folders of assets, whether the database knows them or not.
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

  /// The manifests of albums and folders, whether the database knows them or not.
  func collectionManifests() throws(LibraryError) -> [String] {
    var files: [String] = []
    for prefix in try names(Self.collectionsName) {
      let folder = Self.collectionsName + "/" + prefix
      files += try names(folder).filter { $0.hasSuffix(".json") }.map { folder + "/" + $0 }
    }
    return files
  }

  /// The highest number of a commit in any manifest; 0 when none names one.
  func latestCommitOfManifests() throws(LibraryError) -> Int64 {
    var latest: Int64 = 0
    for folder in try assetFolders() {
      let manifest = try soundJSON(folder + "/" + AssetManifest.name)
      latest = max(latest, ManifestCommit(manifest?["commit"])?.number ?? 0)
    }
    for file in try collectionManifests() {
      let manifest = try soundJSON(file)
      latest = max(latest, ManifestCommit(manifest?["collection"]?["commit"])?.number ?? 0)
    }
    return latest
  }
}
