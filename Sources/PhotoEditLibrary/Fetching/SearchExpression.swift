// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditContainers
import PhotoEditSQLite

extension FetchPredicate where Object == Asset {
  /// Creates a predicate from the short form of the command line, one string for each argument.
  ///
  ///     harbor rating:4.. camera:X100 2019-05 -keyword:draft
  ///
  /// A plain word must occur in title, caption, filename, keywords, people, place or camera; `*`
  /// after it matches any ending. `KEY:VALUE` compares a property, `2019`, `2019-05` and
  /// `2019-05-01` the day of capture; ranges are written as `2..4`, `4..` and `..3`, or with `>=`,
  /// `>`, `<=` and `<` before a number or date. A minus sign before an argument excludes what it
  /// describes. Text ignores case and diacritics.
  ///
  /// - Throws: `LibraryError` with `changeNotSupported` for an unknown key or an invalid value.
  public init(search arguments: some Sequence<String>) throws(LibraryError) {
    var words: [String] = []
    var nodes: [PredicateNode] = []
    for argument in arguments {
      let isExcluded = argument.count > 1 && argument.hasPrefix("-")
      let term = isExcluded ? String(argument.dropFirst()) : argument
      if let node = try SearchTerm(term).node {
        nodes += isExcluded ? [.not(node)] : node.conjuncts
      } else if isExcluded {
        nodes.append(.not(try SearchTerm.words(term)))
      } else {
        words.append(term)
      }
    }
    if !words.isEmpty { nodes.insert(try SearchTerm.words(words.joined(separator: " ")), at: 0) }
    node = nodes.count == 1 ? nodes[0] : .all(nodes)
    try node.check()
  }
}

/// An argument of the short form.
struct SearchTerm {
  let text: String

  init(_ text: String) { self.text = text }

  static func words(_ text: String) throws(LibraryError) -> PredicateNode {
    guard !WordQuery(text).terms.isEmpty else {
      throw .invalidSearch(text, "no letters or digits to search for")
    }
    return .words(.text, text)
  }

  static let texts = Dictionary(
    PhotoProperties.stated.compactMap(\.key).filter { $0.kind == .text }.map {
      ($0.name.lowercased(), $0)
    } + [("filename", .filename), ("name", .filename)], uniquingKeysWith: { first, _ in first })
  static let lists: [String: FetchColumn] = [
    "keyword": .keyword, "tag": .keyword, "person": .person, "album": .album, "digest": .digest,
  ]
  static let numbers: [String: FetchColumn] = [
    "rating": .rating, "iso": .iso, "f": .fNumber, "fnumber": .fNumber, "focal": .focalLength,
    "focallength": .focalLength, "exposuretime": .exposureTime, "shutter": .exposureTime,
    "width": .pixelWidth, "height": .pixelHeight, "duration": .duration, "size": .fileSize,
    "keywords": .keywordCount, "lat": .latitude, "lon": .longitude,
  ]
  static let flags: [String: PredicateNode] = {
    func flag(_ column: FetchColumn) -> PredicateNode {
      .compare(column, .equal, .init(true), folding: .exact)
    }
    func type(_ type: MediaType) -> PredicateNode {
      .compare(.mediaType, .equal, .init(type.rawValue), folding: .exact)
    }
    return [
      "favorite": flag(.favorite), "hidden": flag(.hidden), "edited": flag(.edited),
      "live": flag(.live), "burst": flag(.burst), "trashed": flag(.trashed),
      "photo": type(.image), "video": type(.video), "audio": type(.audio),
      "rejected": .compare(.rating, .equal, .init(-1), folding: .exact),
      "undated": .isNull(.creationDate, true), "located": .isNull(.location, false),
    ]
  }()

  static let keys =
    Array(texts.keys) + Array(lists.keys) + Array(numbers.keys)
    + ["date", "added", "is", "type", "id"]

  /// Keys of other programs, and what is written here.
  private static let otherKeys = [
    "after": "date:>", "aperture": "f:", "before": "date:<", "city": "place:", "color": "label:",
    "country": "place:", "description": "caption:", "ext": "filename:", "face": "person:",
    "favorite": "is:favorite", "format": "filename:", "location": "place:", "make": "camera:",
    "model": "camera:", "month": "date:", "people": "person:", "since": "date:>=",
    "stars": "rating:", "year": "date:",
  ]

