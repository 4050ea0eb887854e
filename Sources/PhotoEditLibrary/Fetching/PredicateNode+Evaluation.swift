// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

extension PredicateNode {
  /// Returns whether the condition is true for values in memory, exactly as in the database.
  ///
  /// - Returns: nil for neither true nor false, because of a missing value.
  func evaluate<Object>(_ object: Object, _ source: FetchSource<Object>) -> Bool? {
    func value(_ column: FetchColumn) -> DatabaseValue { source.value(object, column) }
    switch self {
    case .constant(let value): return value
    case .compare(let column, let comparison, let expected, let folding):
      guard column.kind == .identifier else {
        return Self.compare(value(column), comparison, expected, folding)
      }
      guard case .text(let text) = expected, let identity = source.identity(text) else {
        return comparison == .notEqual
      }
      return Self.compare(value(column), comparison, identity)
    case .compareColumns(let first, let comparison, let second):
      return Self.compare(value(first), comparison, value(second))
    case .masked(let column, let mask, let isEqual, let expected):
      guard case .integer(let bits) = value(column) else { return nil }
      return ((bits & mask) == expected) == isEqual
    case .among(let column, let list):
      // In SQL, an empty list contains nothing, not even a missing value.
      if list.isEmpty { return false }
      let found = value(column)
      if found == .null { return nil }
      return list.contains { expected in
        guard column.kind == .identifier else { return SQLOrder.of(found, expected) == .same }
        if case .text(let text) = expected { return source.identity(text) == found }
        return false
      }
    case .between(let column, let low, let high):
      let found = value(column)
      return Self.both([
        Self.compare(found, .greaterOrEqual, low), Self.compare(found, .lessOrEqual, high),
      ])
    case .text(let column, let test, let text, let folding):
      guard case .text(let found) = value(column) else { return nil }
      return test.matches(folding(found), folding(text))
    case .list(let column, let test, let text, let folding):
      guard column.kind == .list else { return nil }
      guard case .text(let found) = value(column) else { return false }
      return ListText.matches(found, test, text, folding)
    case .words(let column, let query):
      guard case .text(let found) = value(column) else { return false }
      return WordQuery(query).matches(found)
    case .box(let south, let west, let north, let east):
      let latitude = Self.compareRange(value(.latitude), south, north)
      let longitude = value(.longitude)
      guard west > east else {
        return Self.both([latitude, Self.compareRange(longitude, west, east)])
      }
      return Self.both([
        latitude,
        Self.either([
          Self.compare(longitude, .greaterOrEqual, .real(west)),
          Self.compare(longitude, .lessOrEqual, .real(east)),
        ]),
      ])
    case .isNull(let column, _) where column.kind == .external: return nil
    case .isNull(let column, let isNull): return (value(column) == .null) == isNull
    case .not(let node): return node.evaluate(object, source).map { !$0 }
    case .all(let nodes): return Self.both(nodes.lazy.map { $0.evaluate(object, source) })
    case .any(let nodes):
      return Self.either(nodes.lazy.map { $0.evaluate(object, source) })
    }
  }

  /// Returns the three-valued AND: a single false value decides.
  private static func both(_ values: some Sequence<Bool?>) -> Bool? {
    var result: Bool? = true
    for value in values {
      if value == false { return false }
      if value == nil { result = nil }
    }
    return result
  }

  /// Returns the three-valued OR: a single true value decides.
  private static func either(_ values: some Sequence<Bool?>) -> Bool? {
    both(values.lazy.map { $0.map { !$0 } }).map { !$0 }
  }

  private static func compareRange(_ found: DatabaseValue, _ low: Double, _ high: Double) -> Bool? {
    both([compare(found, .greaterOrEqual, .real(low)), compare(found, .lessOrEqual, .real(high))])
  }

  private static func compare(
    _ found: DatabaseValue, _ comparison: Comparison, _ expected: DatabaseValue,
    _ folding: TextFolding = .exact
  ) -> Bool? {
    if found == .null || expected == .null { return nil }
    var (found, expected) = (found, expected)
    if folding != .exact, case .text(let a) = found, case .text(let b) = expected {
      (found, expected) = (.text(folding(a)), .text(folding(b)))
    }
    let order = SQLOrder.of(found, expected)
    return switch comparison {
    case .equal: order == .same
    case .notEqual: order != .same
    case .less: order == .before
    case .lessOrEqual: order != .after
    case .greater: order == .after
    case .greaterOrEqual: order != .before
    }
  }
}

extension PredicateNode.TextTest {
  fileprivate func matches(_ text: String, _ part: String) -> Bool {
    switch self {
    case .contains: text.hasBytes(of: part)
    case .beginsWith: text.utf8.starts(with: part.utf8)
    case .endsWith: text.utf8.reversed().starts(with: part.utf8.reversed())
    case .like: LikePattern(part).matches(text)
    }
  }
}

/// The order of values in SQLite: NULL, numbers, strings by their bytes, blobs.
enum SQLOrder {
  case before, same, after

  static func of(_ first: DatabaseValue, _ second: DatabaseValue) -> SQLOrder {
    switch (first, second) {
    case (.null, .null): .same
    case (.integer(let a), .integer(let b)): of(a, b)
    case (.real(let a), .real(let b)): of(a, b)
    case (.integer(let a), .real(let b)): of(whole: a, b)
    case (.real(let a), .integer(let b)): of(whole: b, a).reversed
    case (.text(let a), .text(let b)): of(a.utf8, b.utf8)
    case (.blob(let a), .blob(let b)): of(a, b)
    default: of(rank(first), rank(second))
    }
  }

  private var reversed: SQLOrder {
    switch self {
    case .before: .after
    case .same: .same
    case .after: .before
    }
  }

  private static func of<Value: Comparable>(_ a: Value, _ b: Value) -> SQLOrder {
    a < b ? .before : a == b ? .same : .after
  }

  private static func of(_ a: some Sequence<UInt8>, _ b: some Sequence<UInt8>) -> SQLOrder {
    if a.lexicographicallyPrecedes(b) { return .before }
    return a.elementsEqual(b) ? .same : .after
  }

  /// Compares without rounding the integer.
  private static func of(whole a: Int64, _ b: Double) -> SQLOrder {
    if b >= 0x1p63 { return .before }
    if b < -0x1p63 { return .after }
    let whole = Int64(b.rounded(.towardZero))
    return a == whole ? of(Double(whole), b) : of(a, whole)
  }

  private static func rank(_ value: DatabaseValue) -> Int {
    switch value {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }
}
