// SPDX-License-Identifier: Apache-2.0
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Properties of list differences", .seeded)
struct DifferencePropertyTests {
  /// The first property that the difference of two lists violates, or nil.
  private func violation(_ before: [Int], _ after: [Int]) -> String? {
    guard let difference = ListDifference(from: before, to: after) else { return "no difference" }
    let (removed, inserted) = (difference.removed, difference.inserted)
    let moves = difference.moves
    let between = ReferenceScripts.between(before, after, removed: removed, inserted: inserted)
    guard ReferenceScripts.inTwoPhases(between, moves) == after else { return "two-phase moves" }
    let batch = ReferenceScripts.inOneBatch(
      before, after, removed: removed, inserted: inserted, moves: difference.batchMoves)
    guard batch == after else { return "batch moves" }
    let final = ReferenceScripts.oneByOne(between, difference.sequentialMoves)
    guard final == after else { return "sequential moves" }
    guard before.count - removed.count + inserted.count == after.count else { return "length" }
    let (old, new) = (Set(before), Set(after))
    guard removed == before.indices.filter({ !new.contains(before[$0]) }) else { return "removed" }
    guard inserted == after.indices.filter({ !old.contains(after[$0]) }) else { return "inserted" }
    guard Set(inserted).isDisjoint(with: moves.map(\.to)) else { return "inserted target" }
    guard Set(moves.map(\.from)).count == moves.count else { return "repeated source" }
    guard Set(moves.map(\.to)).count == moves.count else { return "repeated target" }
    guard zip(moves, moves.dropFirst()).allSatisfy({ $0.from < $1.from }) else { return "order" }
    guard moves.allSatisfy({ between[$0.from] == after[$0.to] }) else { return "moved element" }
    guard difference.applying(to: before, inserting: { after[$0] }) == after else { return "apply" }
    let count = removed.count + inserted.count + moves.count
    guard difference.operationCount == count else { return "count" }
    return nil
  }

  /// Checks random pairs of lists and records the first violation.
  private func check(_ cases: Int, upTo length: Int, seed: Int) {
    var lists = RandomLists(seed: seed)
    for number in 0..<cases {
      let (before, after) = lists.pair(upTo: length)
      if let violation = violation(before, after) {
        Issue.record("\(violation), seed \(seed), case \(number): \(before) becomes \(after)")
        return
      }
    }
  }

  @Test(arguments: 1...4)
  func `short lists have valid differences`(seed: Int) {
    check(SeededNumbers.cases(5_000), upTo: 14, seed: seed)
  }

  @Test(arguments: 1...2)
  func `long lists have valid differences`(seed: Int) { check(25, upTo: 400, seed: seed) }

  @Test(.enabled(if: longTests, "PHOTOEDIT_LONG_TESTS is not set"))
  func `a million pairs of lists have valid differences`() {
    check(1_000_000, upTo: 14, seed: 5)
  }

  @Test func `a list does not differ from itself`() throws {
    for list in [[], [1], Array(0..<100)] {
      let difference = try #require(ListDifference(from: list, to: list))
      #expect(difference.operationCount == 0 && difference.sequentialMoves.isEmpty)
    }
  }

  /// The least number of retained elements that must move, found by trying all choices.
  private func leastMoves(_ between: [Int], _ after: [Int], inserted: [Int]) -> Int {
    let staying = Set(inserted.map { after[$0] })
    let movable = between.indices.filter { !staying.contains(between[$0]) }
    var least = Int.max
    for choice in 0..<(1 << movable.count) where choice.nonzeroBitCount < least {
      let moves = movable.enumerated().compactMap { bit, from -> Move? in
        guard choice >> bit & 1 == 1, let to = after.firstIndex(of: between[from]) else {
          return nil
        }
        return Move(from: from, to: to)
      }
      if ReferenceScripts.inTwoPhases(between, moves) == after { least = moves.count }
    }
    return least
  }

  @Test(arguments: [1, 2, 3])
  func `the number of moves is minimal`(seed: Int) throws {
    var lists = RandomLists(seed: seed)
    for _ in 0..<SeededNumbers.cases(500) {
      let (before, after) = lists.pair(upTo: 6)
      let difference = try #require(ListDifference(from: before, to: after))
      let between = ReferenceScripts.between(
        before, after, removed: difference.removed, inserted: difference.inserted)
      let least = leastMoves(between, after, inserted: difference.inserted)
      try #require(
        difference.moves.count == least, "seed \(seed): \(before) becomes \(after)")
    }
  }

  @Test func `lists with duplicate elements have no difference`() {
    #expect(ListDifference(from: [1, 2, 1], to: [1]) == nil)
    #expect(ListDifference(from: [1], to: [1, 2, 1]) == nil)
    #expect(ListDifference(from: [1], to: [2, 2]) == nil)
    #expect(ListDifference(from: [Int](), to: [Int]())?.operationCount == 0)
  }

  @Test func `applying a difference to an array of another length is rejected`() async {
    await #expect(processExitsWith: .failure) {
      let difference = ListDifference(from: [1, 2], to: [2])
      _ = difference?.applying(to: [1, 2, 3]) { $0 }
    }
  }

  @Test func `a difference with inconsistent counts is rejected`() async {
    await #expect(processExitsWith: .failure) {
      _ = ListDifference(beforeCount: 3, afterCount: 3, removed: [0], inserted: [], runs: [])
    }
  }
}