  /// The condition; nil for a plain word.
  var node: PredicateNode? {
    get throws(LibraryError) {
      if let days = try days(text) { return days }
      guard let colon = text.firstIndex(of: ":") else { return nil }
      let key = text[..<colon].lowercased()
      let value = String(text[text.index(after: colon)...])
      guard !value.isEmpty else { throw .invalidSearch(text, "no value after \"\(key):\"") }
      if let column = Self.texts[key] {
        return .text(column, .contains, value, folding: .ignoringAccents)
      }
      if let column = Self.lists[key] {
        return .list(column, .equal, value, folding: .ignoringAccents)
      }
      if let column = Self.numbers[key] { return try range(value, column) }
      switch key {
      case "date":
        if let days = try days(value) { return days }
        guard let (comparison, value) = compared(value), let range = CalendarDay.range(value) else {
          throw .invalidSearch(text, "not a date; allowed: 2019, 2019-05, 2019-05-01, A..B")
        }
        switch comparison {
        case .greater, .lessOrEqual:
          return .compare(.day, comparison, .init(range.upperBound.number), folding: .exact)
        case .less, .greaterOrEqual:
          return .compare(.day, comparison, .init(range.lowerBound.number), folding: .exact)
        default: return FetchPredicate<Asset>.days(range).node
        }
      case "added": return try added(value)
      case "id": return .compare(.localIdentifier, .equal, .text(value), folding: .exact)
      case "is", "type":
        guard let flag = Self.flags[value.lowercased()] else {
          let allowed = Self.flags.keys.sorted().joined(separator: ", ")
          throw .invalidSearch(text, "unknown property; allowed: \(allowed)")
        }
        return flag
      default:
        let nearest = nearestMatch(to: key, among: Self.keys).map { "\($0):" }
        if let suggestion = Self.otherKeys[key] ?? nearest {
          throw .invalidSearch(text, "unknown key; did you mean \"\(suggestion)\"?")
        }
        let allowed = Self.keys.sorted().joined(separator: ", ")
        throw .invalidSearch(text, "unknown key; allowed: \(allowed)")
      }
    }
  }

  /// Splits "A..B"; an end that is missing is nil.
  private func ends(_ value: String) -> (String?, String?)? {
    guard let dots = value.firstRange(of: "..") else { return nil }
    let (low, high) = (String(value[..<dots.lowerBound]), String(value[dots.upperBound...]))
    return (low.isEmpty ? nil : low, high.isEmpty ? nil : high)
  }

  private static let signs: [(text: String, comparison: PredicateNode.Comparison)] = [
    (">=", .greaterOrEqual), ("<=", .lessOrEqual), (">", .greater), ("<", .less), ("=", .equal),
  ]

  /// Splits ">=4" into the comparison and the value; nil without a sign.
  private func compared(_ value: String) -> (comparison: PredicateNode.Comparison, value: String)? {
    Self.signs.first { value.hasPrefix($0.text) }.map {
      ($0.comparison, String(value.dropFirst($0.text.count)))
    }
  }

  private func range(_ value: String, _ column: FetchColumn) throws(LibraryError) -> PredicateNode {
    func number(_ text: String) throws(LibraryError) -> DatabaseValue {
      if let whole = Int64(text) { return .integer(whole) }
      guard let real = Double(text), real.isFinite else {
        throw .invalidSearch(self.text, "\"\(text)\" is not a number")
      }
      return .real(real)
    }
    guard let (low, high) = ends(value) else {
      let (comparison, value) = compared(value) ?? (.equal, value)
      return .compare(column, comparison, try number(value), folding: .exact)
    }
    switch (low, high) {
    case (let low?, let high?): return .between(column, try number(low), try number(high))
    case (let low?, nil):
      return .compare(column, .greaterOrEqual, try number(low), folding: .exact)
    case (nil, let high?):
      return .compare(column, .lessOrEqual, try number(high), folding: .exact)
    case (nil, nil): throw .invalidSearch(text, "a range requires a start or an end")
    }
  }

  /// Returns the condition on the day of capture; nil if a text is not a date or a range of dates.
  private func days(_ value: String) throws(LibraryError) -> PredicateNode? {
    guard let (low, high) = ends(value) else {
      return CalendarDay.range(value).map { FetchPredicate<Asset>.days($0).node }
    }
    let (first, last) = (
      low.flatMap { CalendarDay.range($0) }, high.flatMap { CalendarDay.range($0) }
    )
    guard (low == nil) == (first == nil), (high == nil) == (last == nil) else { return nil }
    switch (first?.lowerBound, last?.upperBound) {
    case (let first?, let last?):
      guard first <= last else { throw .invalidSearch(text, "the range ends before it begins") }
      return FetchPredicate<Asset>.days(first...last).node
    case (let first?, nil):
      return .compare(.day, .greaterOrEqual, .init(first.number), folding: .exact)
    case (nil, let last?):
      return .compare(.day, .lessOrEqual, .init(last.number), folding: .exact)
    case (nil, nil): return nil
    }
  }

  /// Returns the condition on the date of import, in days in UTC.
  private func added(_ value: String) throws(LibraryError) -> PredicateNode {
    let (low, high) = ends(value) ?? (value, value)
    func day(_ text: String?) throws(LibraryError) -> ClosedRange<CalendarDay>? {
      guard let text else { return nil }
      guard let range = CalendarDay.range(text) else {
        throw .invalidSearch(self.text, "\"\(text)\" is not a date")
      }
      return range
    }
    func seconds(_ day: Int) -> DatabaseValue { .real(Double(day) * 86_400) }
    var nodes: [PredicateNode] = []
    if let first = try day(low)?.lowerBound {
      nodes.append(
        .compare(.importDate, .greaterOrEqual, seconds(first.number), folding: .exact))
    }
    if let last = try day(high)?.upperBound {
      nodes.append(.compare(.importDate, .less, seconds(last.number + 1), folding: .exact))
    }
    return nodes.count == 1 ? nodes[0] : .all(nodes)
  }
}

extension LibraryError {
  fileprivate static func invalidSearch(_ text: String, _ reason: String) -> LibraryError {
    LibraryError(
      .changeNotSupported, "invalid search \"\(text.prefix(60))\": \(reason)",
      hint: "write a predicate with --where for other conditions")
  }
}
