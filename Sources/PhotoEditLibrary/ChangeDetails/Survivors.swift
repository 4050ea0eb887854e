// SPDX-License-Identifier: Apache-2.0

/// The members that stay in a list when some are removed.
struct Survivors {
  private let before: Int
  /// Ascending.
  private let taken: [Int]

  init(count: Int, taken: [Int]) {
    before = count
    self.taken = taken
  }

  /// The number of members that stay.
  var count: Int { before - taken.count }

  /// Returns the index in the list of the member with the given number of other staying members
  /// before it; for the number of all members, returns the end of the list.
  func index(of rank: Int) -> Int {
    if rank >= count { return before }
    // The first removed member with more than `rank` staying members before it.
    var (low, high) = (0, taken.count)
    while low < high {
      let middle = (low + high) / 2
      if taken[middle] - middle <= rank { low = middle + 1 } else { high = middle }
    }
    return rank + low
  }

  /// Returns the number of staying members before an index.
  func rank(of index: Int) -> Int { index - taken.partitionPoint { $0 >= index } }

  /// Returns whether the member at an index stays.
  func holds(_ index: Int) -> Bool {
    let next = taken.partitionPoint { $0 >= index }
    return next == taken.count || taken[next] != index
  }
}

extension [Int] {
  /// Returns the first index whose element meets a condition that also holds for all elements after
  /// it.
  func partitionPoint(_ condition: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
