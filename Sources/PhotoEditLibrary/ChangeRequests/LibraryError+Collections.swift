// SPDX-License-Identifier: Apache-2.0

/// Errors of deletions and of changes to albums and folders.
extension LibraryError {
  // MARK: Objects

  static func noAssets(_ identifiers: [String]) -> LibraryError {
    LibraryError(
      .changeNotSupported, "not an asset: \(listed(identifiers))",
      hint: "albums and the trash can only contain assets", identifiers: identifiers)
  }

  static func noChangeableCollections(_ identifiers: [String]) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "cannot be changed, moved or deleted: \(listed(identifiers))",
      hint:
        "only user-created albums and folders can be changed; smart albums, moments and transient "
        + "collections cannot", identifiers: identifiers)
  }

  static func noObjects(_ identifiers: [String]) -> LibraryError {
    LibraryError(
      .identifierNotFound, "no object with identifier \(listed(identifiers))",
      hint: "it may have been deleted; fetch again", identifiers: identifiers)
  }

  static func undeletableAssets(_ identifiers: [String]) -> LibraryError {
    LibraryError(
      .requestNotSupportedForAsset,
      "shared or synced assets cannot be deleted: \(listed(identifiers)); nothing was deleted",
      hint: "delete them at their source", identifiers: identifiers)
  }

  static func unchangeableAsset(_ identifier: String) -> LibraryError {
    LibraryError(
      .requestNotSupportedForAsset, "\(identifier) is shared or synced and cannot be changed",
      hint: "change it at its source", identifiers: [identifier])
  }

  static func notInTrash(_ identifiers: [String]) -> LibraryError {
    LibraryError(
      .changeNotSupported, "not in the trash: \(listed(identifiers))",
      hint: "move assets to the trash before purging them", identifiers: identifiers)
  }

  static let notConfirmed = LibraryError(
    .userCancelled, "the deletion was not confirmed; nothing was changed")

  // MARK: Lists and indexes

  static func present(_ identifiers: [String], list: String) -> LibraryError {
    LibraryError(
      .changeNotSupported, "\(list) already contains \(listed(identifiers))",
      hint: "move it or leave it out; a list contains each object only once",
      identifiers: identifiers)
  }

  static func repeated(_ identifiers: [String], list: String) -> LibraryError {
    LibraryError(
      .changeNotSupported, "specified more than once for \(list): \(listed(identifiers))",
      hint: "specify each object only once", identifiers: identifiers)
  }

  static func unequalCounts(objects: Int, indexes: Int, list: String) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "\(objects) objects but \(indexes) indexes for \(list)",
      hint: "pass one index for each object", identifiers: [list])
  }

  static func unorderedIndexes(_ index: Int, _ next: Int, list: String) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "indexes for \(list) must be strictly ascending (found \(index), \(next))",
      hint: "sort them, or pass pairs of object and index", identifiers: [list])
  }

  static func indexOutOfRange(_ index: Int, allowed: ClosedRange<Int>?, list: String)
    -> LibraryError
  {
    let range = allowed.map { "\($0.lowerBound)–\($0.upperBound)" } ?? "none, the list is empty"
    return LibraryError(
      .changeNotSupported, "index \(index) is out of range for \(list) (allowed: \(range))",
      hint: "fetch the list again", identifiers: [list])
  }

  static func resultOfOtherLibrary(list: String) -> LibraryError {
    LibraryError(
      .changeNotSupported, "the fetch result for \(list) belongs to another library",
      hint: "fetch the contents of \(list) from this library", identifiers: [list])
  }

  static func cycle(_ child: String, in list: String) -> LibraryError {
    LibraryError(
      .changeNotSupported, "moving folder \(child) to \(list) would place it inside itself",
      hint: "move \(list) out of the folder first", identifiers: [child, list])
  }

  static func removedFromTopLevel(_ identifiers: [String]) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "cannot be removed from the top level: \(listed(identifiers))",
      hint: "move them to a folder, or delete them", identifiers: identifiers)
  }

  /// Returns a few identifiers for a message; `identifiers` contains all of them.
  private static func listed(_ identifiers: [String]) -> String {
    let few = identifiers.prefix(3).joined(separator: ", ")
    return identifiers.count > 3 ? few + " and \(identifiers.count - 3) more" : few
  }
}
