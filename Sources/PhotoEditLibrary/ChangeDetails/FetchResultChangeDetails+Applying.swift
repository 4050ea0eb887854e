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
}
