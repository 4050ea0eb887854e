// SPDX-License-Identifier: Apache-2.0

extension ListDifference {
  /// Moves that lead from the list in between to the list after when made one by one.
  ///
  /// Index after index is settled from the front: each move fetches the element that belongs there
  /// from further back. A list whose first element goes to the end takes as many moves as it has
  /// elements, for all of the others are fetched; `moves` are fewer.
  ///
  /// - Complexity: O(m + p log p), with m moves and p pieces and insertions; each time it is asked.
  var sequentialMoves: [Move] {
    guard pieces.contains(where: \.isMoved) else { return [] }
    let parts =
      (pieces.map { Part(between: $0.between, after: $0.after, count: $0.count) }
      + inserted.map { Part(between: $0, after: $0, count: 1) })
      .sorted { $0.between < $1.between }
    var moves: [Move] = []
    // How many elements of each part are settled.
    var settled = PrefixTree(count: parts.count, neutral: 0, combine: +)
    for index in parts.indices.sorted(by: { parts[$0].after < parts[$1].after }) {
      let part = parts[index]
      // Whatever was in front and is not settled yet is still in front of the part.
      let ahead = part.between - settled.total(before: index)
      if ahead > 0 {
        let targets = part.after..<part.after + part.count
        moves += targets.map { Move(from: $0 + ahead, to: $0) }
      }
      settled.add(part.count, at: index)
    }
    return moves
  }

  /// Elements that lie one after the other in between and after.
  private struct Part {
    let between: Int
    let after: Int
    let count: Int
  }
}
