// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The messages of the library, one for each situation.
extension LibraryError {
  // MARK: Opening

  static func noLibrary(_ path: String) -> LibraryError {
    LibraryError(
      .missingResource, path: path, "not a photo library",
      hint: "create one with 'photoedit library create DIR'",
      file: FileError(.missing, path: path, reason: "no library"))
  }

  /// Returns the error for a folder without a database, depending on whether it was a library.
  static func noDatabase(_ layout: LibraryLayout) -> LibraryError {
    guard FileSystem.isFolder(layout.assets) else { return noLibrary(layout.root) }
    return LibraryError(
      .missingResource, path: layout.root, "the library database (library.db) is missing",
      hint: "rebuild it with 'photoedit library repair'",
      file: FileError(.missing, path: layout.database, reason: "no database"))
  }

  /// Returns the error for a library that could not be created in a folder.
  static func cannotCreate(_ path: String, _ error: FileError) -> LibraryError {
    switch error.kind {
    case .exists: return libraryExists(path)
    case .missing:
      return LibraryError(
        .missingResource, path: path, "parent folder does not exist",
        hint: "create it first, or choose another path",
        file: FileError(.invalidDestination, path: path, reason: error.reason))
    default: return LibraryError(error)
    }
  }

  static func libraryExists(_ path: String) -> LibraryError {
    LibraryError(
      .invalidResource, path: path, "folder is not empty",
      hint: "choose a new or empty folder",
      file: FileError(.exists, path: path, reason: "not empty"))
  }

  static func newerLibrary(_ path: String, version: Int, known: Int) -> LibraryError {
    LibraryError(
      .invalidResource, path: path,
      "library format \(version) is newer than the supported \(known); nothing was changed",
      hint: "upgrade photoedit")
  }

  static func notALibraryDatabase(_ path: String, _ reason: String) -> LibraryError {
    LibraryError(
      .invalidResource, path: path, "not a photo library database: \(reason)",
      hint: "if the folder was a library, move the file away and run 'photoedit library repair'")
  }

  static func networkFileSystem(_ path: String, _ name: String) -> LibraryError {
    LibraryError(
      .libraryInFileProviderSyncRoot, path: path,
      "network file system \(name) does not support reliable locking",
      hint: "keep the library on a local disk; make copies with 'photoedit library backup'")
  }

  static func offline(_ path: String) -> LibraryError {
    LibraryError(
      .libraryVolumeOffline, path: path, "library folder is no longer available",
      hint: "reconnect the disk and reopen the library")
  }

  // MARK: Change blocks

  static let outsideBlock = LibraryError(
    .changeNotSupported, "a change request was used outside its change block",
    hint: "create and use requests only inside the performChanges closure")

  static let nestedBlock = LibraryError(
    .changeNotSupported,
    "performChanges was called inside a change block, or in an observer or handler that it "
      + "would have to wait for",
    hint: "use one block for all requests, or call the asynchronous variant afterwards")

  static func otherLibrary(_ identifier: String) -> LibraryError {
    LibraryError(
      .changeNotSupported, "object belongs to another library or was never saved",
      identifiers: [identifier])
  }

  static func noObject(_ identifier: String) -> LibraryError {
    LibraryError(
      .identifierNotFound, "no object with identifier \(identifier)",
      hint: "it may have been deleted; fetch again", identifiers: [identifier])
  }

  static func deletedAndChanged(_ identifier: String) -> LibraryError {
    LibraryError(
      .changeNotSupported, "\(identifier) is both changed and deleted in one change block",
      hint: "use two blocks", identifiers: [identifier])
  }

  // MARK: Access

  static func denied(_ what: String) -> LibraryError {
    LibraryError(
      .accessUserDenied, "this program is not allowed to \(what)",
      hint: "change its access level in the library's policy.json")
  }

  static func readOnly(_ path: String) -> LibraryError {
    LibraryError(
      .accessRestricted, path: path, "the library is read-only",
      file: FileError(.permission, path: path, reason: "read-only"))
  }
}
