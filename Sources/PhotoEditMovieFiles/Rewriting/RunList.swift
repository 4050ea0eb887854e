// SPDX-License-Identifier: Apache-2.0

/// Numbers, one a sample, with equal neighbours counted; how sample tables say times.
struct RunList: Sendable, Hashable {
  /// So many samples with one number.
  struct Run: Sendable, Hashable {
    var count: Int
    var value: Int
  }

  private(set) var runs: [Run] = []
  /// How many samples there are.
  private(set) var count = 0

  /// Adds samples; neighbours with the same number become one run.
  mutating func append(_ value: Int, count more: Int = 1) {
    guard more > 0 else { return }
    count += more
    if runs.last?.value == value {
      runs[runs.count - 1].count += more
    } else {
      runs.append(Run(count: more, value: value))
    }
  }

  /// Cuts off what is beyond a number of samples, or adds samples up to it.
  func resized(to count: Int, filling value: Int) -> RunList {
    var list = sliced(0..<min(count, self.count))
    list.append(value, count: count - list.count)
    return list
  }

  /// The numbers of a range of samples.
  func sliced(_ range: Range<Int>) -> RunList {
    var list = RunList()
    var first = 0
    for run in runs {
      let here = (first..<(first + run.count)).clamped(to: range)
      list.append(run.value, count: here.count)
      first += run.count
      if first >= range.upperBound { break }
    }
    return list
  }

  /// Adds to every number.
  func adding(_ amount: Int) -> RunList {
    var list = RunList()
    for run in runs { list.append(run.value &+ amount, count: run.count) }
    return list
  }

  /// All numbers together.
  var sum: Int { runs.reduce(0) { $0 &+ $1.count &* $1.value } }

  /// Adds the numbers of another list.
  mutating func append(_ other: RunList) {
    for run in other.runs { append(run.value, count: run.count) }
  }

  /// Changes the last number.
  mutating func setLast(_ value: Int) {
    guard let last = runs.popLast() else { return }
    count -= last.count
    append(last.value, count: last.count - 1)
    append(value)
  }

  /// Changes one number.
  mutating func set(_ value: Int, at index: Int) {
    let before = sliced(0..<index)
    let after = sliced((index + 1)..<max(index + 1, count))
    self = before
    append(value)
    for run in after.runs { append(run.value, count: run.count) }
  }
}

/// Finds samples in a run list quickly.
struct RunIndex: Sendable {
  private let runs: [RunList.Run]
  private let firsts: [Int]
  private let sums: [Int]
  /// How many samples there are.
  let count: Int
  /// All numbers together.
  let total: Int

  init(_ list: RunList) {
    runs = list.runs
    var first = 0
    var sum = 0
    var firsts: [Int] = []
    var sums: [Int] = []
    for run in list.runs {
      firsts.append(first)
      sums.append(sum)
      first += run.count
      sum = sum &+ run.count &* run.value
    }
    (self.firsts, self.sums, count, total) = (firsts, sums, first, sum)
  }

  /// The number of a sample; 0 outside.
  func value(at sample: Int) -> Int {
    guard let place = Self.last(firsts, notAbove: sample), sample < count else { return 0 }
    return runs[place].value
  }

  /// The numbers of all samples before one, together.
  func sum(before sample: Int) -> Int {
    if sample >= count { return total }
    guard let place = Self.last(firsts, notAbove: sample) else { return 0 }
    return sums[place] &+ (sample - firsts[place]) &* runs[place].value
  }

  /// The sample whose stretch a sum lies in, where no number is negative; within the samples.
  func sample(atSum sum: Int) -> Int {
    guard sum > 0, let place = Self.last(sums, notAbove: sum) else { return 0 }
    let run = runs[place]
    let inside = run.value > 0 ? (sum - sums[place]) / run.value : run.count - 1
    return max(0, min(firsts[place] + min(inside, run.count), count - 1))
  }

  private static func last(_ values: [Int], notAbove limit: Int) -> Int? {
    var low = 0
    var high = values.count
    while low < high {
      let middle = (low + high) / 2
      if values[middle] <= limit { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }
}
