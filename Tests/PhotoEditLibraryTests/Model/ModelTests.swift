// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Random changes compared with a model", .seeded)
struct ModelTests {
  @Test(.requirement("atomic-change-block"), arguments: [1, 2, 3])
  func `the library matches the model after every commit`(seed: Int) throws {
    try run(seed: seed, operations: SeededNumbers.cases(1_000))
  }

  @Test(
    .requirement("atomic-change-block"), .enabled(if: longTests, "PHOTOEDIT_LONG_TESTS is not set"))
  func `the library matches the model after 100,000 operations`() throws {
    try run(seed: 4, operations: 100_000)
  }

  private func run(seed: Int, operations: Int) throws {
    var generator = RequestGenerator(seed: seed)
    let runner = try LibraryRunner()
    var model = LibraryModel()
    var known: [(version: Int64, view: LibraryView)] = []
    var (done, commits, refusals) = (0, 0, 0)
    while done < operations {
      let block = generator.block(model)
      done += block.map(\.count).reduce(0, +)
      let before = try runner.folder.version()
      let expected = model.after(block)
      let refusal = try runner.carryOut(block)
      let version = try runner.folder.version()
      let context: Comment = "seed \(seed), after \(done) operations: \(block)"
      switch expected {
      case .failure(let reason):
        refusals += 1
        try #require(refusal?.code == reason.code, context)
        try #require(version == before, context)
      case .success(let after):
        commits += 1
        try #require(refusal == nil, context)
        try #require(version == before + 1 || (version == before && after == model), context)
        model = after
      }
      try #require(try runner.view(at: nil) == LibraryView(model, withTrashed: true), context)
      generator.recordOrders(model)
      if version != before {
        known.append((version, LibraryView(model, withTrashed: false)))
        if known.count > 30 { known.removeFirst() }
      }
      // Earlier fetch results must remain readable, except for what purges have cleared.
      if let old = known.randomElement(using: &generator.random) {
        let past = try runner.view(at: old.version)
        let expected = old.view.cleared(by: model)
        try #require(past.limited(to: expected) == expected, context)
      }
    }
    print("model test: seed \(seed), \(done) operations, \(commits) blocks, \(refusals) refused")
    #expect(refusals > done / 200 && commits > done / 20)
    let integrity = try runner.folder.library.read { database throws(LibraryError) in
      try database.all("PRAGMA integrity_check") { $0.text(0) }
    }
    #expect(integrity == ["ok"])
    #expect(try runner.folder.number("SELECT count(*) FROM pragma_foreign_key_check") == 0)
  }
}

extension LibraryView {
  /// The view without objects that were created after another view.
  func limited(to other: LibraryView) -> LibraryView {
    var result = self
    result.assets = assets.filter { other.assets[$0.key] != nil }
    result.collections = collections.filter { other.collections[$0.key] != nil }
    result.lists = [:]
    for (list, objects) in lists {
      let known = objects.filter { other.assets[$0] != nil || other.collections[$0] != nil }
      if !known.isEmpty { result.lists[list] = known }
    }
    return result
  }
}
