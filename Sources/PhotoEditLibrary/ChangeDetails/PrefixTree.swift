// SPDX-License-Identifier: Apache-2.0

/// Values at indexes, of which everything before an index is combined in O(log n).
///
/// A Fenwick tree: slot i stands for as many indexes up to i as its lowest bit says.
struct PrefixTree<Value> {
  private var slots: [Value]
  private let neutral: Value
  private let combine: (Value, Value) -> Value

  /// Makes a tree of neutral values; `combine` must not care for order.
  init(count: Int, neutral: Value, combine: @escaping (Value, Value) -> Value) {
    slots = Array(repeating: neutral, count: count + 1)
    self.neutral = neutral
    self.combine = combine
  }

  /// Combines the value at an index with another one.
  mutating func add(_ value: Value, at index: Int) {
    var slot = index + 1
    while slot < slots.count {
      slots[slot] = combine(slots[slot], value)
      slot += slot & -slot
    }
  }

  /// All values before an index, combined; the neutral one when there are none.
  func total(before index: Int) -> Value {
    var total = neutral
    var slot = index
    while slot > 0 {
      total = combine(total, slots[slot])
      slot &= slot - 1
    }
    return total
  }
}
