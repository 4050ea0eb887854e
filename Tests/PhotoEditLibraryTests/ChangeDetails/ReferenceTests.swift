// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("List differences and the reference", .seeded)
struct ReferenceTests {
  /// The reference's result for two lists.
  private struct Answer: Codable, Equatable {
    var removed: [Int]
    var inserted: [Int]
    var moves: [[Int]]
    var batch: [[Int]]
    var sequential: [[Int]]

    init(_ difference: ListDifference) {
      removed = difference.removed
      inserted = difference.inserted
      moves = difference.moves.map { [$0.from, $0.to] }
      batch = difference.batchMoves.map { [$0.from, $0.to] }
      sequential = difference.sequentialMoves.map { [$0.from, $0.to] }
    }

    /// Reads columns of `recordedDifferences`.
    init(_ columns: ArraySlice<Substring>) {
      let numbers = columns.map { $0 == "-" ? [] : $0.compactMap { Int(String($0), radix: 36) } }
      func pairs(_ column: Int) -> [[Int]] {
        stride(from: 0, to: numbers[column].count, by: 2).map {
          Array(numbers[column][$0..<$0 + 2])
        }
      }
      (removed, inserted) = (numbers[0], numbers[1])
      (moves, batch, sequential) = (pairs(2), pairs(3), pairs(4))
    }
  }

  private struct Pair: Codable {
    var before: [Int]
    var after: [Int]
  }

  @Test func `differences match the recorded reference results`() throws {
    let lines = recordedDifferences.split(separator: "\n")
    #expect(lines.count == 150)
    for line in lines {
      let columns = line.split(separator: " ")
      try #require(columns.count == 7)
      let (before, after) = (columns[0], columns[1])
      let difference = try #require(
        ListDifference(from: before == "-" ? "" : before, to: after == "-" ? "" : after))
      #expect(Answer(difference) == Answer(columns[2...]), "\(line)")
    }
  }

  /// A script that reads pairs of lists and writes the reference's results.
  private static let driver = """
    from json import dump, load
    from os.path import dirname
    from sys import argv, path, stdout
    path.insert(0, dirname(argv[1]))
    from changedetails_ref import diff, batch_uikit, sequential_script
    answers = []
    for pair in load(open(argv[2])):
      before, after = pair["before"], pair["after"]
      removed, inserted, moves, between = diff(before, after)
      answers.append({
        "removed": removed, "inserted": inserted, "moves": moves,
        "batch": batch_uikit(before, after, removed, inserted, moves)[1],
        "sequential": sequential_script(between, after)[0]})
    dump(answers, stdout)
    """

  /// The path of the reference, next to the test corpora; nil if it is missing.
  private static let script: String? = {
    guard let corpora = Corpora.path else { return nil }
    let path = corpora + "/../spec/changedetails_ref.py"
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  @Test(
    .enabled(
      if: script != nil && Program.find("python3") != nil, "the reference or python3 is missing"))
  func `differences of random lists match the reference`() throws {
    let (script, python) = (try #require(Self.script), try #require(Program.find("python3")))
    var lists = RandomLists(seed: 10)
    let pairs = (0..<3_100).map { number in
      let (before, after) = lists.pair(upTo: number < 3_000 ? 14 : 200)
      return Pair(before: before, after: after)
    }
    let folder = try TemporaryFolder()
    let (driver, input) = (folder.path + "/driver.py", folder.path + "/pairs.json")
    let output = folder.path + "/answers.json"
    try Data(Self.driver.utf8).write(to: URL(filePath: driver))
    try JSONEncoder().encode(pairs).write(to: URL(filePath: input))
    try #require(Program.run(python, ["-B", driver, script, input], output: output) == 0)
    let answers = try JSONDecoder().decode(
      [Answer].self, from: Data(contentsOf: URL(filePath: output)))
    try #require(answers.count == pairs.count)
    for (pair, answer) in zip(pairs, answers) {
      let difference = try #require(ListDifference(from: pair.before, to: pair.after))
      try #require(Answer(difference) == answer, "\(pair.before) becomes \(pair.after)")
    }
  }
}
