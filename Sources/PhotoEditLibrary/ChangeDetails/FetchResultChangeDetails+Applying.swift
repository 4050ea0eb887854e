// SPDX-License-Identifier: Apache-2.0

extension FetchResultChangeDetails {
  /// Makes the objects of the result before into those of the result after.
  ///
  /// An array of another length than the result before is a programmer's error, unless the details
  /// are not incremental: then the result after takes its place whatever it holds.
  ///
  /// - Complexity: O(n), with n members.
  public func applying(to objects: [Object]) -> [Object] {
    applying(to: objects) { $0 }
  }

  /// Makes what a program shows for the result before into what it shows for the result after.
  ///
  /// Removes, inserts, moves and refreshes, in this order. Only for inserted and changed members,
  /// and for all when the details are not incremental, something new is made.
  ///
  /// ```swift
  /// rows = details.applying(to: rows) { asset in Row(title: asset.originalFilename) }
  /// ```
  ///
  /// An array of another length than the result before is a programmer's error, unless the details
  /// are not incremental.
  ///
  /// - Parameters:
  ///   - elements: What is shown, one for each member of the result before, in its order.
  ///   - element: Makes what is shown for a member of the result after.
  /// - Returns: What is to be shown, one for each member of the result after, in its order.
  /// - Throws: What the closure throws.
  /// - Complexity: O(n), with n members.
  public func applying<Element, Failure: Error>(
    to elements: [Element], making element: (Object) throws(Failure) -> Element
  ) throws(Failure) -> [Element] {
    let after = fetchResultAfterChanges
    guard let difference else { return try after.map(element) }
    var result = try difference.applying(to: elements) { index throws(Failure) in
      try element(after[index])
    }
    // Last, for these are indexes of the list after.
    for index in changedIndexes ?? [] { result[index] = try element(after[index]) }
    return result
  }
}
