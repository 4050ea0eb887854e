// SPDX-License-Identifier: Apache-2.0

/// Values at indexes; combining all values before an index takes O(log n).
///
/// A Fenwick tree: the lowest set bit of i is the number of indexes, up to i, that slot i covers.
struct FenwickTree<Value> {
  private var slots: [Value]
  private let identity: Value
  private let combine: (Value, Value) -> Value

  /// Creates a tree of identity values; `combine` must be commutative.
  init(count: Int, identity: Value, combine: @escaping (Value, Value) -> Value) {
    slots = Array(repeating: identity, count: count + 1)
    self.identity = identity
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

  /// Returns the combination of all values before an index; the identity value for index 0.
  func total(before index: Int) -> Value {
    var total = identity
    var slot = index
    while slot > 0 {
      total = combine(total, slots[slot])
      slot &= slot - 1
    }
    return total
  }
}
