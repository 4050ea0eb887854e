// SPDX-License-Identifier: Apache-2.0

extension FetchResultChangeDetails {
  /// Returns the objects of the old result, updated to those of the new result.
  ///
  /// Passing an array whose length differs from that of the old result is a programming error,
  /// unless the details are not incremental: then the new result replaces the array regardless of
  /// its contents.
  ///
  /// - Complexity: O(n), with n members.
  public func applying(to objects: [Object]) -> [Object] {
    applying(to: objects) { $0 }
  }

  /// Returns the elements shown for the old result, updated to show the new result.
  ///
  /// Removes, inserts, moves and refreshes, in this order. New elements are created only for
  /// inserted and changed members, or for all members if the details are not incremental.
  ///
  /// ```swift
  /// rows = details.applying(to: rows) { asset in Row(title: asset.originalFilename) }
  /// ```
  ///
  /// Passing an array whose length differs from that of the old result is a programming error,
  /// unless the details are not incremental.
  ///
  /// - Parameters:
  ///   - elements: The current elements, one for each member of the old result, in its order.
  ///   - element: Creates the element for a member of the new result.
  /// - Returns: The new elements, one for each member of the new result, in its order.
  /// - Throws: Any error that the closure throws.
  /// - Complexity: O(n), with n members.
  public func applying<Element, Failure: Error>(
    to elements: [Element], making element: (Object) throws(Failure) -> Element
  ) throws(Failure) -> [Element] {
    let after = fetchResultAfterChanges
    guard let difference else { return try after.map(element) }
    var result = try difference.applying(to: elements) { index throws(Failure) in
      try element(after[index])
    }
    // Last, because these are indexes in the new list.
    for index in changedIndexes ?? [] { result[index] = try element(after[index]) }
    return result
  }

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

extension FetchResult: Codable where Object: Codable {
  /// Encodes the members, all of which are read.
  public func encode(to encoder: any Encoder) throws {
    try Array(self).encode(to: encoder)
    if let failure { throw failure }
  }

  /// Decodes members; the result belongs to no library, like one created from given objects.
  public init(from decoder: any Decoder) throws { self.init(try [Object](from: decoder)) }
}

extension FetchResultChangeDetails: Codable where Object: Codable {
  private enum CodingKeys: CodingKey {
    case before, after, changedIndexes
  }

  /// Encodes both results in full and the changed indexes; the other indexes follow from them.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(fetchResultBeforeChanges, forKey: .before)
    try container.encode(fetchResultAfterChanges, forKey: .after)
    try container.encodeIfPresent(changedIndexes, forKey: .changedIndexes)
  }

  /// Decodes details; their results belong to no library.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let before = try container.decode(FetchResult<Object>.self, forKey: .before)
    let after = try container.decode(FetchResult<Object>.self, forKey: .after)
    let changed = try container.decodeIfPresent([Int].self, forKey: .changedIndexes)
    guard let changed else {
      self.init(before: before, after: after, difference: nil, changed: [])
      return
    }
    guard changed.allSatisfy(after.indices.contains) else {
      throw DecodingError.dataCorruptedError(
        forKey: .changedIndexes, in: container,
        debugDescription: "the change details expect \(after.count) members after the changes")
    }
    self.init(from: before, to: after, changedObjects: changed.map { after[$0] })
  }
}
