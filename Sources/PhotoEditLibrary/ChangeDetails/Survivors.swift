// SPDX-License-Identifier: Apache-2.0

/// Those who stay in a list when some are taken out.
struct Survivors {
  private let before: Int
  /// Ascending.
  private let taken: [Int]

  init(count: Int, taken: [Int]) {
    before = count
    self.taken = taken
  }

  /// How many stay.
  var count: Int { before - taken.count }

  /// The index in the list of the one with a number of others before it; the number of all has the
  /// list's end.
  func index(of rank: Int) -> Int {
    if rank >= count { return before }
    // The first one taken that leaves more than `rank` before it.
    var (low, high) = (0, taken.count)
    while low < high {
      let middle = (low + high) / 2
      if taken[middle] - middle <= rank { low = middle + 1 } else { high = middle }
    }
    return rank + low
  }

  /// How many stay before the one at an index.
  func rank(of index: Int) -> Int { index - taken.partitionPoint { $0 >= index } }

  /// Whether the one at an index stays.
  func holds(_ index: Int) -> Bool {
    let next = taken.partitionPoint { $0 >= index }
    return next == taken.count || taken[next] != index
  }
}

extension [Int] {
  /// The first index whose element meets a condition, where all after it do too.
  func partitionPoint(_ condition: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
