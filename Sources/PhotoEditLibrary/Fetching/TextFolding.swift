// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

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

  /// Returns the SQL expression of that form.
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
}

/// Tests of the texts in a column with one text per line, such as keywords.
///
/// Slashes before and after each text let one search find every run of levels: "/Portugal/" is part
/// of "/Places/Portugal/Lisbon/".
enum ListText {
  /// Returns the column with a slash before and after each text.
  static func sql(_ column: String) -> String {
    "'/' || replace(\(column), char(10), '/' || char(10) || '/') || '/'"
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

  /// Returns whether a text of the column meets a test.
  static func matches(
    _ column: String, _ test: PredicateNode.ListTest, _ text: String, _ folding: TextFolding
  ) -> Bool {
    if text.utf8.contains(0x0A) { return false }
    let (start, end) = bounds(test)
    let lines = column.split(separator: "\n", omittingEmptySubsequences: false)
    let searched = folding(lines.map { "/" + $0 + "/" }.joined(separator: "\n"))
    return searched.hasBytes(of: start + folding(text) + end)
  }
}

extension String {
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
