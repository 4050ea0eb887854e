// SPDX-License-Identifier: Apache-2.0
import PhotoEditTestSupport

/// Generates pairs of lists of distinct numbers: unrelated, shuffled and edited ones.
struct RandomLists {
  var random: SeededNumbers

  init(seed: Int) { random = SeededNumbers(seed) }

  /// Two lists, the first with at most `length` elements.
  mutating func pair(upTo length: Int) -> (before: [Int], after: [Int]) {
    let before = sample(below: 3 * length, upTo: length)
    return (before, next(after: before, upTo: length))
  }

  /// A random later version of a list.
  mutating func next(after before: [Int], upTo length: Int) -> [Int] {
    let choice = random.below(10)
    guard choice > 2 else { return sample(below: 3 * length, upTo: length) }
    var after = before.filter { _ in random.below(7) > 0 }
    if choice < 6 {
      after.shuffle(using: &random)
    } else {
      for _ in 0..<random.below(4) { moveBlock(in: &after) }
    }
    // Only numbers that are not in the list before, so that no element occurs twice.
    let known = Set(before)
    for element in sample(below: 5 * length + 1, upTo: 3) where !known.contains(element) {
      after.insert(element, at: random.below(after.count + 1))
    }
    return after
  }

  /// At most `length` distinct numbers below a larger limit.
  private mutating func sample(below limit: Int, upTo length: Int) -> [Int] {
    let count = random.below(length + 1)
    var (list, known) = ([Int](), Set<Int>())
    while list.count < count {
      let element = random.below(limit)
      if known.insert(element).inserted { list.append(element) }
    }
    return list
  }

  private mutating func moveBlock(in list: inout [Int]) {
    guard !list.isEmpty else { return }
    let start = random.below(list.count)
    let end = start + 1 + random.below(list.count - start)
    let block = Array(list[start..<end])
    list.removeSubrange(start..<end)
    list.insert(contentsOf: block, at: random.below(list.count + 1))
  }
}
