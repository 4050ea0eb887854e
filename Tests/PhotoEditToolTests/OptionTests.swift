// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

/// An option that is parsed and then lost fails here: with it, the command must do, write or report
/// something else than without it, or refuse it.
@Suite(
  "Options", .runsPrograms,
  .enabled(if: Program.find("ffmpeg") != nil, "the program ffmpeg is not installed"))
struct OptionTests {
  /// One option with the commands that are compared.
  struct Row {
    let option: String
    let without: Call
    let with: Call
  }

  /// A command with its expected exit code.
  struct Call: Hashable {
    var command: [String]
    var exitCode: Int32
    /// The command that shows the result.
    var probe: [String] = []
    /// The file that a worker renders, or what a server for assistants lists.
    var input: String?
  }

  /// Options whose effect cannot be shown by comparing two runs; each has its reason in the table.
  private static let hiddenCount = 27

  @Test func `every option changes something or is refused`() throws {
    let fixture = try OptionFixture()
    let described = try Self.described()
    let (rows, hidden) = Self.rows(ofCommands: Set(described.keys))
    #expect(hidden.count == Self.hiddenCount)
    let options = described.flatMap { name, options in options.map { "\(name) --\($0)" } }
    #expect(options.count > 250)
    let missing = Set(options).subtracting(rows.map(\.option) + hidden)
    #expect(missing.isEmpty, "options without a row in OptionTable: \(missing.sorted())")
    // Each command without the option runs twice, which shows that nothing else differs.
    let bases = Array(Set(rows.map(\.without)))
    let calls = bases + bases + rows.map(\.with)
    let results = LockedValue<[Int: Result<[String], any Error>]>([:])
    ThreadGroup.forEach(calls.count) { index in
      let result = Result { try fixture.run(calls[index]) }
      results.withLock { $0[index] = result }
    }
    let found = results.withLock { $0 }
    var before: [Call: [String]] = [:]
    for (index, base) in bases.enumerated() {
      let (first, second) = (try found[index]?.get(), try found[index + bases.count]?.get())
      #expect(first == second, "\(base.command): two runs differ")
      before[base] = first
    }
    for (index, row) in rows.enumerated() {
      let after = try #require(try found[2 * bases.count + index]?.get())
      #expect(after != before[row.without], "\(row.option) changes nothing: \(row.with.command)")
    }
  }

  /// The options of each command, as the program describes them.
  private static func described() throws -> [String: [String]] {
    let result = try Tool.run(["--describe"], in: "/")
    let commands = try #require(try JSONValue(parsing: result.outputBytes)["commands"]?.arrayValue)
    var options: [String: [String]] = [:]
    for command in commands {
      let name = try #require(command["name"]?.stringValue)
      // The common options are parsed and used in one place for all commands.
      options[name] = command["arguments"]?.arrayValue?
        .filter { $0["kind"] != "positional" && $0["section"] != "Common options" }
        .compactMap { $0["name"]?.stringValue }
    }
    return options
  }

  /// Parses the table; returns its rows and the options without one.
  private static func rows(
    ofCommands names: Set<String>
  ) -> (rows: [Row], hidden: [String]) {
    var (rows, hidden): ([Row], [String]) = ([], [])
    var (name, common) = ("", Call(command: [], exitCode: 0))
    for line in OptionTable.text.split(separator: "\n") {
      var words = line.split(separator: " ").map(String.init)
      if words[0] == "#" {
        let isNoun = words.count > 2 && names.contains("\(words[1]) \(words[2])")
        name = isNoun ? "\(words[1]) \(words[2])" : words[1]
        common = call(Array(words.dropFirst()))
        continue
      }
      let word = "--" + words.removeFirst()
      let option = "\(name) \(word)"
      let kind = words[0]
      guard kind != "!" else {
        hidden.append(option)
        continue
      }
      var (without, more) = (common, words)
      if kind == "@" || kind == "<", let mark = words.firstIndex(of: "»") {
        more = Array(words[(mark + 1)...])
        let given = Array(words[1..<mark])
        without = call(name.split(separator: " ").map(String.init) + (kind == "@" ? given : []))
        if kind == "<" { without.input = given[0] }
      }
      var with = without
      let added = call(more)
      with.command += added.command
      with.exitCode = added.exitCode
      rows.append(Row(option: option, without: without, with: with))
      let isUsed = added.command.contains { $0 == word || $0.hasPrefix("-") && $0.utf8.count == 2 }
      #expect(isUsed, "\(option): the row does not use it")
    }
    return (rows, hidden)
  }

  private static func call(_ words: [String]) -> Call {
    let parts = words.split(separator: ";", maxSplits: 1).map(Array.init)
    var call = Call(command: parts.first ?? [], exitCode: 0, probe: parts.count > 1 ? parts[1] : [])
    guard let last = words.last, last.hasPrefix("="), let code = Int32(last.dropFirst()) else {
      return call
    }
    if call.probe.isEmpty { call.command.removeLast() } else { call.probe.removeLast() }
    call.exitCode = code
    return call
  }
}
