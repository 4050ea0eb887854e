// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// The filtering, sorting and limit of a fetch; a value that each fetch copies.
public struct FetchOptions<Object: FetchedObject>: Sendable, Hashable {
  /// The condition that objects must meet; nil for no condition.
  public var predicate: FetchPredicate<Object>?
  /// The sort descriptors, most significant first; if empty, the fetch's default order applies.
  public var sortDescriptors: [FetchSort<Object>]
  /// Indicates whether hidden assets are included.
  public var includeHiddenAssets: Bool
  /// Indicates whether all assets of a burst are included, not only the representative and the
  /// user-picked ones.
  public var includeAllBurstAssets: Bool
  /// The included sources of assets; if empty, the default of the fetch applies.
  ///
  /// By default, fetches from the whole library and from smart albums include assets of the user's
  /// library; fetches from albums include all sources.
  public var includeAssetSourceTypes: SourceType
  /// The maximum number of objects, after sorting; 0 for all.
  public var fetchLimit: Int
  /// Indicates whether change details are available for the result.
  public var wantsIncrementalChangeDetails: Bool

  /// Creates options; without arguments, the default ones.
  public init(
    predicate: FetchPredicate<Object>? = nil, sortDescriptors: [FetchSort<Object>] = [],
    includeHiddenAssets: Bool = false, includeAllBurstAssets: Bool = false,
    includeAssetSourceTypes: SourceType = [], fetchLimit: Int = 0,
    wantsIncrementalChangeDetails: Bool = true
  ) {
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
    self.includeHiddenAssets = includeHiddenAssets
    self.includeAllBurstAssets = includeAllBurstAssets
    self.includeAssetSourceTypes = includeAssetSourceTypes
    self.fetchLimit = fetchLimit
    self.wantsIncrementalChangeDetails = wantsIncrementalChangeDetails
  }

  /// Options that include hidden assets and all assets of bursts.
  package static var complete: Self {
    var options = Self()
    (options.includeHiddenAssets, options.includeAllBurstAssets) = (true, true)
    return options
  }

  /// Throws an error for invalid options, before any query runs.
  func check() throws(LibraryError) {
    guard fetchLimit >= 0 else { throw .badFetchLimit(fetchLimit) }
    guard sortDescriptors.count <= 64 else { throw .tooManySorts(sortDescriptors.count) }
    try predicate?.node.check()
  }

  /// Returns "ORDER BY …", with a tiebreaker in the direction of the last descriptor.
  func order(_ fallback: String, tiebreaker: String = "id") -> String {
    guard let last = sortDescriptors.last else { return " ORDER BY \(fallback)" }
    let keys = sortDescriptors.map { sort in
      (Object.source.expressions[sort.column.name] ?? "NULL") + (sort.ascending ? "" : " DESC")
    }
    return
      " ORDER BY \(keys.joined(separator: ", ")), \(tiebreaker)\(last.ascending ? "" : " DESC")"
  }

  /// "LIMIT ?", or an empty string.
  var limit: SQLFragment {
    fetchLimit == 0 ? SQLFragment("") : SQLFragment(" LIMIT ?", [.integer(Int64(fetchLimit))])
  }

  /// Filters, sorts and limits objects in memory, with the same result as the database for rows.
  func apply(to objects: [Object]) -> [Object] {
    var found = objects
    if let predicate { found = found.filter { predicate.evaluate(with: $0) } }
    if !sortDescriptors.isEmpty {
      let columns = sortDescriptors.map(\.column)
      let order = FetchOrder(sortDescriptors)
      let keyed = found.enumerated().map { i, object in
        (object, (values: columns.values(object, Object.source), tiebreaker: Int64(i)))
      }
      found = keyed.sorted { order.precedes($0.1, $1.1) }.map(\.0)
    }
    return fetchLimit == 0 ? found : Array(found.prefix(fetchLimit))
  }
}

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
