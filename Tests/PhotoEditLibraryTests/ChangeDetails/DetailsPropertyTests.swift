// SPDX-License-Identifier: Apache-2.0
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Properties of change details", .seeded)
struct DetailsPropertyTests {
  /// Letters, some of which have a new revision.
  private func letters(
    _ names: [Int], changing old: FetchResult<Letter>, _ random: inout SeededNumbers
  ) -> FetchResult<Letter> {
    let revisions = Dictionary(
      uniqueKeysWithValues: old.map { ($0.localIdentifier, $0.revision) })
    return FetchResult(
      names.map { name in
        let revision = revisions["\(name)"] ?? 0
        return Letter(name, revision: random.below(4) == 0 ? revision + 1 : revision)
      })
  }

  /// The details of a change that lists every changed member of the result.
  private func details(
    from before: FetchResult<Letter>, to after: FetchResult<Letter>
  ) -> FetchResultChangeDetails<Letter> {
    let old = Set(before)
    return FetchResultChangeDetails(
      from: before, to: after, changedObjects: after.filter { !old.contains($0) })
  }

  @Test(arguments: 1...4)
  func `changed objects are the retained objects with a new revision`(seed: Int) throws {
    var lists = RandomLists(seed: seed)
    for _ in 0..<SeededNumbers.cases(500) {
      let (first, second) = lists.pair(upTo: 14)
      let before = FetchResult(first.map { Letter($0) })
      let after = letters(second, changing: before, &lists.random)
      let details = details(from: before, to: after)
      let expected = after.indices.filter { index in
        before.contains { $0.id == after[index].id && $0.revision != after[index].revision }
      }
      try #require(details.changedIndexes == expected, "seed \(seed): \(first) to \(second)")
      try #require(details.changedObjects == expected.map { after[$0] })
      try #require(details.isEmpty == (Array(before) == Array(after)))
    }
  }

  @Test(arguments: 1...4)
  func `applying details one after the other produces the last result`(seed: Int) throws {
    var lists = RandomLists(seed: seed)
    for _ in 0..<100 {
      var names = lists.pair(upTo: 14).before
      let first = FetchResult(names.map { Letter($0) })
      var (result, shown) = (first, Array(first))
      for _ in 0..<8 {
        names = lists.next(after: names, upTo: 14)
        let after = letters(names, changing: result, &lists.random)
        let step = details(from: result, to: after)
        shown = step.applying(to: shown)
        result = step.fetchResultAfterChanges
        try #require(shown == Array(after), "seed \(seed)")
      }
      let atOnce = details(from: first, to: result)
      try #require(atOnce.applying(to: Array(first)) == shown, "seed \(seed)")
    }
  }
}
