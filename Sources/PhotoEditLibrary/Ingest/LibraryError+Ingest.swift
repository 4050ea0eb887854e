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
      .changeNotSupported, "no asset can be made of \(names)",
      hint: "ask AssetCreationRequest.supportsAssetResourceTypes which files go together")
  }

  // MARK: Content

  static func emptyResource(_ path: String) -> LibraryError {
    LibraryError(
      .invalidResource, path: path, "the file is empty",
      file: FileError(.empty, path: path, reason: "the file is empty"))
  }

  static func changedResource(_ path: String) -> LibraryError {
    LibraryError(
      .operationInterrupted, path: path, "the file changed while it was read",
      hint: "import it again when its writer is done",
      file: FileError(.changed, path: path, reason: "changed while it was read"))
  }

  static func linkedSource(_ path: String, names: Int) -> LibraryError {
    LibraryError(
      .invalidResource, path: path,
      "a file with \(names) names cannot be moved: it would live on under the others",
      hint: "copy it instead")
  }

  static func symbolicSource(_ path: String) -> LibraryError {
    LibraryError(
      .invalidResource, path: path, "a symbolic link cannot be moved", hint: "copy it instead")
  }

  static func openSource(_ path: String) -> LibraryError {
    LibraryError(
      .invalidResource, path: path, "a file that is open cannot be moved: its user would lose it",
      hint: "close it, or copy it instead")
  }

  static func unreadableResource(_ path: String, _ reason: String) -> LibraryError {
    LibraryError(.invalidResource, path: path, reason)
  }

  static func wrongContent(
    _ path: String, _ type: AssetResourceType, found: String
  ) -> LibraryError {
    LibraryError(
      .invalidResource, path: path, "expected \(type.expectation), found \(found)")
  }

  static func contradictedType(_ path: String, stated: String, found: String) -> LibraryError {
    LibraryError(.invalidResource, path: path, "stated to be \(stated), found \(found)")
  }

  static func unpaired(
    still: String, _ stillIdentifier: String?, movie: String, _ movieIdentifier: String?
  ) -> LibraryError {
    func name(_ identifier: String?) -> String { identifier.map { "\"\($0)\"" } ?? "none" }
    return LibraryError(
      .invalidResource, path: still,
      "the still and the movie are no Live Photo: the content identifier of the still is "
        + "\(name(stillIdentifier)), that of \(movie) is \(name(movieIdentifier))",
      hint: "pair them by force, or import them one by one")
  }

  static func misplacedStill(_ movie: String, _ problem: String) -> LibraryError {
    LibraryError(
      .invalidResource, path: movie, problem,
      hint: "set the still-image time to a moment of the movie, or pair them by force")
  }

  // MARK: Export

  static func noFiles(_ identifier: String) -> LibraryError {
    LibraryError(
      .missingResource, "\(identifier) has no file to export", identifiers: [identifier])
  }

  static func ambiguousExport(_ identifier: String) -> LibraryError {
    LibraryError(
      .invalidResource, "two files of \(identifier) would get the same name",
      hint: "export the original or the current version alone", identifiers: [identifier])
  }

  static func exportExists(_ path: String, isFile: Bool) -> LibraryError {
    LibraryError(
      .invalidResource, path: path,
      isFile ? "there is a file here already" : "there is something here that is no file",
      hint: isFile ? "choose another folder, or replace files with --force" : nil,
      file: FileError(.exists, path: path, reason: "there is something here already"))
  }

  static func damagedFile(_ path: String) -> LibraryError {
    LibraryError(
      .invalidResource, path: path, "the library's file is not what it was when it came in",
      hint: "run `photoedit library check --deep`")
  }
}

extension AssetResourceType {
  /// The required content of a file of this type.
  fileprivate var expectation: String {
    switch self {
    case .photo, .alternatePhoto: "a still picture"
    case .fullSizePhoto, .adjustmentBasePhoto: "a still picture that is no raw file"
    case .video: "a movie with pictures"
    case .audio: "a recording of sound"
    case .pairedVideo, .fullSizeVideo, .fullSizePairedVideo, .adjustmentBaseVideo,
      .adjustmentBasePairedVideo:
      "com.apple.quicktime-movie with pictures"
    case .adjustmentData: "the property list of an edit (AAE)"
    case .sidecar: "an XMP file"
    case .photoProxy: "nothing"
    }
  }
}
