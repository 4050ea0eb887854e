// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditSQLite
import PhotoEditStorage

/// The differences between texts that a comparison ignores; the raw values are the modifiers.
enum TextFolding: String, Sendable, CaseIterable {
  /// Bytes are compared.
  case exact = ""
  /// A to Z equal a to z.
  case ignoringCase = "[c]"
  /// Upper and lower case of all letters, and letters with and without diacritics, are equal.
  case ignoringAccents = "[cd]"

  /// Returns a text in the form that is compared.
  func callAsFunction(_ text: String) -> String {
    switch self {
    case .exact: text
    case .ignoringCase: text.asciiLowercased
    case .ignoringAccents: TextForm.folded(text)
    }
  }

  func sql(_ expression: String) -> String {
    switch self {
    case .exact: expression
    case .ignoringCase: "lower(\(expression))"
    case .ignoringAccents: "folded(\(expression))"
    }
  }
}

extension String {
  /// The string with A to Z as a to z, like SQLite's `lower`; all other letters are unchanged.
  var asciiLowercased: String {
    String(decoding: utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
  }

  /// Returns whether the bytes of another string occur, like SQLite's `instr`.
  func hasBytes(of part: String) -> Bool {
    let (text, part) = (Array(utf8), Array(part.utf8))
    guard let first = part.first else { return true }
    guard part.count <= text.count else { return false }
    return text[...(text.count - part.count)].indices.contains {
      text[$0] == first && text[$0...].starts(with: part)
    }
  }
}

/// Tests of the texts in a column with one text per line, such as keywords.
///
/// Slashes before and after each text let one search find every run of levels: "/Portugal/" is part
/// of "/Places/Portugal/Lisbon/".
enum ListText {
  /// Returns the column with a slash before and after each text.
  ///
  /// A searched text with a slash also finds a name with one, such as AC/DC.
  static func sql(_ column: String, for text: String) -> String {
    let column =
      text.has("/") ? "replace(\(column), '\(KeywordPath.slash)', '/')" : column
    return "'/' || replace(\(column), char(10), '/' || char(10) || '/') || '/'"
  }

  /// Returns the slashes around the searched text.
  static func bounds(_ test: PredicateNode.ListTest) -> (start: String, end: String) {
    switch test {
    case .equal: ("/", "/")
    case .contains: ("", "")
    case .beginsWith: ("/", "")
    case .endsWith: ("", "/")
    }
  }

  static func matches(
    _ column: String, _ test: PredicateNode.ListTest, _ text: String, _ folding: TextFolding
  ) -> Bool {
    if text.utf8.contains(0x0A) { return false }
    let (start, end) = bounds(test)
    let column = text.has("/") ? KeywordPath.text(column) : column
    let lines = column.split(separator: "\n", omittingEmptySubsequences: false)
    let searched = folding(lines.map { "/" + $0 + "/" }.joined(separator: "\n"))
    return searched.hasBytes(of: start + folding(text) + end)
  }
}

/// A LIKE pattern: `*` is any text, `?` any character, and a backslash escapes either.
///
/// A character is a Unicode scalar. The pattern and the text end at the first NUL, as in SQLite.
struct LikePattern {
  private enum Part: Equatable {
    case anyText
    case anyScalar
    case scalar(Unicode.Scalar)
  }

  private let parts: [Part]

  init(_ text: String) {
    var parts: [Part] = []
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if scalar == "\0" { break }
      if isEscaped {
        parts.append(.scalar(scalar))
        isEscaped = false
        continue
      }
      switch scalar {
      case "\\": isEscaped = true
      case "*": if parts.last != .anyText { parts.append(.anyText) }
      case "?": parts.append(.anyScalar)
      default: parts.append(.scalar(scalar))
      }
    }
    if isEscaped { parts.append(.scalar("\\")) }
    self.parts = parts
  }

  /// The pattern in the syntax of SQLite's GLOB.
  var glob: String {
    var text = String.UnicodeScalarView()
    for part in parts {
      switch part {
      case .anyText: text.append("*")
      case .anyScalar: text.append("?")
      case .scalar(let scalar):
        if scalar == "*" || scalar == "?" || scalar == "[" {
          text.append(contentsOf: ["[", scalar, "]"])
        } else {
          text.append(scalar)
        }
      }
    }
    return String(text)
  }

  /// Returns whether the whole text matches; takes time up to the product of the lengths.
  func matches(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars.prefix { $0 != "\0" })
    var (i, j) = (0, 0)
    var lastStar: (part: Int, scalar: Int)?
    while i < scalars.count {
      if j < parts.count, parts[j] == .anyText {
        lastStar = (j, i)
        j += 1
      } else if j < parts.count, parts[j] == .anyScalar || parts[j] == .scalar(scalars[i]) {
        i += 1
        j += 1
      } else if let star = lastStar {
        // Extend the match of the last star by one scalar and try again.
        lastStar = (star.part, star.scalar + 1)
        i = star.scalar + 1
        j = star.part + 1
      } else {
        return false
      }
    }
    return parts[j...].allSatisfy { $0 == .anyText }
  }
}

/// A search for words: all of them must occur, each in any text of an object.
///
/// A word ends at a space, and an asterisk after it matches any ending. A word of several parts,
/// such as "IMG_2242", is found as a phrase.
struct WordQuery {
  /// One word, or the parts of one.
  struct Term {
    /// The words as the full-text index has them.
    let words: [String]
    /// Indicates whether the last word may continue.
    let isPrefix: Bool

    /// The text to find among words that have a space before and after each.
    var pattern: String { " " + words.joined(separator: " ") + (isPrefix ? "" : " ") }
  }

  let terms: [Term]

  init(_ text: String) {
    terms = text.split(whereSeparator: \.isWhitespace).prefix(Self.maximumCount).compactMap {
      part in
      let words = TextForm.words(String(part)).parts(at: " ")
      return words.isEmpty ? nil : Term(words: words, isPrefix: part.last == "*")
    }
  }

  private static let maximumCount = 64

  /// The query for the full-text index, which finds all words of a phrase in any order; the words
  /// contain only letters and digits.
  private var match: String {
    let words = terms.flatMap { term in
      term.words.indices.map { index in
        "\"\(term.words[index])\""
          + (term.isPrefix && index == term.words.count - 1 ? "*" : "")
      }
    }
    return words.prefix(Self.maximumCount).joined(separator: " AND ")
  }

  /// Indicates whether testing single assets is slow, because the full-text index has to collect all
  /// words with a beginning for which it has no index.
  var isSlowForSingleRows: Bool {
    terms.contains { term in
      term.isPrefix && (term.words.last?.unicodeScalars.count ?? 0) > LibrarySchema.longestPrefix
    }
  }

  /// The statement that finds the rows of matching assets in the full-text index.
  ///
  /// - Parameter condition: A condition on the row `w` of the index.
  func rows(where condition: String? = nil) -> SQLFragment {
    let count = terms.reduce(0) { $0 + $1.words.count }
    let others = count > Self.maximumCount ? terms : terms.filter { $0.words.count > 1 }
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
