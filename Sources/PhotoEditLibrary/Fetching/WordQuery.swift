// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// A search for words: all of them must occur, each in any text of an object.
///
/// A word ends at a space, and an asterisk after it matches any ending. A word of several parts,
/// such as "IMG_2242", is found as a phrase.
struct WordQuery {
  /// One word, or the parts of one.
  struct Term {
    /// The words as the full-text index has them, separated by spaces.
    let words: String
    /// Indicates whether the last word may continue.
    let isPrefix: Bool

    /// The text to find among words that have a space before and after each.
    var pattern: String { " " + words + (isPrefix ? "" : " ") }
  }

  let terms: [Term]

  init(_ text: String) {
    terms = text.split(whereSeparator: \.isWhitespace).prefix(Self.maximumCount).compactMap {
      part in
      let words = TextForm.words(String(part))
      return words.isEmpty ? nil : Term(words: words, isPrefix: part.last == "*")
    }
  }

  /// The maximum number of words.
  private static let maximumCount = 64

  /// The query in the syntax of FTS5; the words contain only letters and digits.
  var match: String {
    terms.map { "\"\($0.words)\"" + ($0.isPrefix ? "*" : "") }.joined(separator: " AND ")
  }

  /// Returns whether all words occur in the text of an object, as returned by `text(of:)`.
  func matches(_ text: String) -> Bool {
    !terms.isEmpty && terms.allSatisfy { text.hasBytes(of: $0.pattern) }
  }

  /// Returns the words of texts, each text on a line and each word between spaces.
  static func text(of texts: [String?]) -> String {
    texts.map { " " + TextForm.words($0 ?? "") + " " }.joined(separator: "\n")
  }

  /// The SQL expression of the same text.
  static func sql(_ columns: [String]) -> String {
    columns.map { "' ' || words(coalesce(\($0), '')) || ' '" }
      .joined(separator: " || char(10) || ")
  }
}
