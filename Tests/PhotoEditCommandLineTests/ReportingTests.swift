// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditCommandLine

@Suite("Messages, failures and color")
struct ReportingTests {
  @Test func `results go to standard output and messages to standard error`() {
    let run = SampleRun("brush a.png")
    #expect(run.output == "painted a.png\n")
    #expect(run.error == "paint: done\n")
    #expect(run.exitCode == .success)
  }

  @Test func `a failure ends with its exit code and hint`() {
    let run = SampleRun("brush a.png missing.png")
    #expect(run.exitCode == .inputMissing)
    #expect(run.output == "painted a.png\n")
    #expect(run.error == "paint: error: missing.png: no such image\n  look elsewhere\n")
  }

  @Test func `a failure is also a JSON object`() {
    let run = SampleRun("brush missing.png --json")
    #expect(
      run.output == #"{"schemaVersion":1,"error":{"code":"inputMissing","#
        + #""message":"missing.png: no such image","exit":66,"hint":"look elsewhere"}}"# + "\n")
    #expect(run.error.hasPrefix("paint: error: missing.png"))
  }

  @Test(arguments: ["brush --json a --size x", "brush a --size x --json", "--json brush --size x"])
  func `a usage error is also a JSON object`(line: String) {
    let run = SampleRun(line)
    #expect(run.exitCode == .usage)
    #expect(
      run.output == #"{"schemaVersion":1,"error":{"code":"usage","#
        + #""message":"--size: 'x' is not an integer","exit":64}}"# + "\n")
  }

  @Test func `an argument equal to the JSON flag does not enable JSON`() {
    #expect(SampleRun("brush --size x -- --json").output.isEmpty)
  }

  @Test func `failures reported individually are not reported again`() {
    let run = SampleRun("wall list")
    #expect(run.exitCode == .someFailed)
    #expect(run.error == "paint: error: wall 1: crooked\n  lean\n")
  }

  @Test(arguments: [
    ("brush a -q", ""), ("-q brush a", ""), ("brush a", "done"),
    ("brush a -v", "done,in detail"), ("brush a -vv", "done,in detail,in depth"),
    ("-v brush a -v", "done,in detail,in depth"), ("brush a --debug", "done,in detail,in depth"),
  ])
  func `the options set the verbosity`(line: String, stated: String) {
    let expected = stated.split(separator: ",").map { "paint: \($0)\n" }.joined()
    #expect(SampleRun(line).error == expected)
  }

  @Test(arguments: [("quiet", 0), ("verbose", 2), ("debug", 3), ("nonsense", 1)])
  func `the variable sets the verbosity`(value: String, lines: Int) {
    let run = SampleRun("brush a", variables: ["PAINT_LOG": value])
    #expect(run.error.split(separator: "\n").count == lines)
    #expect(SampleRun("brush a -q", variables: ["PAINT_LOG": value]).error.isEmpty)
  }

  static let colors: [(ColorChoice, Bool, [String: String], Bool)] = [
    (.auto, true, [:], true),
    (.auto, false, [:], false),
    (.auto, true, ["NO_COLOR": ""], true),
    (.auto, true, ["NO_COLOR": "1"], false),
    (.auto, true, ["TERM": "dumb"], false),
    (.auto, true, ["TERM": "xterm"], true),
    (.auto, false, ["CLICOLOR_FORCE": "1"], true),
    (.auto, false, ["CLICOLOR_FORCE": "0"], false),
    (.auto, false, ["CLICOLOR_FORCE": "1", "TERM": "dumb"], true),
    (.auto, true, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false),
    (.always, false, ["NO_COLOR": "1", "TERM": "dumb"], true),
    (.never, true, ["CLICOLOR_FORCE": "1"], false),
  ]

  @Test(arguments: colors)
  func `color follows the option, the variables and the terminal`(
    choice: ColorChoice, isTerminal: Bool, variables: [String: String], expected: Bool
  ) {
    #expect(choice.allowsColor(isTerminal: isTerminal) { variables[$0] } == expected)
  }

  @Test func `color is applied only to the word error`() {
    let run = SampleRun(["brush", "missing.png", "--color=always"])
    #expect(
      run.error == "paint: \u{1b}[1;31merror:\u{1b}[0m missing.png: no such image\n"
        + "  look elsewhere\n")
    #expect(
      !SampleRun(["brush", "missing.png", "--no-color"], terminals: [.error]).error.contains(
        "\u{1b}"))
  }

  @Test func `progress is shown on a terminal and cleared for messages`() {
    var environment = CommandEnvironment.memory(
      variables: ["COLUMNS": "40"], terminals: [.error])
    environment.apply(CommonOptions(), program: "paint")
    environment.progress.update(1, of: 2, "a\n.png")
    environment.note("hello")
    environment.progress.clear()
    #expect(environment.error.text == "\r\u{1b}[K1/2  a\\n.png\r\u{1b}[Kpaint: hello\n")
    environment.progress.update(2, of: 2, String(repeating: "x", count: 100))
    #expect(environment.error.text.hasSuffix("\u{1b}[K2/2  " + String(repeating: "x", count: 34)))
  }

  @Test(arguments: ["-q", "--json", "pipe", "dumb"])
  func `progress is off for quiet, JSON, pipes and dumb terminals`(_ why: String) throws {
    var environment = CommandEnvironment.memory(
      variables: why == "dumb" ? ["TERM": "dumb"] : [:], terminals: why == "pipe" ? [] : [.error])
    var options = CommonOptions()
    if why == "-q" { options.verbosity = .quiet }
    options.wantsJSON = why == "--json"
    environment.apply(options, program: "paint")
    environment.progress.update(1, of: 2)
    #expect(environment.error.text.isEmpty)
  }

  @Test func `a file is not written to a terminal`() throws {
    let terminal = CommandEnvironment.memory(terminals: [.output])
    let failure = #expect(throws: CommandFailure.self) { try terminal.writeFile([1, 2]) }
    #expect(failure?.exitCode == .usage)
    #expect(terminal.output.text.isEmpty)
    let pipe = CommandEnvironment.memory()
    try pipe.writeFile([0x68, 0x69])
    #expect(pipe.output.text == "hi")
  }

  @Test func `input is read up to its limit and never from a terminal`() throws {
    let three = CommandEnvironment.memory(input: [1, 2, 3]).input
    #expect(try three.readAll(limit: 3) == [1, 2, 3])
    let tooLong = #expect(throws: CommandFailure.self) { try three.readAll(limit: 2) }
    #expect(tooLong?.exitCode == .badData)
    let typed = CommandEnvironment.memory(terminals: [.input]).input
    let refused = #expect(throws: CommandFailure.self) { try typed.readAll(limit: 3) }
    #expect(refused?.exitCode == .usage)
  }

  @Test func `the exit codes match the published table`() {
    #expect(
      ExitCode.allCases.map(\.rawValue)
        == [0, 1, 64, 65, 66, 69, 70, 73, 74, 75, 77, 78, 129, 130, 141, 143])
    #expect(Set(ExitCode.allCases.map(\.name)).count == ExitCode.allCases.count)
  }
}
