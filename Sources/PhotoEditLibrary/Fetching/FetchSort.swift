// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// A sort descriptor: a key and a direction.
///
/// Objects without a value come first in ascending order and last in descending order; strings are
/// sorted by their UTF-8 bytes. Objects with equal values are in the order in which they were added
/// to the library, reversed if the last descriptor is descending.
public struct FetchSort<Object: FetchedObject>: Sendable, Hashable {
  let column: FetchColumn
  /// Indicates whether the order is ascending.
  public let ascending: Bool

  /// Creates a sort descriptor for a key.
  public init<Value>(_ key: FetchKey<Object, Value>, ascending: Bool = true) {
    column = key.column
    self.ascending = ascending
  }

  /// Creates a sort descriptor for the name of a key.
  ///
  /// - Throws: `LibraryError` with `changeNotSupported` for an undocumented name.
  public init(key: String, ascending: Bool = true) throws(LibraryError) {
    let sortable = Object.source.columns.filter(\.isSortable).map(\.name)
    guard key != "SELF" else { throw .unknownKey(key, allowed: sortable, position: nil) }
    column = try Object.source.column(key, position: nil)
    guard column.isSortable else { throw .unknownKey(key, allowed: sortable, position: nil) }
    self.ascending = ascending
  }

  /// The name of the key.
  public var key: String { column.name }
}

extension FetchSource {
  /// Returns the column of a key or of an alias of it.
  func column(_ key: String, position: Int?) throws(LibraryError) -> FetchColumn {
    let name = aliases[key] ?? key
    if let column = columns.first(where: { $0.name == name }) { return column }
    throw .unknownKey(key, allowed: columns.map(\.name), position: position)
  }
}

extension [FetchColumn] {
  /// Returns the values by which an object is sorted.
  func values<Object>(_ object: Object, _ source: FetchSource<Object>) -> [DatabaseValue] {
    map { source.value(object, $0) }
  }
}

/// Sorts objects that were fetched one by one, with the same result as ORDER BY.
struct FetchOrder {
  let ascending: [Bool]

  /// Creates the order of the descriptors; without any, ascending by the single default key.
  init<Object>(_ sorts: [FetchSort<Object>]) {
    ascending = sorts.isEmpty ? [true] : sorts.map(\.ascending)
  }

  /// Returns whether one element precedes another.
  ///
  /// - Parameters:
  ///   - first: The values and the tiebreaker of one element.
  ///   - second: The values and the tiebreaker of the other.
  func precedes(
    _ first: (values: [DatabaseValue], tiebreaker: Int64),
    _ second: (values: [DatabaseValue], tiebreaker: Int64)
  ) -> Bool {
    for (i, isAscending) in ascending.enumerated() {
      switch SQLOrder.of(first.values[i], second.values[i]) {
      case .same: continue
      case .before: return isAscending
      case .after: return !isAscending
      }
    }
    return ascending.last ?? true
      ? first.tiebreaker < second.tiebreaker : first.tiebreaker > second.tiebreaker
  }
}
