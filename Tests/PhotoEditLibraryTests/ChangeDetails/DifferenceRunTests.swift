// SPDX-License-Identifier: Apache-2.0
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

/// A long edited list that stores ranges instead of single elements.
private struct EditedList {
  private enum Part {
    /// Consecutive elements of the list before.
    case old(Range<Int>)
    /// A single new element.
    case new

    var count: Int { if case .old(let range) = self { range.count } else { 1 } }
  }

  let beforeCount: Int
  private var parts: [Part]

  init(count: Int) {
    beforeCount = count
    parts = [.old(0..<count)]
  }

  /// Splits the parts at an index; returns the number of the part that starts there.
  private mutating func truncated(at index: Int) -> Int {
    var start = 0
    for (number, part) in parts.enumerated() {
      if start == index { return number }
      if case .old(let range) = part, start + range.count > index {
        let middle = range.lowerBound + index - start
        parts[number] = .old(middle..<range.upperBound)
        parts.insert(.old(range.lowerBound..<middle), at: number)
        return number + 1
      }
      start += part.count
    }
    return parts.count
  }

  var count: Int { parts.reduce(0) { $0 + $1.count } }

  mutating func insert(at index: Int) { parts.insert(.new, at: truncated(at: index)) }

  private mutating func take(at index: Int) -> Part {
    let first = truncated(at: index)
    _ = truncated(at: index + 1)
    return parts.remove(at: first)
  }

  mutating func remove(at index: Int) { _ = take(at: index) }

  mutating func move(from index: Int, to target: Int) {
    let part = take(at: index)
    parts.insert(part, at: truncated(at: target))
  }

  mutating func edit(_ random: inout SeededNumbers) {
    switch random.below(3) {
    case 0: insert(at: random.below(count + 1))
    case 1: remove(at: random.below(count))
    default: move(from: random.below(count), to: random.below(count))
    }
  }

  /// The edit as indexes and runs, without looking at single elements.
  var facts: (removed: [Int], inserted: [Int], runs: [ListDifference.Run]) {
    var (inserted, runs, index) = ([Int](), [ListDifference.Run](), 0)
    for part in parts {
      switch part {
      case .old(let range):
        runs.append(.init(before: range.lowerBound, after: index, count: range.count))
      case .new: inserted.append(index)
      }
      index += part.count
    }
    runs.sort { $0.before < $1.before }
    var (removed, next) = ([Int](), 0)
    for run in runs {
      removed += next..<run.before
      next = run.before + run.count
    }
    return (removed + (next..<beforeCount), inserted, runs)
  }

  var difference: ListDifference {
    let facts = facts
    return ListDifference(
      beforeCount: beforeCount, afterCount: count, removed: facts.removed,
      inserted: facts.inserted, runs: facts.runs)
  }

  /// The elements, new ones as negative numbers.
  var elements: [Int] {
    parts.enumerated().flatMap { number, part in
      if case .old(let range) = part { Array(range) } else { [-1 - number] }
    }
  }
}

@Suite("List differences from runs", .seeded)
struct DifferenceRunTests {
  @Test(arguments: [0, 1, 2, 5, 20, 100, 400])
  func `runs and elements give the same difference`(edits: Int) throws {
    for seed in 1...5 {
      var random = SeededNumbers(seed * 1_000 + edits)
      var list = EditedList(count: 1_000)
      for _ in 0..<edits { list.edit(&random) }
      let full = try #require(ListDifference(from: Array(0..<1_000), to: list.elements))
      try #require(list.difference == full, "seed \(seed)")
      try #require(list.difference.sequentialMoves == full.sequentialMoves, "seed \(seed)")
    }
  }

  @Test func `split runs give the same difference as unsplit ones`() {
    let whole = ListDifference(
      beforeCount: 9, afterCount: 8, removed: [4], inserted: [],
      runs: [.init(before: 0, after: 4, count: 4), .init(before: 5, after: 0, count: 4)])
    let inParts = ListDifference(
      beforeCount: 9, afterCount: 8, removed: [4], inserted: [],
      runs: [
        .init(before: 0, after: 4, count: 1), .init(before: 1, after: 5, count: 0),
        .init(before: 1, after: 5, count: 3), .init(before: 5, after: 0, count: 2),
        .init(before: 7, after: 2, count: 2),
      ])
    #expect(inParts == whole && whole.moves.count == 4)
  }

