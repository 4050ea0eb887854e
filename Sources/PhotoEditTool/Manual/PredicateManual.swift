// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditLibrary

/// The manual page photoedit-predicates(7), with the keys of the library.
enum PredicateManual {
  static func page(date: String) -> ManualPage {
    var page = ManualPage(
      "photoedit-predicates", section: 7, "Conditions of photoedit for assets.", date: date)
    page.heading("DESCRIPTION")
    page.paragraphs(
      """
      The option --where takes a predicate: comparisons of keys with values, combined with \
      AND, OR, NOT and parentheses. Keywords ignore case. Quote the predicate for the shell.
      """)
    page.heading("KEYS")
    page.list(AssetKey.listing.map { (.name($0.name), types[$0.type] ?? "Value.") })
    page.heading("OPERATORS")
    page.list(operators.map { (.text($0.0), $0.1) })
    page.heading("VALUES")
    page.list(values.map { (.text($0.0), $0.1) })
    page.heading("EXAMPLES")
    for (condition, meaning) in examples {
      page.paragraphs(meaning)
      page.literal(["photoedit asset list --where \"\(condition)\""])
    }
    page.seeAlso([("photoedit", 1), ("photoedit-asset-list", 1)])
    return page
  }

  private static let types = [
    "date": "Date.", "integer": "Whole number.", "bits": "Bit set; tested with '&'.",
    "real": "Number.", "flag": "YES or NO.", "text": "Text.",
    "identifier": "Identifier; compared with '==', '!=' and 'IN' only.",
  ]

  private static let operators = [
    ("== != < <= > >=", "Compare a key with a value or with another key of the same type."),
    ("IN {A, B}", "Matches one of the values."),
    ("BETWEEN {A, B}", "Matches a range, bounds included."),
    (
      "CONTAINS BEGINSWITH ENDSWITH LIKE",
      "Compare text; in the pattern of LIKE, '*' is any text and '?' any character. '[c]' after "
        + "the operator ignores the case of A to Z."
    ),
    ("(KEY & BITS) != 0", "Matches if one of the bits is set."),
    ("AND OR NOT && || !", "Combine conditions."),
  ]

  private static let values = [
    ("12, 1.5, 1e3", "Numbers."),
    ("'text'", "Text in single or double quotes; a backslash escapes the next character."),
    ("'2026-11-22'", "A date, or a date with a time in ISO 8601; UTC without a time zone."),
    ("YES NO", "Booleans."),
    ("NULL", "A missing value, with '==' and '!=' only."),
  ]

  private static let examples = [
    ("favorite == YES AND pixelWidth >= 4000", "Large favorites:"),
    ("creationDate BETWEEN {'2024-05-01', '2024-06-01'}", "Assets of May 2024:"),
    ("mediaType == 2 AND duration > 60", "Videos longer than a minute:"),
  ]
}
