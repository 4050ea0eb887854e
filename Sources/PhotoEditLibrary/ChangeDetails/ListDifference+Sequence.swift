// SPDX-License-Identifier: Apache-2.0

extension ListDifference {
  /// Moves from the intermediate list to the new list, to be applied one by one.
  ///
  /// Each index is settled in turn, starting at the front: each move brings the element of that
  /// index forward from further back. A list whose first element moves to the end takes one move
  /// for each of the other elements; `moves` are fewer.
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
    // The number of settled elements in each part.
    var resolved = FenwickTree(count: parts.count, neutral: 0, combine: +)
    for index in parts.indices.sorted(by: { parts[$0].after < parts[$1].after }) {
      let part = parts[index]
      // Unsettled elements that were before the part are still before it.
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
