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

  /// The query for the full-text index, which finds all words of a phrase in any order; the words
  /// contain only letters and digits.
  private var match: String {
    let words = terms.flatMap { term in
      let parts = term.words.split(separator: " ")
      return parts.indices.map { index in
        "\"\(parts[index])\"" + (term.isPrefix && index == parts.count - 1 ? "*" : "")
      }
    }
    return words.prefix(Self.maximumCount).joined(separator: " AND ")
  }

  /// Indicates whether testing single assets is slow, because the full-text index has to collect all
  /// words with a beginning for which it has no index.
  var isSlowForSingleRows: Bool {
    terms.contains { term in
      let last = term.words.split(separator: " ").last ?? ""
      return term.isPrefix && last.unicodeScalars.count > LibrarySchema.longestPrefix
    }
  }

  /// The statement that finds the rows of matching assets in the full-text index.
  ///
  /// - Parameter condition: A condition on the row `w` of the index.
  func rows(where condition: String? = nil) -> SQLFragment {
    let count = terms.reduce(0) { $0 + $1.words.utf8.count { $0 == UInt8(ascii: " ") } + 1 }
    let others = count > Self.maximumCount ? terms : terms.filter { $0.words.contains(" ") }
    var found = SQLFragment("SELECT w.rowid FROM asset_text AS w ")
    if !others.isEmpty { found = found + SQLFragment("CROSS JOIN asset AS a ON a.id = w.rowid ") }
    found = found + SQLFragment("WHERE w.asset_text MATCH ?", [.text(match)])
    if let condition { found = found + SQLFragment(" AND " + condition) }
    // Most texts are missing; a test of all of them at once would be slower.
    let columns = LibrarySchema.text.map { "a." + $0.1 }
    let test = columns.map { "(\($0) IS NOT NULL AND instr(' ' || words(\($0)) || ' ', ?) > 0)" }
      .joined(separator: " OR ")
    for term in others {
      found =
        found + SQLFragment(" AND (\(test))", columns.map { _ in .text(term.pattern) })
    }
    return found
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
