// SPDX-License-Identifier: Apache-2.0

/// A run-length encoded list of numbers, one per sample, as used for times in sample tables.
struct RunLengthArray: Sendable, Hashable {
  /// A number of consecutive samples with the same value.
  struct Run: Sendable, Hashable {
    var count: Int
    var value: Int
  }

  private(set) var runs: [Run] = []
  private(set) var count = 0

  /// Appends samples; adjacent samples with the same value become one run.
  mutating func append(_ value: Int, count more: Int = 1) {
    guard more > 0 else { return }
    count += more
    if runs.last?.value == value {
      runs[runs.count - 1].count += more
    } else {
      runs.append(Run(count: more, value: value))
    }
  }

  /// Returns the list truncated or extended to a number of samples.
  func resized(to count: Int, filling value: Int) -> RunLengthArray {
    var list = sliced(0..<min(count, self.count))
    list.append(value, count: count - list.count)
    return list
  }

  /// Returns the values of a range of samples.
  func sliced(_ range: Range<Int>) -> RunLengthArray {
    var list = RunLengthArray()
    var first = 0
    for run in runs {
      let here = (first..<(first + run.count)).clamped(to: range)
      list.append(run.value, count: here.count)
      first += run.count
      if first >= range.upperBound { break }
    }
    return list
  }

  /// Returns the list with an amount added to every value.
  func adding(_ amount: Int) -> RunLengthArray {
    var list = RunLengthArray()
    for run in runs { list.append(run.value &+ amount, count: run.count) }
    return list
  }

  var sum: Int { runs.reduce(0) { $0 &+ $1.count &* $1.value } }

  mutating func append(_ other: RunLengthArray) {
    for run in other.runs { append(run.value, count: run.count) }
  }

  mutating func setLast(_ value: Int) {
    guard let last = runs.popLast() else { return }
    count -= last.count
    append(last.value, count: last.count - 1)
    append(value)
  }

  mutating func set(_ value: Int, at index: Int) {
    let before = sliced(0..<index)
    let after = sliced((index + 1)..<max(index + 1, count))
    self = before
    append(value)
    for run in after.runs { append(run.value, count: run.count) }
  }
}

/// An index for fast access to the samples of a run list.
struct RunIndex: Sendable {
  private let runs: [RunLengthArray.Run]
  private let firsts: [Int]
  private let sums: [Int]
  let count: Int
  let total: Int

  init(_ list: RunLengthArray) {
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

  /// Returns the value of a sample; 0 if out of range.
  func value(at sample: Int) -> Int {
    guard let index = Self.last(firsts, notAbove: sample), sample < count else { return 0 }
    return runs[index].value
  }

  /// Returns the sum of the values of all samples before the given one.
  func sum(before sample: Int) -> Int {
    if sample >= count { return total }
    guard let index = Self.last(firsts, notAbove: sample) else { return 0 }
    return sums[index] &+ (sample - firsts[index]) &* runs[index].value
  }

  /// Returns the sample at a cumulative sum, provided that no value is negative; clamped to the
  /// samples.
  func sample(atSum sum: Int) -> Int {
    guard sum > 0, let index = Self.last(sums, notAbove: sum) else { return 0 }
    let run = runs[index]
    let inside = run.value > 0 ? (sum - sums[index]) / run.value : run.count - 1
    return max(0, min(firsts[index] + min(inside, run.count), count - 1))
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
