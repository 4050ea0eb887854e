// SPDX-License-Identifier: Apache-2.0

extension ListDifference {
  /// Creates the difference of two lists by comparing their elements.
  ///
  /// Nil if a list contains an element twice, so that its moves would be ambiguous, or if the
  /// difference takes more operations than the budget.
  ///
  /// - Complexity: O(n log n), where n is the length of both lists.
  init?<Before: Collection, After: Collection>(
    from before: Before, to after: After, budget: Int = .max
  ) where Before.Element: Hashable, After.Element == Before.Element {
    var origins: [Before.Element: Int] = [:]
    origins.reserveCapacity(before.count)
    for (index, element) in before.enumerated() {
      guard origins.updateValue(index, forKey: element) == nil else { return nil }
    }
    var targets: [Int?] = Array(repeating: nil, count: before.count)
    var inserted: [Int] = []
    var insertions: Set<Before.Element> = []
    for (index, element) in after.enumerated() {
      if let origin = origins[element] {
        guard targets[origin] == nil else { return nil }
        targets[origin] = index
      } else {
        guard insertions.insert(element).inserted else { return nil }
        inserted.append(index)
      }
    }
    var removed: [Int] = []
    var runs: [Run] = []
    for (index, target) in targets.enumerated() {
      if let target {
        runs.join(Run(before: index, after: target, count: 1))
      } else {
        removed.append(index)
      }
    }
    self.init(
      beforeCount: before.count, afterCount: after.count, removed: removed, inserted: inserted,
      runs: runs, budget: budget)
  }
}
