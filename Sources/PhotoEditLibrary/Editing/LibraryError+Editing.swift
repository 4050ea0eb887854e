// SPDX-License-Identifier: Apache-2.0

extension LibraryError {
  static func contentChangedTwice(_ identifier: String) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "one block edits or reverts \(identifier) more than once",
      hint: "use a block for each", identifiers: [identifier])
  }
}
