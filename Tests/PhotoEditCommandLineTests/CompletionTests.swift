// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditCommandLine

@Suite("Completion")
struct CompletionTests {
  /// The candidates for the last word of a line; a line that ends with a blank has an empty one.
  private func candidates(_ line: String) -> [String] {
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let run = SampleRun(["__complete", "--"] + words)
    #expect(run.exitCode == .success && run.error.isEmpty, "\(line): \(run.error)")
    return run.output.split(separator: "\n").dropFirst()
      .map { String($0.prefix { $0 != "\t" }) }
  }

  @Test func `the first word is a command or the first word of one`() {
    #expect(candidates("") == ["brush", "mix", "wall", "help"])
    #expect(candidates("m") == ["mix"])
    #expect(candidates("-q m") == ["mix"])
    #expect(candidates("--color always b") == ["brush"])
    #expect(candidates("--ver") == ["--version", "--verbose"])
    #expect(candidates("nonsense ").isEmpty)
  }

  @Test func `the second word of a group is completed`() {
    #expect(candidates("wall ") == ["add", "list"])
    #expect(candidates("wall l") == ["list"])
    #expect(candidates("wall nothing ").isEmpty)
  }

  @Test func `help completes commands and topics`() {
    #expect(candidates("help ") == ["brush", "mix", "wall", "help", "options", "exit-codes"])
    #expect(candidates("help wall a") == ["add"])
  }

  @Test func `options are offered until they are used, and not their former names`() {
    #expect(candidates("brush --s") == ["--size", "--set", "--sandbox"])
    #expect(candidates("brush --size 3 --s") == ["--set", "--sandbox"])
    #expect(candidates("brush -s3 --si").isEmpty)
    #expect(candidates("brush --set a=1 --se") == ["--set"])
    #expect(candidates("brush --w").isEmpty)
    #expect(candidates("brush -- --s").isEmpty)
    #expect(!candidates("brush -").contains("--secret"))
  }

  @Test func `the values of an enumeration are completed after a blank or an equals sign`() {
    #expect(candidates("brush --mode s") == ["soft", "spray"])
    #expect(candidates("brush --mode=h") == ["--mode=hard"])
    #expect(candidates("--color=n") == ["--color=never"])
    #expect(candidates("brush --force=").isEmpty)
  }

  @Test func `a program completes values by their names, with what precedes them`() {
    let program = ProgramDescription(
      name: "paint", abstract: "Paints.", version: "1",
      complete: { request, _ in
        Completion(
          [
            .init(request.prefix + "-\(request.command)-\(request.placeholder)", "one"),
            .init("\(request.prefix)+\(request.operands)\(request.options["size"] ?? [])"),
            .init("other"), .init("\(request.prefix)\u{1b}[2J"),
          ], files: .files, isPartial: true)
      }, groups: [.init("Paint", [BrushCommand.self, MixCommand.self])])
    func output(_ words: String...) -> [String] {
      let environment = CommandEnvironment.memory(arguments: ["__complete", "--"] + words)
      #expect(program.run(in: environment) == .success)
      return environment.output.text.split(separator: "\n").map(String.init)
    }
    #expect(
      output("brush", "-s", "4", "a", "b") == [
        "files\tpartial\t", "b-brush-INPUT\tone", "b+[\"a\"][\"4\"]\t",
      ])
    #expect(
      output("brush", "--output=x").prefix(2) == [
        "files\tpartial\t--output=", "--output=x-brush-FILE\tone",
      ])
    #expect(output("brush", "-fo", "x")[1] == "x-brush-FILE\tone")
    #expect(output("mix", "1", "2", "3")[1] == "3-mix-SHARE\tone")
    #expect(output("mix", "1", "2", "3", "4").count == 1)
  }

  @Test func `a script names the program and its hidden command`() {
    for shell in CompletionShell.allCases {
      let script = sample.completionScript(for: shell)
      #expect(script.contains("paint") && script.contains(" __complete -- "), "\(shell)")
      #expect(!script.contains("PROGRAM") && !script.contains("COMPLETE"), "\(shell)")
    }
    #expect(!SampleRun("help").output.contains("__complete"))
  }
}
