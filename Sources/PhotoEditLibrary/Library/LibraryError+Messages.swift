// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers
import PhotoEditFilters
import PhotoEditStorage

/// The messages of the library, one for each situation.
extension LibraryError {
  // MARK: Opening

  static func noLibrary(_ path: String) -> LibraryError {
    LibraryError(
      FileError(.missing, path: path, reason: "no library"), "not a photo library",
      hint: "create one with 'photoedit library create DIR'")
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

  static func noObject(_ identifier: String) -> LibraryError { noObjects([identifier]) }

  static func deletedAndChanged(_ identifier: String) -> LibraryError {
    LibraryError(
      .changeNotSupported, "\(identifier) is both changed and deleted in one change block",
      hint: "use two blocks", identifiers: [identifier])
  }

  static func contentChangedTwice(_ identifier: String) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "\(identifier) is edited or reverted more than once in one change block",
      hint: "use a separate block for each edit", identifiers: [identifier])
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

  // MARK: Errors of fetches; no query has run

  private static func at(_ position: Int?) -> String {
    position.map { " at character \($0)" } ?? ""
  }

  static func unknownKey(_ key: String, allowed: [String], position: Int?) -> LibraryError {
    let shown = key.count > 64 ? String(key.prefix(64)) + "…" : key
    let nearest = nearestMatch(to: key, among: allowed).map { "did you mean \($0)? " } ?? ""
    return LibraryError(
      .changeNotSupported, "unknown key \"\(shown)\"\(at(position))",
      hint: "\(nearest)valid keys: \(allowed.joined(separator: ", "))", position: position)
  }

  static func unexpected(_ found: String, expected: String, position: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported, "\(found)\(at(position)) of the predicate",
      hint: "expected \(expected)", position: position)
  }

  static func wrongValue(_ key: String, allowed: String, position: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "invalid value for \(key)\(at(position)) of the predicate",
      hint: "\(key) takes \(allowed)", position: position)
  }

  static func wrongOperator(
    _ operatorName: String, _ key: String, allowed: String, position: Int
  ) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "\(key) cannot be used with \(operatorName)\(at(position)) of the predicate",
      hint: "\(key) supports \(allowed)", position: position)
  }

  static func wrongArguments(given: Int, needed: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "the predicate takes \(needed) arguments, but \(given) were given",
      hint: "pass one argument per %")
  }

  static let predicateTooDeep = LibraryError(
    .changeNotSupported,
    "the predicate has too many levels of NOT, AND, OR and parentheses "
      + "(maximum: \(PredicateLimits.depth))",
    hint: "use IN for lists of values")

  static let predicateTooLarge = LibraryError(
    .changeNotSupported, "the predicate has too many values (maximum: \(PredicateLimits.values))",
    hint: "fetch in parts")

  static func predicateTooLong(_ length: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "the predicate has \(length) bytes (maximum: \(PredicateLimits.length))",
      hint: "pass long lists of values as arguments")
  }

  static func patternTooLong(_ length: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "the LIKE pattern has \(length) bytes (maximum: \(PredicateLimits.pattern))",
      hint: "use CONTAINS for long strings")
  }

  static func badFetchLimit(_ limit: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported, "invalid fetchLimit \(limit)",
      hint: "use a positive number, or 0 for no limit")
  }

  static func tooManySorts(_ count: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported, "\(count) sort descriptors were given (maximum: 64)",
      hint: "omit the last ones")
  }

  static func noMember(_ index: Int, count: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported, "index \(index) is out of range",
      hint: count == 0 ? "the result is empty" : "valid indexes: 0–\(count - 1)")
  }

  static func lostRow(_ row: Int64) -> LibraryError {
    LibraryError(
      .invalidResource, "row \(row) of the result is no longer in the library",
      hint: "fetch again; if this persists, run 'photoedit library check'")
  }
}
