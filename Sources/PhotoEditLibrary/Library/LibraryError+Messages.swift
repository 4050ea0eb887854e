// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The messages of the library, one for each situation.
extension LibraryError {
  // MARK: Opening

  static func noLibrary(_ path: String) -> LibraryError {
    LibraryError(
      .missingResource, path: path, "there is no photo library here",
      hint: "make one with `photoedit library create`",
      file: FileError(.missing, path: path, reason: "no library"))
  }

  /// Returns the error for a folder without a database, depending on whether it was a library.
  static func noDatabase(_ layout: LibraryLayout) -> LibraryError {
    guard FileSystem.isFolder(layout.assets) else { return noLibrary(layout.root) }
    return LibraryError(
      .missingResource, path: layout.root, "the database of the library is gone",
      hint: "make it again with `photoedit library repair`",
      file: FileError(.missing, path: layout.database, reason: "no database"))
  }

  /// Returns the error for a library that could not be created in a folder.
  static func notMade(_ path: String, _ error: FileError) -> LibraryError {
    switch error.kind {
    case .exists: return libraryExists(path)
    case .missing:
      return LibraryError(
        .missingResource, path: path, "the folder that it is to be in is not there",
        hint: "make that folder first, or choose another place",
        file: FileError(.noPlace, path: path, reason: error.reason))
    default: return LibraryError(error)
    }
  }

  static func libraryExists(_ path: String) -> LibraryError {
    LibraryError(
      .invalidResource, path: path, "there is something here already",
      hint: "choose a new or empty folder",
      file: FileError(.exists, path: path, reason: "not empty"))
  }

  static func newerLibrary(_ path: String, version: Int, known: Int) -> LibraryError {
    LibraryError(
      .invalidResource, path: path,
      "the library is of version \(version), this program knows versions up to \(known); "
        + "nothing was changed", hint: "use the newer program")
  }

  static func foreignDatabase(_ path: String, _ reason: String) -> LibraryError {
    LibraryError(
      .invalidResource, path: path, "the database is not a photo library's: \(reason)",
      hint: "move it away and run `photoedit library repair` if the folder was a library")
  }

  static func networkFileSystem(_ path: String, _ name: String) -> LibraryError {
    LibraryError(
      .libraryInFileProviderSyncRoot, path: path,
      "the folder is on \(name), whose locks cannot protect a database",
      hint: "keep the library on a local disk and use `photoedit library backup` for copies")
  }

  static func offline(_ path: String) -> LibraryError {
    LibraryError(
      .libraryVolumeOffline, path: path, "the folder of the library is gone",
      hint: "bring its disk back and open the library again")
  }

  // MARK: Change blocks

  static let outsideBlock = LibraryError(
    .changeNotSupported, "a request was used outside of its change block",
    hint: "make and change requests inside the closure of performChanges only")

  static let nestedBlock = LibraryError(
    .changeNotSupported,
    "performChanges was called from inside a change block, an observer or a handler "
      + "that must wait for it",
    hint: "put all requests into one block, or call the asynchronous form after this one has ended")

  static func otherLibrary(_ identifier: String) -> LibraryError {
    LibraryError(
      .changeNotSupported, "the object is not of this library, or was never committed",
      identifiers: [identifier])
  }

  static func noObject(_ identifier: String) -> LibraryError {
    LibraryError(
      .identifierNotFound, "no object has the identifier \(identifier)",
      hint: "it may have been deleted; fetch again", identifiers: [identifier])
  }

  static func deletedAndChanged(_ identifier: String) -> LibraryError {
    LibraryError(
      .changeNotSupported, "\(identifier) is deleted and changed in one block",
      hint: "use two blocks, or leave one of the requests out", identifiers: [identifier])
  }

  // MARK: Access

  static func denied(_ what: String) -> LibraryError {
    LibraryError(
      .accessUserDenied, "this program may not \(what)",
      hint: "its level is in the library's policy.json")
  }

  static func readOnly(_ path: String) -> LibraryError {
    LibraryError(
      .accessRestricted, path: path, "the library can only be read here",
      file: FileError(.permission, path: path, reason: "read-only"))
  }
}
