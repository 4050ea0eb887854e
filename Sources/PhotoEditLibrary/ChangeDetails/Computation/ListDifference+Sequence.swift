// SPDX-License-Identifier: Apache-2.0

extension ListDifference {
  /// Moves from the intermediate list to the new list, to be applied one by one.
  ///
  /// Indexes are completed one by one, starting at the front: each move brings the element
  /// of that index forward. Moving the first element to the end takes one move for
  /// each of the other elements; `moves` takes fewer.
  ///
  /// - Complexity: O(m + p log p), with m moves and p pieces and insertions; computed on each
  ///   access.
  var sequentialMoves: [Move] {
    guard segments.contains(where: \.isMoved) else { return [] }
    let parts =
      (segments.map { Part(between: $0.between, after: $0.after, count: $0.count) }
      + inserted.map { Part(between: $0, after: $0, count: 1) })
      .sorted { $0.between < $1.between }
    var moves: [Move] = []
    // The number of completed elements in each part.
    var resolved = FenwickTree(count: parts.count, identity: 0, combine: +)
    for index in parts.indices.sorted(by: { parts[$0].after < parts[$1].after }) {
      let part = parts[index]
      // Incomplete elements that were before the part are still before it.
      let ahead = part.between - resolved.total(before: index)
      if ahead > 0 {
        let targets = part.after..<part.after + part.count
        moves += targets.map { Move(from: $0 + ahead, to: $0) }
      }
      resolved.add(part.count, at: index)
    }
    return moves
  }

  /// Elements that are adjacent in the intermediate and in the new list.
  private struct Part {
    let between: Int
    let after: Int
    let count: Int
  }
}
