// SPDX-License-Identifier: Apache-2.0

extension FetchResultChangeDetails {
  /// Compares two results.
  ///
  /// Who comes, goes and moves is found by comparing names. Who changed is not: that is what the
  /// list says, of which only those count that are in both results. There are details even when
  /// nothing differs.
  ///
  /// This serves programs that show a part of what they fetched and choose it themselves:
  ///
  /// ```swift
  /// var fetched = try library.fetchAssets()
  /// var shown = FetchResult(fetched.filter(isNearby))
  /// var rows = shown.map(Row.init)
  ///
  /// // When there are details of `fetched`:
  /// fetched = details.fetchResultAfterChanges
  /// let nearby = FetchResult(fetched.filter(isNearby))
  /// let difference = FetchResultChangeDetails(
  ///   from: shown, to: nearby, changedObjects: details.changedObjects)
  /// rows = difference.applying(to: rows, making: Row.init)
  /// shown = nearby
  /// ```
  ///
  /// An asset that was moved to this place is changed in `details` and inserted in `difference`.
  ///
  /// - Parameters:
  ///   - before: What is shown. When it was fetched and did not want change details, there are none.
  ///   - after: What is to be shown.
  ///   - changedObjects: Objects whose properties or content changed; nil and those that are not in
  ///     both results change nothing.
  /// - Complexity: O(n log n), with n members of both results. Of results of the same library, only
  ///   changed objects are read; otherwise all are.
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

  /// Where objects are in a result, ascending, apart from the indexes of newcomers.
  private static func indexes(
    of objects: [Object], in result: FetchResult<Object>, without newcomers: [Int]
  ) -> [Int] {
    guard !objects.isEmpty else { return [] }
    let names = Set(objects.map(\.localIdentifier))
    // Members of a library need not be read when none of the objects has their row.
    let rows = result.library.map { _ in Set(objects.map { Object.source.row($0) ?? 0 }) }
    var newcomers = newcomers[...]
    var indexes: [Int] = []
    for (index, row) in result.rows.enumerated() {
      if newcomers.first == index {
        newcomers.removeFirst()
      } else if rows?.contains(row) != false, names.contains(result[index].localIdentifier) {
        indexes.append(index)
      }
    }
    return indexes
  }
}
