// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

/// All hints of the sources against all commands of the program.
@Suite("Hints", .runsPrograms)
struct HintTests {
  /// The options of each command, as written.
  private let commands: [String: Set<String>]

  init() throws {
    let folder = try TemporaryFolder()
    let result = try Tool.run(["--describe"], in: folder.path)
    let description = try JSONValue(
      parsing: result.outputBytes,
      limits: JSONLimits(maximumBytes: 16 << 20, maximumStringBytes: 1 << 20))
    var commands: [String: Set<String>] = [:]
    for command in description["commands"]?.arrayValue ?? [] {
      let arguments = command["arguments"]?.arrayValue ?? []
      let options = arguments.filter { $0["kind"]?.stringValue != "positional" }
      commands[try #require(command["name"]?.stringValue)] = Set(
        options.flatMap { option in
          [
            option["name"]?.stringValue.map { "--" + $0 },
            option["short"]?.stringValue.map { "-" + $0 },
          ]
          .compactMap { $0 }
        })
    }
    self.commands = commands
    try #require(commands.count > 40)
  }

  private struct Written {
    var text: String
    /// The file that it is in, relative to the package.
    var file: String
  }

  /// Every string after `hint:` in the sources, without interpolated values.
  private func hints() throws -> [Written] {
    let root = TestImages.packageRoot + "/Sources/"
    var hints: [Written] = []
    for file in try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
    where file.hasSuffix(".swift") {
      let source = String(decoding: try FileBytes.reading(root + file).array, as: UTF8.self)
      for match in source.matches(
        of: /hint:\s*(?:[\w.]+ \? )?("(?:[^"\\]|\\.)*"(?:\s*\+ "(?:[^"\\]|\\.)*")*)/)
      {
        let text = match.1.replacing(/"\s*\+ "/, with: "").dropFirst().dropLast()
        hints.append(Written(text: String(text).replacing(/\\\([^)]*\)*/, with: "…"), file: file))
      }
    }
    return hints
  }

  @Test func `no command shows a hint that names an option it lacks`() throws {
    let hints = try hints()
    try #require(hints.count > 100 && hints.contains { $0.text.contains("--force") })
    let spelling = /(?:^|[\s(])(--?[a-z][a-z-]*)/
    for (command, options) in commands {
      for hint in hints {
        guard let shown = Hint.fitting(hint.text, options: options) else { continue }
        let own = shown.replacing(/(?:^|[\s(])['`][^'`]*['`]/, with: " ")
        for match in own.matches(of: spelling) {
          #expect(options.contains(String(match.1)), "\(command): \(shown) (\(hint.file))")
        }
      }
    }
  }

  @Test func `every option in a hint belongs to a command that shows the entire hint`() throws {
    for hint in try hints() where !Hint.options(in: hint.text).isEmpty {
      let shown = commands.values.contains { Hint.fitting(hint.text, options: $0) == hint.text }
      #expect(shown, "no command shows '\(hint.text)' (\(hint.file))")
    }
  }

  @Test func `the text quoted by a hint is a valid command with valid options`() throws {
    var count = 0
    for hint in try hints() {
      // The shell's own commands have other options.
      for quotation in Hint.quotations(in: hint.text) where !quotation.hasPrefix("ulimit ") {
        let words = quotation.split(separator: " ").drop { $0 == "photoedit" }
        let name = [words.prefix(2), words.prefix(1)].map { $0.joined(separator: " ") }
          .first { commands[$0] != nil }
        guard let name, let options = commands[name] else {
          #expect(!quotation.hasPrefix("photoedit "), "'\(quotation)' (\(hint.file))")
          #expect(Hint.options(in: quotation).isEmpty, "'\(quotation)' (\(hint.file))")
          continue
        }
        count += 1
        for option in Hint.options(in: quotation) {
          #expect(options.contains(option), "'\(quotation)' (\(hint.file))")
        }
      }
    }
    #expect(count > 5)
  }

  @Test func `a hint in a command's file names options of that command`() throws {
    for hint in try hints() where hint.file.hasPrefix("PhotoEditTool/Commands/") {
      let word = FileSystem.lastName(of: hint.file).replacing("Command.swift", with: "")
        .lowercased()
      guard let options = commands[word] else { continue }
      #expect(Hint.fitting(hint.text, options: options) == hint.text, "\(hint.file)")
    }
  }

  @Test func `commands show only the part of a hint that they support`() throws {
    let folder = try TemporaryFolder()
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "photo.jpg")
    _ = try Tool.run(["apply", "--filter", "sepia", "photo.jpg"], in: folder.path)
    try folder.write(try TestImages.bytes("inputs/jpeg-444.jpg"), to: "photo.jpg")
    for subcommand in [["adjust", "--set", "sepia.amount=0.5"], ["undo"]] {
      let result = try Tool.run(subcommand + ["photo.jpg", "--json"], in: folder.path)
      #expect(result.exitCode != 0)
      let error = try #require(try result.jsonLines().first?["error"])
      let hint = try #require(error["hint"]?.stringValue)
      let options = try #require(commands[subcommand[0]])
      #expect(Hint.fitting(hint, options: options) == hint && result.errors.contains(hint))
    }
  }
}
