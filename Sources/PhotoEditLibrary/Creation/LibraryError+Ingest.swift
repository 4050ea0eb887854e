// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The error messages for creating assets from files.
extension LibraryError {
  /// Replaces the path of the staged copy by that of the source, which is known to the user.
  init(_ error: FileError, insteadOf staged: String, _ source: String) {
    let path = error.path == staged ? source : error.path
    self.init(FileError(error.kind, path: path, reason: error.reason))
  }

  // MARK: Combination

  static func unsupportedCombination(_ types: [AssetResourceType]) -> LibraryError {
    let names = types.isEmpty ? "no file" : types.map { "\($0)" }.joined(separator: ", ")
    return LibraryError(
      .changeNotSupported, "cannot create an asset from \(names)",
      hint: "see AssetCreationRequest.supportsAssetResourceTypes for valid combinations")
  }

  // MARK: Content

  static func emptyResource(_ path: String) -> LibraryError {
    LibraryError(FileError(.empty, path: path, reason: "file is empty"))
  }

  static func changedResource(_ path: String) -> LibraryError {
    LibraryError(
      FileError(.changed, path: path, reason: "changed while being read"),
      "file changed while being read", hint: "import it again when it is no longer being written")
  }

  static func linkedSource(_ path: String, names: Int) -> LibraryError {
    LibraryError(
      .invalidResource, path: path,
      "file has \(names) hard links and cannot be moved",
      hint: "import without --move")
  }

  static func symbolicSource(_ path: String) -> LibraryError {
    LibraryError(
      .invalidResource, path: path, "symbolic link cannot be moved", hint: "import without --move")
  }

  static func outsidePhotosLibrary(_ path: String, _ name: String) -> LibraryError {
    LibraryError(
      .invalidResource, path: path,
      "the original of \(name) is outside of the library and of the folders to import",
      hint: "also name the folder that contains it")
  }

  static func movedPhotosLibrary(_ path: String) -> LibraryError {
    LibraryError(
      .invalidResource, path: path,
      "a library of Apple Photos, iPhoto or Aperture is not changed, so its files cannot be moved",
      hint: "import it without --move")
  }

  static func nestedLibrary(_ path: String) -> LibraryError {
    LibraryError(
      .invalidResource, path: path,
      "a library of photoedit, whose files are not imported one by one",
      hint:
        "run 'photoedit asset export --all --variant all --library \(path) -o DIR' and import DIR")
  }

  /// The error of a library in an archive, under a name in it.
  static func nestedLibrary(_ path: String, _ name: String, in archive: String) -> LibraryError {
    LibraryError(
      .invalidResource, path: path, nestedLibrary(path).message,
      hint: "unpack \(FileSystem.lastName(of: archive)), run 'photoedit asset export --all "
        + "--variant all --library \(name) -o DIR' in its folder, and import DIR")
  }

  static func openSource(_ path: String) -> LibraryError {
    LibraryError(
      .invalidResource, path: path, "file is open in another process",
      hint: "close it, or import without --move")
  }

  static func unreadableResource(
    _ path: String, _ reason: String, hint: String? = nil
  ) -> LibraryError {
    LibraryError(.invalidResource, path: path, reason, hint: hint)
  }

  static func wrongContent(
    _ path: String, _ type: AssetResourceType, found: String
  ) -> LibraryError {
    LibraryError(
      .invalidResource, path: path, "expected \(type.expectation), found \(found)")
  }

  static func contradictedType(_ path: String, stated: String, found: String) -> LibraryError {
    LibraryError(.invalidResource, path: path, "declared as \(stated), found \(found)")
  }

  static func unpaired(
    still: String, _ stillIdentifier: String?, movie: String, _ movieIdentifier: String?
  ) -> LibraryError {
    func name(_ identifier: String?) -> String { identifier.map { "\"\($0)\"" } ?? "none" }
    return LibraryError(
      .invalidResource, path: still,
      "content identifiers do not match (still image: \(name(stillIdentifier)), "
        + "\(movie): \(name(movieIdentifier)))",
      hint: "import the files separately")
  }

  static func stillTimeOutOfRange(_ movie: String, _ problem: String) -> LibraryError {
    LibraryError(
      .invalidResource, path: movie, problem,
      hint: "set a still image time within the video")
  }

  // MARK: Export

  static func noFiles(_ identifier: String) -> LibraryError {
    LibraryError(
      .missingResource, "\(identifier) has no files to export", identifiers: [identifier])
  }

  static func ambiguousExport(_ identifier: String) -> LibraryError {
    LibraryError(
      .invalidResource, "two files of \(identifier) would get the same name",
      hint: "export only the original or only the current version", identifiers: [identifier])
  }

  static func exportExists(_ path: String, isFile: Bool) -> LibraryError {
    LibraryError(
      .invalidResource, path: path,
      isFile ? "file already exists" : "exists and is not a regular file",
      hint: isFile ? "choose another folder, or use --force to overwrite" : nil,
      file: FileError(.exists, path: path, reason: "already exists"))
  }

  static func damagedFile(_ path: String) -> LibraryError {
    LibraryError(
      .invalidResource, path: path, "stored file does not match its recorded digest",
      hint: "run 'photoedit library check --deep'")
  }
}

extension AssetResourceType {
  /// The required content of a file of this type.
  fileprivate var expectation: String {
    switch self {
    case .photo, .alternatePhoto: "a still image"
    case .fullSizePhoto, .adjustmentBasePhoto: "a still image that is not a RAW"
    case .video: "a video with frames"
    case .audio: "an audio file"
    case .fullSizeVideo, .adjustmentBaseVideo: "a QuickTime or MPEG-4 video with frames"
    case .pairedVideo, .fullSizePairedVideo, .adjustmentBasePairedVideo:
      "com.apple.quicktime-movie with frames"
    case .adjustmentData: "an adjustment data property list (AAE)"
    case .sidecar: "an XMP file"
    case .photoProxy: "nothing"
    }
  }
}
