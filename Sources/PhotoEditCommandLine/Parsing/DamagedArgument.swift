// SPDX-License-Identifier: Apache-2.0

/// An argument that is not valid UTF-8.
///
/// Names of files are bytes, and a shell expands `*.jpg` to all of them. As text, such an argument
/// would name another file, so it is never used as a value: one of several inputs is left out and
/// reported, and anything else is a usage error. Until then, it is a word with a zero byte, which
/// no other argument can contain.
struct DamagedArgument: Hashable {
  /// The position in the command line, counted from one.
  let position: Int
  /// The argument with a replacement character for each invalid part.
  let text: String

  init(position: Int, text: String) { (self.position, self.text) = (position, text) }

  /// Recognizes the word for a damaged argument; nil for any other word.
  init?(word: String) {
    let parts = word.utf8.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let position = Int(Substring(parts[0])) else { return nil }
    self.init(position: position, text: String(Substring(parts[1])))
  }

  /// The word in place of the argument.
  var word: String { "\(position)\0\(text)" }

  /// The error if the argument is not one of several inputs.
  var usageError: CommandFailure {
    CommandFailure(.usage, "argument \(position): not valid UTF-8", hint: "rename the file")
  }

  /// The failure of an input that is left out.
  var failure: CommandFailure {
    CommandFailure(
      .inputMissing, "\(text): its name is not valid UTF-8", hint: "rename the file",
      code: "nameNotUTF8")
  }
}
