// SPDX-License-Identifier: Apache-2.0

/// The members that stay in a list when some are removed.
struct RetainedElements {
  private let before: Int
  /// Ascending.
  private let extracted: [Int]

  init(count: Int, extracted: [Int]) {
    before = count
    self.extracted = extracted
  }

  /// The number of members that stay.
  var count: Int { before - extracted.count }

  /// Returns the index in the list of the member with the given number of other staying members
  /// before it; for the number of all members, returns the end of the list.
  func index(of rank: Int) -> Int {
    if rank >= count { return before }
    // The first removed member with more than `rank` staying members before it.
    var (low, high) = (0, extracted.count)
    while low < high {
      let middle = (low + high) / 2
      if extracted[middle] - middle <= rank { low = middle + 1 } else { high = middle }
    }
    return rank + low
  }

  /// Returns the number of staying members before an index.
  func rank(of index: Int) -> Int { index - extracted.partitionPoint { $0 >= index } }

  /// Returns whether the member at an index stays.
  func contains(_ index: Int) -> Bool {
    let next = extracted.partitionPoint { $0 >= index }
    return next == extracted.count || extracted[next] != index
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
