// SPDX-License-Identifier: Apache-2.0

extension ListDifference {
  /// Makes any array that stands for the list before into one that stands for the list after.
  ///
  /// Removes, inserts what the closure gives for an index of the list after, and moves in two
  /// phases: everything that moves is taken out before anything is put back. An array of another
  /// length than the list before is a programmer's error.
  ///
  /// - Complexity: O(n + k log k), with n elements and k operations.
  func applying<Element, Failure: Error>(
    to array: [Element], inserting element: (_ index: Int) throws(Failure) -> Element
  ) throws(Failure) -> [Element] {
    precondition(
      array.count == beforeCount,
      "the array has \(array.count) elements, the list before the changes \(beforeCount)")
    let between = array.removing(at: removed).inserting(try inserted.map(element), at: inserted)
    let moves = self.moves
    guard !moves.isEmpty else { return between }
    let ordered = moves.sorted { $0.to < $1.to }
    return between.removing(at: moves.map(\.from))
      .inserting(ordered.map { between[$0.from] }, at: ordered.map(\.to))
  }
}
