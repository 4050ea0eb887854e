// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// A key by whose values objects are sorted.
///
/// What has no value comes first when ascending and last when descending; texts are sorted by their
/// bytes in UTF-8. Objects with equal values are in the order in which they came into the library,
/// and the other way round when the last descriptor descends.
public struct FetchSort<Object: FetchedObject>: Sendable, Hashable {
  let column: FetchColumn
  /// Whether small values come first.
  public let ascending: Bool

  /// Sorts by a key.
  public init<Value>(_ key: FetchKey<Object, Value>, ascending: Bool = true) {
    column = key.column
    self.ascending = ascending
  }

  /// Sorts by the key of a name.
  ///
  /// - Throws: `LibraryError` with `changeNotSupported` for any name that is not documented.
  public init(key: String, ascending: Bool = true) throws(LibraryError) {
    guard key != "SELF" else {
      throw .unknownKey(key, allowed: Object.source.columns.map(\.name), position: nil)
    }
    column = try Object.source.column(key, position: nil)
    self.ascending = ascending
  }

  /// The name of the key.
  public var key: String { column.name }
}

extension FetchSource {
  /// The column of a key or of another spelling of it.
  func column(_ key: String, position: Int?) throws(LibraryError) -> FetchColumn {
    let name = aliases[key] ?? key
    if let column = columns.first(where: { $0.name == name }) { return column }
    throw .unknownKey(key, allowed: columns.map(\.name), position: position)
  }
}

extension [FetchColumn] {
  /// The values by which an object is sorted.
  func values<Object>(_ object: Object, _ source: FetchSource<Object>) -> [SQLValue] {
    map { source.value(object, $0) }
  }
}

/// Sorts what was fetched one by one, exactly as ORDER BY sorts.
struct FetchOrder {
  let ascending: [Bool]

  /// Without descriptors, the one key of the usual order.
  init<Object>(_ sorts: [FetchSort<Object>]) {
    ascending = sorts.isEmpty ? [true] : sorts.map(\.ascending)
  }

  /// Whether something comes before something else.
  ///
  /// - Parameters:
  ///   - first: Values and the tiebreak of one.
  ///   - second: Values and the tiebreak of the other.
  func precedes(
    _ first: (values: [SQLValue], tie: Int64), _ second: (values: [SQLValue], tie: Int64)
  ) -> Bool {
    for (i, isAscending) in ascending.enumerated() {
      switch SQLOrder.of(first.values[i], second.values[i]) {
      case .same: continue
      case .before: return isAscending
      case .after: return !isAscending
      }
    }
    return ascending.last ?? true ? first.tie < second.tie : first.tie > second.tie
  }
}
