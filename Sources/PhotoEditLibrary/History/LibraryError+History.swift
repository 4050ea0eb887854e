// SPDX-License-Identifier: Apache-2.0

/// Errors of change tokens and of the persistent history.
extension LibraryError {
  private static func expired(_ message: String) -> LibraryError {
    LibraryError(
      .persistentChangeTokenExpired, message,
      hint: "fetch everything again, and go on from currentChangeToken taken before that")
  }

  static let noToken = expired("this is no change token, or it was damaged")

  static let foreignToken = expired("the change token is of another library")

  static func prunedToken(_ number: Int64, oldest: Int64) -> LibraryError {
    expired(
      "the change token stands behind commit \(number), and the history begins with "
        + "commit \(oldest)")
  }

  static func tokenAhead(_ number: Int64, newest: Int64) -> LibraryError {
    expired(
      "the change token stands behind commit \(number), and the library has \(newest); "
        + "an earlier state of it was brought back")
  }

  static func tokenOfOtherHistory(_ number: Int64) -> LibraryError {
    expired(
      "commit \(number) is another one than that of the change token; "
        + "an earlier state of the library was brought back")
  }

  static func prunedDetails(_ number: Int64) -> LibraryError {
    LibraryError(
      .persistentChangeDetailsUnavailable,
      "what commit \(number) changed is not kept any more",
      hint: "fetch again what you show, and go on with the next change")
  }

  static func unreadable(_ client: String) -> LibraryError {
    LibraryError(
      .accessRestricted, "the policy of the library does not allow \(client) to read it",
      hint: "the owner of the library decides in its policy.json")
  }
}
