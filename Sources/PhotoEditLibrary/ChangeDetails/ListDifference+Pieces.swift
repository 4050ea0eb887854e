// SPDX-License-Identifier: Apache-2.0

extension ListDifference {
  /// Survivors that lie one after the other in all three lists, between the same two insertions.
  ///
  /// All of them move, or none does.
  struct Piece: Hashable, Sendable {
    /// The index of the first one in the list before.
    let before: Int
    /// The index of the first one in the list in between.
    let between: Int
    /// The index of the first one in the list after.
    let after: Int
    /// How many there are.
    let count: Int
    /// How many insertions lie in front of them in the list in between.
    let insertions: Int
    /// Whether they move.
    var isMoved = true
  }
}

extension ListDifference.Piece {
  /// Cuts runs where something is inserted in the list in between; ascending by `between`.
  static func cut(
    _ runs: [ListDifference.Run], removed: [Int], inserted: [Int]
  ) -> [Self] {
    var pieces: [Self] = []
    // How many of each lie in front.
    var (removals, insertions) = (0, 0)
    for run in runs {
      while removals < removed.count, removed[removals] < run.before { removals += 1 }
      var done = 0
      while done < run.count {
        // The index among the survivors.
        let rank = run.before + done - removals
        while insertions < inserted.count, inserted[insertions] <= rank + insertions {
          insertions += 1
        }
        let room = insertions < inserted.count ? inserted[insertions] - insertions - rank : .max
        let count = min(run.count - done, room)
        pieces.append(
          Self(
            before: run.before + done, between: rank + insertions, after: run.after + done,
            count: count, insertions: insertions))
        done += count
      }
    }
    return pieces
  }

  /// Marks the pieces that stay: as many elements as can be whose order is the same in both lists.
  ///
  /// Inserted elements stay, so a survivor that is in front of one in between and behind it after
  /// must move; the others are free of the insertions. Of several choices of the same length this
  /// is the one that patience sorting makes, element by element: it follows the chain that was the
  /// longest last.
  static func settled(_ pieces: [Self], inserted: [Int]) -> [Self] {
    let order = pieces.indices.sorted { pieces[$0].after < pieces[$1].after }
    var pieces = pieces
    // The place in the list after of each piece that may stay.
    var places: [Int?] = Array(repeating: nil, count: pieces.count)
    var insertions = 0
    for (place, index) in order.enumerated() {
      let piece = pieces[index]
      while insertions < inserted.count, inserted[insertions] < piece.after { insertions += 1 }
      if insertions == piece.insertions { places[index] = place }
    }
    var chains = PrefixTree(count: pieces.count, neutral: Chain(length: 0, last: nil)) {
      $0.precedes($1) ? $1 : $0
    }
    var previous: [Int?] = Array(repeating: nil, count: pieces.count)
    for (index, place) in places.enumerated() {
      guard let place else { continue }
      let chain = chains.total(before: place)
      previous[index] = chain.last
      chains.add(Chain(length: chain.length + pieces[index].count, last: index), at: place)
    }
    var next = chains.total(before: pieces.count).last
    while let index = next {
      pieces[index].isMoved = false
      next = previous[index]
    }
    return pieces
  }
}

/// Pieces that follow each other in both lists.
private struct Chain {
  /// How many elements they have.
  let length: Int
  /// The index of the last piece; nil when there is none.
  let last: Int?

  /// Whether another chain is to be preferred: a longer one, or one as long that was found later.
  func precedes(_ other: Chain) -> Bool {
    (length, last ?? -1) < (other.length, other.last ?? -1)
  }
}
