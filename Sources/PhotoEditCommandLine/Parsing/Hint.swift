// SPDX-License-Identifier: Apache-2.0

/// The filtering of hints, so that none mentions an option that the command does not have.
///
/// Errors come from libraries, which do not know the options of a command, and several commands
/// report the same error. A hint is therefore a list of alternatives separated by ", or ", and a
/// command shows those that apply to it. Text in quotation marks refers to another command.
package enum Hint {
  /// Returns the alternatives of a hint that mention no other options, or nil.
  ///
  /// - Parameters:
  ///   - options: The options of the command as written, such as "--force" and "-f".
  ///   - given: Its flags that are given, whose use is not advised again.
  package static func fitting(
    _ hint: String, options: Set<String>, given: Set<String> = []
  ) -> String? {
    let alternatives = hint.split(separator: ", or ").filter { alternative in
      let mentioned = self.options(in: unquoted(alternative))
      return mentioned.allSatisfy { options.contains($0) }
        && !(alternative.hasPrefix("use ")
          && mentioned.contains { given.contains($0) || given.contains(refusals[$0] ?? $0) })
    }
    return alternatives.isEmpty ? nil : alternatives.joined(separator: ", or ")
  }

  /// The options by which the results of others are refused.
  private static let refusals = ["--lenient": "--strict"]

  /// Returns the options in a text without their values, such as "-o" and "--force".
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

  /// Returns the quoted parts of a text.
  package static func quotations(in text: some StringProtocol) -> [String] {
    parts(of: text).filter(\.isQuoted).map { String($0.text) }
  }

  private static func unquoted(_ text: some StringProtocol) -> String {
    parts(of: text).filter { !$0.isQuoted }.map { String($0.text) }.joined(separator: " ")
  }

  /// Splits a text at its quotation marks; an apostrophe within a word does not count as one.
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
  /// The options as written: "--force" and "-f".
  var optionSpellings: Set<String> { spellings { $0 != .positional } }

  /// The options without values, as written.
  var flagSpellings: Set<String> { spellings { $0 == .flag } }

  private func spellings(where isIncluded: (ArgumentInfo.Kind) -> Bool) -> Set<String> {
    Set(
      arguments.filter { isIncluded($0.kind) }.flatMap { argument in
        ["--" + argument.name] + (argument.short.map { ["-" + String($0)] } ?? [])
      })
  }
}

/// Returns the hint for a mistyped argument.
package func didYouMean(_ word: String) -> String { "did you mean '\(word)'?" }
