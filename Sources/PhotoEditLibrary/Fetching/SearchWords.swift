// SPDX-License-Identifier: Apache-2.0

/// The words that a search understands, for fields that complete them.
package enum SearchWords {
  /// The keys of the short form, each with a term that uses it.
  package static let terms: [(key: String, example: String)] =
    (SearchTerm.texts.keys.sorted() + SearchTerm.lists.keys.sorted()).map { ($0, $0 + ":a") }
    + SearchTerm.numbers.keys.sorted().map { ($0, $0 + ":1") }
    + ["date", "added"].map { ($0, $0 + ":2019") }

  /// The properties of the short form, such as "is:favorite".
  package static let properties = SearchTerm.flags.keys.sorted().map { "is:" + $0 }

  /// Returns the first term that is invalid, and those that are possible in its place; nil if there
  /// is no such term.
  package static func invalidTerm(
    of arguments: [String]
  ) -> (term: String, allowed: [String])? {
    for argument in arguments {
      let isExcluded = argument.count > 1 && argument.hasPrefix("-")
      let term = isExcluded ? String(argument.dropFirst()) : argument
      guard (try? FetchPredicate<Asset>(search: [term])) == nil else { continue }
      guard let colon = term.firstIndex(of: ":") else {
        return (term, ["harbor", "2019", "rating:4.."])
      }
      let key = term[..<colon].lowercased()
      let values: [String] =
        switch key {
        case "is", "type": SearchTerm.flags.keys.sorted()
        case "date", "added": ["2019", "2019-05", "2019-05-01", "2018..2019", "2019.."]
        case _ where SearchTerm.numbers[key] != nil: ["1", "1..4", "1..", "..4"]
        case _ where SearchTerm.keys.contains(key): ["a"]
        default: []
        }
      if values.isEmpty { return (term, SearchTerm.keys.sorted().map { $0 + ":" }) }
      return (term, values.map { key + ":" + $0 })
    }
    return nil
  }

  /// The keys of predicates, each with a condition that uses it.
  package static let conditions: [(key: String, example: String)] =
    Asset.source.columns.map { ($0.name, "\($0.name) \($0.kind.example)") }
}

extension FetchColumn.Kind {
  /// An operator and a value with which keys of this kind are compared.
  fileprivate var example: String {
    switch self {
    case .flag: "== YES"
    case .text: "CONTAINS[cd] \"a\""
    case .identifier, .list, .external: "== \"a\""
    case .integer, .real: ">= 1"
    case .bits: "!= 0"
    case .date: ">= \"2019-05-01T10:00:00Z\""
    case .day: ">= \"2019-05-01\""
    case .words: "MATCHES-WORDS \"a\""
    case .location: "!= NULL"
    }
  }
}
