// SPDX-License-Identifier: Apache-2.0

extension LibraryError {
  static func contentChangedTwice(_ identifier: String) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "\(identifier) is edited or reverted more than once in one change block",
      hint: "use a separate block for each edit", identifiers: [identifier])
  }
}
