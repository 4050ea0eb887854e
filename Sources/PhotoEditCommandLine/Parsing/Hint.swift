// SPDX-License-Identifier: Apache-2.0

/// The rule for hints: none names an option that the command does not have.
///
/// Errors come from libraries, which know the options of no command; one error is met by several.
/// A hint is therefore a list of alternatives with ", or " between them, and a command shows those
/// that it can follow. What is in quotation marks is said of another command.
package enum Hint {
  /// The alternatives of a hint that name no other options; nil when there is none.
  ///
  /// - Parameter options: How the options of the command are written, such as "--force" and "-f".
  package static func fitting(_ hint: String, options: Set<String>) -> String? {
    let alternatives = hint.split(separator: ", or ").filter { alternative in
      self.options(in: unquoted(alternative)).allSatisfy { options.contains($0) }
    }
    return alternatives.isEmpty ? nil : alternatives.joined(separator: ", or ")
  }

  /// The options that a text names: "-o" and "--force", without their values.
  package static func options(in text: some StringProtocol) -> [String] {
    let isPartOfWord: (Character) -> Bool = { $0.isLetter || $0.isNumber || $0 == "-" }
    var words: [String] = [""]
    for character in text {
      if isPartOfWord(character) {
        words[words.count - 1].append(character)
      } else {
        words.append("")
      }
    }
    return words.filter { word in
      let name = word.drop { $0 == "-" }
      guard let first = name.first, first.isLetter else { return false }
      let dashes = word.count - name.count
      return dashes == 2 && name.count > 1 || dashes == 1 && name.count == 1
    }
  }

  /// What a text says in quotation marks.
  package static func quotations(in text: some StringProtocol) -> [String] {
    parts(of: text).filter(\.isQuoted).map { String($0.text) }
  }

  private static func unquoted(_ text: some StringProtocol) -> String {
    parts(of: text).filter { !$0.isQuoted }.map { String($0.text) }.joined(separator: " ")
  }

  /// The text parted at its quotation marks; an apostrophe within a word is none.
  private static func parts(of text: some StringProtocol) -> [(text: String, isQuoted: Bool)] {
    var parts: [(text: String, isQuoted: Bool)] = [("", false)]
    var mark: Character?
    var previous: Character = " "
    for character in text {
      if mark == nil, "'`".contains(character), !previous.isLetter {
        mark = character
        parts.append(("", true))
      } else if character == mark {
        mark = nil
        parts.append(("", false))
      } else {
        parts[parts.count - 1].text.append(character)
      }
      previous = character
    }
    return parts
  }
}

extension CommandInfo {
  /// How the options are written: "--force" and "-f".
  var optionSpellings: Set<String> {
    Set(
      arguments.filter { $0.kind != .positional }.flatMap { argument in
        ["--" + argument.name] + (argument.short.map { ["-" + String($0)] } ?? [])
      })
  }
}

/// The way out after a mistyped word.
package func didYouMean(_ word: String) -> String { "did you mean '\(word)'?" }
