// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditLibrary

/// A change of a result with all its expected details.
struct WorkedExample: Sendable, CustomTestStringConvertible {
  let number: Int
  let before: String
  let after: String
  var changedNames = ""
  var removed: [Int] = []
  var inserted: [Int] = []
  let between: String
  var moves: [[Int]] = []
  var batchMoves: [[Int]] = []
  var changed: [Int] = []
  var sequentialMoves: [[Int]] = []

  var testDescription: String { "example \(number): \(before) becomes \(after)" }

  static let all = [
    Self(
      number: 1, before: "ABCDE", after: "ACDEF", changedNames: "D", removed: [1], inserted: [4],
      between: "ACDEF", changed: [2]),
    Self(number: 2, before: "ABC", after: "XABCY", inserted: [0, 4], between: "XABCY"),
    Self(
      number: 3, before: "ABCD", after: "DABC", between: "ABCD", moves: [[3, 0]],
      batchMoves: [[3, 0]], sequentialMoves: [[3, 0]]),
    Self(
      number: 4, before: "ABCD", after: "DCBA", between: "ABCD",
      moves: [[0, 3], [1, 2], [2, 1]],
      batchMoves: [[0, 3], [1, 2], [2, 1]], sequentialMoves: [[3, 0], [3, 1], [3, 2]]),
    Self(
      number: 5, before: "ABCDEF", after: "FXBAD", changedNames: "AB", removed: [2, 4],
      inserted: [1], between: "AXBDF", moves: [[0, 3], [4, 0]], batchMoves: [[0, 3], [5, 0]],
      changed: [2, 3], sequentialMoves: [[4, 0], [2, 1], [3, 2]]),
    Self(
      number: 6, before: "ABCDE", after: "EBXDA", changedNames: "B", removed: [2], inserted: [2],
      between: "ABXDE", moves: [[0, 4], [4, 0]], batchMoves: [[0, 4], [4, 0]], changed: [1],
      sequentialMoves: [[4, 0], [2, 1], [3, 2], [4, 3]]),
    Self(number: 7, before: "ABC", after: "", removed: [0, 1, 2], between: ""),
    Self(number: 8, before: "ABC", after: "ABC", changedNames: "B", between: "ABC", changed: [1]),
    // With a limit of three, the element that moves up was not in the result before.
    Self(number: 9, before: "ABC", after: "BCD", removed: [0], inserted: [2], between: "BCD"),
  ]
}

@Suite("Worked examples of change details")
struct WorkedExampleTests {
  private func details(_ example: WorkedExample) -> FetchResultChangeDetails<Letter> {
    let after = example.after.map { name in
      Letter(name, revision: example.changedNames.contains(name) ? 1 : 0)
    }
    return FetchResultChangeDetails(
      from: FetchResult(example.before), to: FetchResult(after),
      changedObjects: example.changedNames.map { Letter($0, revision: 1) })
  }

  @Test(arguments: WorkedExample.all)
  func `details of the worked examples match every column`(_ example: WorkedExample) {
    let details = details(example)
    #expect(details.hasIncrementalChanges)
    #expect(details.removedIndexes == example.removed)
    #expect(details.insertedIndexes == example.inserted)
    #expect(details.changedIndexes == example.changed)
    #expect(details.moves.map { [$0.from, $0.to] } == example.moves)
    #expect(details.hasMoves == !example.moves.isEmpty)
    #expect(details.batchMoves.map { [$0.from, $0.to] } == example.batchMoves)
    #expect(details.sequentialMoves.map { [$0.from, $0.to] } == example.sequentialMoves)
    let between = ReferenceScripts.between(
      Array(example.before), Array(example.after), removed: example.removed,
      inserted: example.inserted)
    #expect(String(between) == example.between)
    var enumerated: [[Int]] = []
    details.enumerateMoves { enumerated.append([$0, $1]) }
    #expect(enumerated == example.moves)
  }

  @Test(arguments: WorkedExample.all)
  func `objects match their indexes, and applying all details gives the result after`(
    _ example: WorkedExample
  ) {
    let details = details(example)
    let (before, after) = (Array(example.before), Array(example.after))
    #expect(
      details.removedObjects == example.removed.map { Letter(before[$0]) })
    #expect(details.insertedObjects == example.inserted.map { Letter(after[$0]) })
    #expect(details.changedObjects == example.changed.map { Letter(after[$0], revision: 1) })
    let objects = details.applying(to: Array(details.fetchResultBeforeChanges))
    #expect(objects == Array(details.fetchResultAfterChanges))
  }

  @Test func `only inserted and changed members are converted`() {
    let details = details(WorkedExample.all[4])
    var made: [String] = []
    let rows = details.applying(to: ["a", "b", "c", "d", "e", "f"]) { letter in
      made.append(letter.localIdentifier)
      return letter.localIdentifier
    }
    #expect(rows == ["f", "X", "B", "A", "d"])
    #expect(made == ["X", "B", "A"])
  }

  @Test func `an error thrown by the closure is rethrown`() {
    struct Refusal: Error {}
    #expect(throws: Refusal.self) {
      try details(WorkedExample.all[1]).applying(to: [1, 2, 3]) { _ throws(Refusal) in
        throw Refusal()
      }
    }
    #expect(throws: Refusal.self) {
      try details(WorkedExample.all[2]).enumerateMoves { _, _ throws(Refusal) in throw Refusal() }
    }
  }
}