  /// Uses a list that is too long to iterate over.
  @Test(arguments: [1, 1_000])
  func `the cost of a difference depends on the changes, not on the length`(edits: Int) throws {
    let length = 1_000_000_000_000
    var random = SeededNumbers(edits)
    var list = EditedList(count: length)
    for _ in 0..<edits { list.edit(&random) }
    let facts = list.facts
    let found = try #require(
      ListDifference(
        beforeCount: length, afterCount: list.count, removed: facts.removed,
        inserted: facts.inserted, runs: facts.runs, budget: ListDifference.budget))
    // Elements that a move pushes past an insertion move too, so operations can exceed edits.
    #expect(found.operationCount > edits / 2 && (edits > 1 || found.operationCount == 1))
    #expect(found.moves.count == found.moveCount && found.batchMoves.count == found.moveCount)
  }

  @Test func `the difference of a long reversed list is found`() throws {
    let before = Array(0..<10_000)
    let difference = try #require(ListDifference(from: before, to: before.reversed()))
    #expect(difference.sequentialMoves == (0..<9_999).map { Move(from: 9_999, to: $0) })
    // The former last element stays, as in the reference.
    #expect(difference.moves.count == 9_999 && difference.moves.last == Move(from: 9_998, to: 1))
  }

  // MARK: Budget

  @Test func `differences exist up to the budget and not over it`() {
    let budget = ListDifference.budget
    #expect(budget == 10_000)
    let numbers = Array(0..<20_002)
    for (excess, expected) in [(0, true), (1, false)] {
      let removal = ListDifference(
        from: numbers.prefix(budget + excess), to: [], budget: budget)
      #expect((removal != nil) == expected)
      // One element does not move.
      let reversal = ListDifference(
        from: numbers.prefix(budget + 1 + excess),
        to: Array(numbers.prefix(budget + 1 + excess).reversed()), budget: budget)
      #expect((reversal != nil) == expected)
      // When two blocks swap places, all elements of the shorter one move.
      let size = budget + excess
      let exchange = ListDifference(
        beforeCount: 3 * size, afterCount: 3 * size, removed: [], inserted: [],
        runs: [
          .init(before: 0, after: 2 * size, count: size),
          .init(before: size, after: 0, count: 2 * size),
        ], budget: budget)
      #expect((exchange != nil) == expected)
    }
  }

  @Test(arguments: 1...200)
  func `a budget rejects only differences with more operations`(seed: Int) throws {
    var lists = RandomLists(seed: seed)
    let (before, after) = lists.pair(upTo: 30)
    let count = try #require(ListDifference(from: before, to: after)).operationCount
    #expect(ListDifference(from: before, to: after, budget: count) != nil)
    #expect(ListDifference(from: before, to: after, budget: count - 1) == nil)
  }

  /// Uses moves that are far apart, which produce the most runs.
  @Test(arguments: [1, 2, 7, 20])
  func `moves that are far apart fit a budget of their number`(moves: Int) throws {
    let before = Array(0..<1_000)
    var after = before
    for index in 0..<moves { after.insert(after.remove(at: 50 * index + 10), at: 50 * index + 30) }
    let difference = try #require(ListDifference(from: before, to: after, budget: moves))
    #expect(difference.moves.map(\.from) == (0..<moves).map { 50 * $0 + 10 })
    #expect(ListDifference(from: before, to: after, budget: moves - 1) == nil)
  }

  @Test func `a million moves are rejected before they are computed`() {
    let count = 1_000_000
    let runs = (0..<count).map {
      ListDifference.Run(before: $0, after: count - 1 - $0, count: 1)
    }
    let difference = ListDifference(
      beforeCount: count, afterCount: count, removed: [], inserted: [], runs: runs,
      budget: ListDifference.budget)
    #expect(difference == nil)
  }
}
