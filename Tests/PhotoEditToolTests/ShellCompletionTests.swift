// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditTestSupport
import Testing

/// Keystrokes in real shells with the scripts of `photoedit completions`.
@Suite("Completion in shells", .runsPrograms)
struct ShellCompletionTests {
  private let folder: TemporaryFolder
  private let variables: [String: String]

  init() throws {
    folder = try TemporaryFolder()
    variables = [
      "PATH": "\(BuiltProgram.folder):/usr/bin:/bin", "HOME": folder.path, "TERM": "xterm",
      "LC_ALL": "C.UTF-8", "PHOTOEDIT_LIBRARY": folder.path("Photos"),
    ]
    try folder.write([], to: "look one.cube")
    let create = "photoedit library create Photos -q && photoedit album create 'Summer 2019' -q"
    let result = try Tool.runScript(create, in: folder.path, environment: variables)
    try #require(result.exitCode == 0, "\(result.errors)")
  }

  /// Keystrokes with tabs, and the arguments that the shell then has.
  private static let lines: [(keys: String, arguments: [String])] = [
    ("photoedit hist\t", ["photoedit", "history"]),
    ("photoedit album sh\t", ["photoedit", "album", "show"]),
    ("photoedit apply --upd\t", ["photoedit", "apply", "--update"]),
    ("photoedit --color nev\t", ["photoedit", "--color", "never"]),
    ("photoedit --color=nev\t", ["photoedit", "--color=never"]),
    (
      "photoedit apply --filter expo\t:e\t0.5",
      ["photoedit", "apply", "--filter", "exposure:ev=0.5"]
    ),
    (
      "photoedit apply --filter=exposure:ev=1,bla\t0",
      ["photoedit", "apply", "--filter=exposure:ev=1,black=0"]
    ),
    (
      "photoedit apply --filter lut3d:file=loo\t",
      ["photoedit", "apply", "--filter", "lut3d:file=look one.cube"]
    ),
    ("photoedit album show Sum\t", ["photoedit", "album", "show", "Summer 2019"]),
    ("photoedit album show 'Summer 2\t", ["photoedit", "album", "show", "Summer 2019"]),
    ("photoedit show look\t", ["photoedit", "show", "look one.cube"]),
    ("photoedit library info Pho\tassets", ["photoedit", "library", "info", "Photos/assets"]),
  ]

  /// Types every line into a shell, and lets the shell print its arguments.
  private func checkLines(_ shell: [String], _ setUp: String) throws {
    let path = try #require(Program.find(shell[0]))
    let terminal = try Terminal(
      [path] + shell.dropFirst(), folder: folder.path, variables: variables)
    // The prompt differs from the text that sets it.
    try terminal.type("PS1='rea''dy> '; \(setUp)\r", until: "ready> ")
    for (keys, arguments) in Self.lines {
      let expected = arguments.map { "<\($0)>" }.joined()
      do {
        // The beginning of the line is replaced after the completion.
        try terminal.type(
          keys + "\u{1}printf '<%s>' \u{5}; echo\r", until: expected, "ready> ")
      } catch {
        Issue.record("\(shell[0]): \(keys.debugDescription): \(error)")
        return
      }
    }
  }

  @Test func `bash completes the lines`() throws {
    try checkLines(
      ["bash", "--norc", "--noprofile", "-i"], "source <(photoedit completions bash)")
  }

  @Test(.enabled(if: Program.find("zsh") != nil, "zsh is not installed"))
  func `zsh completes the lines`() throws {
    try checkLines(
      ["zsh", "-f", "-i"],
      "autoload -Uz compinit; compinit -u -D; source <(photoedit completions zsh)")
  }

  @Test(.enabled(if: Program.find("fish") != nil, "fish is not installed"))
  func `fish lists the completions`() throws {
    func completions(of line: String) throws -> [String] {
      let script = "photoedit completions fish | source; complete -C '\(line)'"
      let result = try Tool.runScript(
        "fish --no-config -c \"$SCRIPT\"", in: folder.path,
        environment: variables.merging(["SCRIPT": script]) { $1 })
      #expect(result.exitCode == 0 && result.errors.isEmpty, "\(line): \(result.errors)")
      return result.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }
    #expect(try completions(of: "photoedit hist") == ["history"])
    #expect(try completions(of: "photoedit album sh") == ["show"])
    #expect(try completions(of: "photoedit apply --upd") == ["--update"])
    #expect(try completions(of: "photoedit --color=nev") == ["--color=never"])
    #expect(try completions(of: "photoedit apply --filter exposure:e") == ["exposure:ev="])
    #expect(
      try completions(of: "photoedit apply --filter lut3d:file=loo")
        == ["lut3d:file=look one.cube"])
    #expect(try completions(of: "photoedit album show Sum") == ["Summer 2019"])
    #expect(try completions(of: "photoedit library info Pho") == ["Photos/"])
  }
}
