// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// How objects are found, sorted and limited; a value that is copied by each fetch.
public struct FetchOptions<Object: FetchedObject>: Sendable, Hashable {
  /// What objects must meet; nil for no condition.
  public var predicate: FetchPredicate<Object>?
  /// How objects are sorted, the most important key first; the order of the fetch when empty.
  public var sortDescriptors: [FetchSort<Object>]
  /// Whether hidden assets are among them.
  public var includeHiddenAssets = false
  /// Whether all assets of a burst are among them, not only the representative and what a person
  /// picked.
  public var includeAllBurstAssets = false
  /// Sources of the assets; none for what the fetch finds right.
  ///
  /// Fetches from the whole library and from smart albums give one's own assets; albums give
  /// whatever is in them.
  public var includeAssetSourceTypes: SourceType = []
  /// How many objects there are at most, after sorting; 0 for all.
  public var fetchLimit: Int
  /// Whether the result is to have change details.
  public var wantsIncrementalChangeDetails = true

  /// Makes options; without arguments, the usual ones.
  public init(
    predicate: FetchPredicate<Object>? = nil, sortDescriptors: [FetchSort<Object>] = [],
    fetchLimit: Int = 0
  ) {
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
    self.fetchLimit = fetchLimit
  }

  /// Refuses what cannot be fetched, before anything runs.
  func check() throws(LibraryError) {
    guard fetchLimit >= 0 else { throw .badFetchLimit(fetchLimit) }
    guard sortDescriptors.count <= 64 else { throw .tooManySorts(sortDescriptors.count) }
    try predicate?.node.check()
  }

  /// "ORDER BY …", with a tiebreak that follows the last descriptor.
  func order(_ fallback: String, tie: String = "id") -> String {
    guard let last = sortDescriptors.last else { return " ORDER BY \(fallback)" }
    let keys = sortDescriptors.map { sort in
      (Object.source.expressions[sort.column.name] ?? "NULL") + (sort.ascending ? "" : " DESC")
    }
    return " ORDER BY \(keys.joined(separator: ", ")), \(tie)\(last.ascending ? "" : " DESC")"
  }

  /// "LIMIT ?", or nothing.
  var limit: SQLText {
    fetchLimit == 0 ? SQLText("") : SQLText(" LIMIT ?", [.integer(Int64(fetchLimit))])
  }

  /// Finds, sorts and limits objects in memory as the database does it with rows.
  func apply(to objects: [Object]) -> [Object] {
    var found = objects
    if let predicate { found = found.filter { predicate.evaluate(with: $0) } }
    if !sortDescriptors.isEmpty {
      let columns = sortDescriptors.map(\.column)
      let order = FetchOrder(sortDescriptors)
      let keyed = found.enumerated().map { i, object in
        (object, (values: columns.values(object, Object.source), tie: Int64(i)))
      }
      found = keyed.sorted { order.precedes($0.1, $1.1) }.map(\.0)
    }
    return fetchLimit == 0 ? found : Array(found.prefix(fetchLimit))
  }
}
