// SPDX-License-Identifier: Apache-2.0

/// Errors of deletions and of changes to albums and folders.
extension LibraryError {
  // MARK: Objects

  static func noAssets(_ identifiers: [String]) -> LibraryError {
    LibraryError(
      .changeNotSupported, "\(listed(identifiers)) name no asset",
      hint: "only assets can be in an album or in the trash", identifiers: identifiers)
  }

  static func noChangeableCollections(_ identifiers: [String]) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "\(listed(identifiers)) cannot be changed, moved or deleted",
      hint: "only albums and folders that a person made can; smart albums, moments and "
        + "collections in memory cannot", identifiers: identifiers)
  }

  static func noObjects(_ identifiers: [String]) -> LibraryError {
    LibraryError(
      .identifierNotFound, "no object has the identifier \(listed(identifiers))",
      hint: "it may have been deleted; fetch again", identifiers: identifiers)
  }

  static func undeletableAssets(_ identifiers: [String]) -> LibraryError {
    LibraryError(
      .requestNotSupportedForAsset,
      "\(listed(identifiers)) are shared or synced and cannot be deleted; nothing was deleted",
      hint: "delete them where they came from", identifiers: identifiers)
  }

  static func unchangeableAsset(_ identifier: String) -> LibraryError {
    LibraryError(
      .requestNotSupportedForAsset, "\(identifier) is shared or synced and cannot be changed",
      hint: "change it where it came from", identifiers: [identifier])
  }

  static func notInTrash(_ identifiers: [String]) -> LibraryError {
    LibraryError(
      .changeNotSupported, "\(listed(identifiers)) are not in the trash",
      hint: "delete first what is to be purged", identifiers: identifiers)
  }

  static let notConfirmed = LibraryError(
    .userCancelled, "the deletion was not confirmed; nothing was changed")

  // MARK: Lists and indexes

  static func present(_ identifiers: [String], list: String) -> LibraryError {
    LibraryError(
      .changeNotSupported, "\(list) holds \(listed(identifiers)) already",
      hint: "move what is there, or leave it out: each object is in a list once",
      identifiers: identifiers)
  }

  static func repeated(_ identifiers: [String], list: String) -> LibraryError {
    LibraryError(
      .changeNotSupported, "\(listed(identifiers)) are named more than once for \(list)",
      hint: "each object is in a list once", identifiers: identifiers)
  }

  static func unequalCounts(objects: Int, indexes: Int, list: String) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "there are \(objects) objects and \(indexes) indexes for \(list)",
      hint: "give one index for each object", identifiers: [list])
  }

  static func unorderedIndexes(_ index: Int, _ next: Int, list: String) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "index \(next) follows index \(index) for \(list), but indexes must ascend without repeats",
      hint: "sort them, or give pairs of object and index", identifiers: [list])
  }

  static func indexOutOfRange(_ index: Int, allowed: ClosedRange<Int>?, list: String)
    -> LibraryError
  {
    let range = allowed.map { "\($0.lowerBound)…\($0.upperBound)" } ?? "none, it is empty"
    return LibraryError(
      .changeNotSupported, "index \(index) is out of range for \(list); allowed: \(range)",
      hint: "fetch the list and count again", identifiers: [list])
  }

  static func foreignResult(list: String) -> LibraryError {
    LibraryError(
      .changeNotSupported, "the fetch result for \(list) is not of this library",
      hint: "fetch what \(list) holds from the library that is changed", identifiers: [list])
  }

  static func cycle(_ child: String, in list: String) -> LibraryError {
    LibraryError(
      .changeNotSupported, "folder \(child) would be inside of itself, by way of \(list)",
      hint: "move \(list) out of it first", identifiers: [child, list])
  }

  static func removedFromTopLevel(_ identifiers: [String]) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "\(listed(identifiers)) cannot be taken from the top level, for they would be nowhere",
      hint: "add them to a folder, or delete them", identifiers: identifiers)
  }

  /// Returns a few identifiers for a message; `identifiers` contains all of them.
  private static func listed(_ identifiers: [String]) -> String {
    let few = identifiers.prefix(3).joined(separator: ", ")
    return identifiers.count > 3 ? few + " and \(identifiers.count - 3) more" : few
  }
}
