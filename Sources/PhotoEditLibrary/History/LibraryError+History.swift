// SPDX-License-Identifier: Apache-2.0

/// Errors of change tokens and of the persistent history.
extension LibraryError {
  private static func expired(_ message: String) -> LibraryError {
    LibraryError(
      .persistentChangeTokenExpired, message,
      hint: "get currentChangeToken, then fetch everything again")
  }

  static let noToken = expired("invalid change token")

  static let tokenOfOtherLibrary = expired("the change token belongs to another library")

  static func prunedToken(_ number: Int64, oldest: Int64) -> LibraryError {
    expired(
      "the change token for commit \(number) has expired; the history starts at "
        + "commit \(oldest)")
  }

  static func tokenNewerThanLibrary(_ number: Int64, newest: Int64) -> LibraryError {
    expired(
      "the change token is for commit \(number), but the library is at commit \(newest); "
        + "it was restored from a backup")
  }

  static func tokenOfOtherHistory(_ number: Int64) -> LibraryError {
    expired(
      "the change token is for a different commit \(number); "
        + "the library was restored from a backup")
  }

  static func prunedDetails(_ number: Int64) -> LibraryError {
    LibraryError(
      .persistentChangeDetailsUnavailable,
      "the details of commit \(number) have expired",
      hint: "fetch again and continue with the next change")
  }

  static func unreadable(_ client: String) -> LibraryError {
    LibraryError(
      .accessRestricted, "the library policy does not allow \(client) to read it",
      hint: "change the access level in the library's policy.json")
  }
}
