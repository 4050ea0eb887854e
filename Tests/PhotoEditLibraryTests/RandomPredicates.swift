// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditSQLite
import PhotoEditTestSupport

@testable import PhotoEditLibrary

/// Generates random predicates on all keys of a type, with existing and nearby values.
struct RandomPredicates<Object: FetchedObject> {
  private var numbers: SeededNumbers
  var texts: [String] = []
  var identifiers: [String] = []
  var dates: [Date] = []

  init(seed: Int) { numbers = SeededNumbers(seed) }

  mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &numbers) }

  private mutating func pick<Value>(_ values: [Value]) -> Value { values[number(values.count)] }

  /// Fills a record with random values, many of which repeat.
  mutating func fill(_ record: inout PhotoProperties, _ i: Int) {
    record.creationDate = number(4) == 0 ? nil : Date(timeIntervalSince1970: Double(number(12)) / 4)
    record.modificationDate = Date(timeIntervalSince1970: Double(number(9)) - 4)
    record.mediaType = pick(MediaType.allCases)
    record.mediaSubtypes = MediaSubtype(rawValue: pick([0, 1, 8, 9, 1 << 16, 1 << 21]))
    record.duration = pick([0, 0.5, 1, 1e300, .infinity])
    record.pixelWidth = number(4)
    record.pixelHeight = number(4)
    record.isFavorite = number(2) == 0
    record.isHidden = number(3) == 0
    record.burstIdentifier = number(2) == 0 ? nil : pick(NaughtyStrings.some)
    record.representsBurst = number(2) == 0
    record.title = number(3) == 0 ? nil : pick(NaughtyStrings.some + Self.words)
    record.caption = number(3) == 0 ? nil : pick(Self.words) + " " + pick(Self.words)
    record.keywords = KeywordPath.set((0..<number(4)).map { _ in pick(Self.keywords) })
    record.people = number(3) == 0 ? ["Ann", "Zoë"] : []
    record.rating = number(7) - 1
    record.label = number(2) == 0 ? nil : pick(Asset.Label.allCases)
    record.camera = number(2) == 0 ? nil : pick(["FUJIFILM X100V", "Łódź ß"])
    record.iso = number(2) == 0 ? nil : number(4)
    record.fNumber = number(2) == 0 ? nil : pick([0.5, 1, 2.8])
    record.utcOffset = pick([nil, 3600, -36_000])
    record.location =
      number(2) == 0
      ? nil
      : LocationCoordinate(
        latitude: Double(number(5)) * 40 - 80, longitude: Double(number(9)) * 45 - 180)
  }

  private static var words: [String] {
    [
      "São", "strasse", "Straße", "boat-house", "IMG_2242", "東京タワー", "Æsop", "e\u{301}te\u{301}",
      "BOAT",
    ]
  }

  private static var keywords: [String] {
    ["a", "a/b", "a/b/c", "Straße/Haus", "São", "b", "B/c"]
  }

  mutating func sorts() -> [FetchSort<Object>] {
    (0..<number(4)).compactMap { _ in
      try? FetchSort(
        key: pick(Object.source.columns.filter(\.isSortable)).name, ascending: number(2) == 0)
    }
  }

  mutating func node(depth: Int) -> PredicateNode {
    if depth > 0 {
      switch number(7) {
      case 0: return .not(node(depth: depth - 1))
      case 1, 2: return node(depth: depth - 1) && node(depth: depth - 1)
      case 3, 4: return node(depth: depth - 1) || node(depth: depth - 1)
      default: break
      }
    }
    return leaf()
  }

  private mutating func leaf() -> PredicateNode {
    let column = pick(Object.source.columns.filter { $0.kind != .external })
    switch column.kind {
    case .list:
      if number(6) == 0 { return .isNull(column, number(2) == 0) }
      return .list(
        column, pick(PredicateNode.ListTest.allCases),
        number(3) == 0 ? text() : pick(Self.keywords + ["zoe", "strasse", "/", ""]),
        folding: pick(TextFolding.allCases))
    case .words:
      let words = (0..<(1 + number(2))).map { _ in
        pick(Self.words + ["bo*", "西", "京", "a", "ann", "sao", "\"", "x100v", "100", "\" OR \""])
      }
      return .words(column, words.joined(separator: " "))
    case .location:
      let (south, west) = (Double(number(4)) * 40 - 80, Double(number(9)) * 45 - 180)
      return .box(
        south: south, west: west, north: south + 50, east: Double(number(9)) * 45 - 180)
    default: break
    }
    let isUnordered = column.kind == .flag || column.kind == .identifier
    if number(20) == 0 { return .constant(number(2) == 0) }
    if number(10) == 0 { return .isNull(column, number(2) == 0) }
    if number(8) == 0 { return .among(column, (0..<number(4)).map { _ in value(column) }) }
    if !isUnordered, number(8) == 0 { return .between(column, value(column), value(column)) }
    if column.kind == .bits, number(2) == 0 {
      let mask = Int64(pick([0, 1, 8, 9, 1 << 16, -1]))
      return .masked(
        column, mask: mask, isEqual: number(2) == 0, value: number(2) == 0 ? 0 : mask)
    }
    if column.kind == .text, number(2) == 0 {
      return .text(
        column, pick(PredicateNode.TextTest.allCases), text(),
        folding: pick(TextFolding.allCases))
    }
    if number(8) == 0, column.kind == .integer || column.kind == .date,
      let other = Object.source.columns.filter({ $0.kind == column.kind }).randomElement(
        using: &numbers)
    {
      return .compareColumns(column, pick(PredicateNode.Comparison.allCases), other)
    }
    return .compare(
      column, isUnordered ? pick([.equal, .notEqual]) : pick(PredicateNode.Comparison.allCases),
      value(column),
      folding: column.kind == .text && number(3) == 0 ? pick(TextFolding.allCases) : .exact)
  }

  private mutating func value(_ column: FetchColumn) -> DatabaseValue {
    switch column.kind {
    case .date:
      let date = dates.isEmpty ? Date(timeIntervalSince1970: 1) : pick(dates)
      return .real((date + pick([0, 0, 0.25, -0.25])).timeIntervalSince1970)
    case .integer: return number(3) == 0 ? .real(Double(number(8)) / 2) : .integer(Int64(number(5)))
    case .bits: return .integer(Int64(pick([0, 1, 8, 9, 1 << 21])))
    case .real:
      return number(2) == 0 ? .integer(Int64(number(3))) : .real(pick([0.5, 1, .infinity]))
    case .flag: return .init(number(2) == 0)
    case .text: return .text(text())
    case .day: return .integer(Int64(number(5)) - 2)
    case .list, .external, .words, .location: return .null
    case .identifier:
      return .text(number(5) == 0 ? "nobody" : pick(identifiers.isEmpty ? ["x"] : identifiers))
    }
  }

  /// Returns an existing text, a part of one, or a pattern.
  private mutating func text() -> String {
    let text = pick(texts.isEmpty ? NaughtyStrings.some : texts + NaughtyStrings.some)
    let scalars = Array(text.unicodeScalars)
    switch number(5) {
    case 0: return String(String.UnicodeScalarView(scalars.prefix(number(3))))
    case 1: return String(String.UnicodeScalarView(scalars.suffix(number(3))))
    case 2: return "*" + text
    case 3:
      return String(String.UnicodeScalarView(scalars.prefix(1))) + pick(["*", "?", "\\*", "*?"])
    default: return text
    }
  }
}
