// SPDX-License-Identifier: Apache-2.0

extension FetchResultChangeDetails {
  /// Creates details by comparing two results.
  ///
  /// Insertions, removals and moves are found by comparing identifiers. Changed members are not
  /// detected: they are taken from the given list, of which only objects in both results count.
  /// Details are created even if nothing differs.
  ///
  /// This is for programs that show a subset of a fetch result and filter it themselves:
  ///
  /// ```swift
  /// var fetched = try library.fetchAssets()
  /// var shown = FetchResult(fetched.filter(isNearby))
  /// var rows = shown.map(Row.init)
  ///
  /// // If there are details of `fetched`:
  /// fetched = details.fetchResultAfterChanges
  /// let nearby = FetchResult(fetched.filter(isNearby))
  /// let difference = FetchResultChangeDetails(
  ///   from: shown, to: nearby, changedObjects: details.changedObjects)
  /// rows = difference.applying(to: rows, making: Row.init)
  /// shown = nearby
  /// ```
  ///
  /// An asset that was moved to this location is changed in `details` and inserted in `difference`.
  ///
  /// - Parameters:
  ///   - before: The result that is shown. If it was fetched without change details, the details
  ///     are not incremental.
  ///   - after: The result to show.
  ///   - changedObjects: Objects whose properties or content changed; nil for none. Objects that
  ///     are not in both results are ignored.
  /// - Complexity: O(n log n), with n members of both results. For results of the same library,
  ///   only changed objects are read; otherwise, all objects are read.
  public init(
    from before: FetchResult<Object>, to after: FetchResult<Object>, changedObjects: [Object]? = nil
  ) {
    let difference = Self.difference(from: before, to: after)
    self.init(
      before: before, after: after, difference: difference,
      changed: difference.map {
        Self.indexes(of: changedObjects ?? [], in: after, without: $0.inserted)
      } ?? [])
  }

  private static func difference(
    from before: FetchResult<Object>, to after: FetchResult<Object>
  ) -> ListDifference? {
    let budget = ListDifference.budget
    if let library = before.library, library === after.library, !before.rows.contains(0),
      !after.rows.contains(0)
    {
      return ListDifference(from: before.rows, to: after.rows, budget: budget)
    }
    return ListDifference(
      from: before.map(\.localIdentifier), to: after.map(\.localIdentifier), budget: budget)
  }

  /// Returns the indexes of objects in a result, ascending, except the indexes of insertions.
  private static func indexes(
    of objects: [Object], in result: FetchResult<Object>, without insertions: [Int]
  ) -> [Int] {
    guard !objects.isEmpty else { return [] }
    let names = Set(objects.map(\.localIdentifier))
    // Members of a library need not be read if none of the objects has their row.
    let rows = result.library.map { _ in Set(objects.map { Object.source.row($0) ?? 0 }) }
    var insertions = insertions[...]
    var indexes: [Int] = []
    for (index, row) in result.rows.enumerated() {
      if insertions.first == index {
        insertions.removeFirst()
      } else if rows?.contains(row) != false, names.contains(result[index].localIdentifier) {
        indexes.append(index)
      }
    }
    return indexes
  }
}
