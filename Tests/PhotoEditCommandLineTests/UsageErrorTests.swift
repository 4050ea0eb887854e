// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers
import Testing

@testable import PhotoEditCommandLine

@Suite("Usage errors")
struct UsageErrorTests {
  /// The arguments after `brush`, the message and the hint.
  static let brush: [(String, String, String?)] = [
    ("", "missing INPUT: The images; '-' is standard input", nil),
    ("a --sise 3", "--sise: unknown option", "did you mean '--size'?"),
    ("a --pres 3", "--pres: unknown option", "did you mean '--pressure'?"),
    ("a --forec=3", "--forec: unknown option", "did you mean '--force'?"),
    (
      "a -x.jpg", "-x.jpg: unknown option",
      "for a file name that starts with '-', use './-x.jpg' or put it after '--'"
    ),
    (
      "a -fx", "-fx: unknown option",
      "for a file name that starts with '-', use './-fx' or put it after '--'"
    ),
    ("a --size", "--size: missing value N", nil),
    ("a -s", "-s: missing value N", nil),
    (
      "a -o -f", "-o: missing value FILE (found option '-f')",
      "use '--output=-f' to pass it as the value"
    ),
    (
      "a -o --force", "-o: missing value FILE (found option '--force')",
      "use '--output=--force' to pass it as the value"
    ),
    (
      "a -o --size=3", "-o: missing value FILE (found option '--size=3')",
      "use '--output=--size=3' to pass it as the value"
    ),
    (
      "a -o -- b", "-o: missing value FILE (found option '--')",
      "use '--output=--' to pass it as the value"
    ),
    ("a --force=yes", "--force: does not take a value", nil),
    ("a --size 0", "--size: '0' is out of range (allowed: 1–100)", nil),
    ("a --size 101", "--size: '101' is out of range (allowed: 1–100)", nil),
    ("a --size 1.5", "--size: '1.5' is not an integer", nil),
    ("a --size 9223372036854775808", "--size: '9223372036854775808' is not an integer", nil),
    ("a --size=", "--size: '' is not an integer", nil),
    ("a -s3x", "-s: '3x' is not an integer", nil),
    ("a --pressure nan", "--pressure: 'nan' is not a number", nil),
    ("a --pressure -inf", "--pressure: '-inf' is not a number", nil),
    ("a --pressure 1e999", "--pressure: '1e999' is not a number", nil),
    ("a --pressure 0x10", "--pressure: '0x10' is not a number", nil),
    ("a --pressure 0,5", "--pressure: '0,5' is not a number", nil),
    (
      "a --mode sprya", "--mode: invalid value 'sprya' (allowed: soft, hard, spray)",
      "did you mean 'spray'?"
    ),
    ("a --mode Q", "--mode: invalid value 'Q' (allowed: soft, hard, spray)", nil),
    ("a --move x", "--move: 'x' is not an integer", nil),
  ]

  @Test(arguments: brush)
  func `a usage error names the argument and gives a hint`(
    line: String, message: String, hint: String?
  ) {
    let words = line.split(separator: " ").map(String.init)
    #expect(throws: CommandFailure.usage(message, hint: hint)) { try BrushCommand.parse(words) }
  }

  static let mix: [(String, String)] = [
    ("--into p a", "missing B: The second color"),
    ("a b", "--into: missing required option"),
    ("--into p a b 0.5 c", "'c': unexpected argument"),
    ("--into p a b c", "SHARE: 'c' is not a number"),
  ]

  @Test(arguments: mix)
  func `missing and surplus arguments are named`(line: String, message: String) {
    let words = line.split(separator: " ").map(String.init)
    #expect(throws: CommandFailure.usage(message)) { try MixCommand.parse(words) }
  }

  /// The whole command line and the complete standard error.
  static let program: [(String, String)] = [
    (
      "bruhs a",
      """
      paint: error: bruhs: unknown command
        did you mean 'brush'?
        try 'paint help'

      """
    ),
    (
      "xyzzy",
      """
      paint: error: xyzzy: unknown command
        try 'paint help'

      """
    ),
    (
      "wall",
      """
      paint: error: wall: missing subcommand
        one of: wall add, wall list
        try 'paint help'

      """
    ),
    (
      "wall lits",
      """
      paint: error: wall lits: unknown command
        did you mean 'wall list'?
        try 'paint help'

      """
    ),
    (
      "--versoin",
      """
      paint: error: --versoin: unknown option
        did you mean '--version'?
        try 'paint help'

      """
    ),
    (
      "help bruhs",
      """
      paint: error: bruhs: unknown command
        did you mean 'brush'?
        try 'paint help'

      """
    ),
    (
      "mix --into p red",
      """
      paint: error: missing B: The second color
        usage: paint mix [options] --into POT A B [SHARE]
        try 'paint help mix'

      """
    ),
    (
      "mix --into p red blue",
      """
      paint: error: 'red': not a colour
        usage: paint mix [options] --into POT A B [SHARE]
        try 'paint help mix'

      """
    ),
  ]

  @Test(arguments: program)
  func `standard error gives the error, the usage and the help command`(
    line: String, error: String
  ) {
    let run = SampleRun(line)
    #expect(run.error == error)
    #expect(run.exitCode == .usage)
    #expect(run.output.isEmpty)
  }

  @Test func `a missing command shows the help as an error`() {
    let run = SampleRun("")
    #expect(run.exitCode == .usage)
    #expect(run.output.isEmpty)
    #expect(run.error.hasPrefix("Usage: paint COMMAND [options]\n"))
  }

  @Test func `an argument that is not UTF-8 is rejected, not repaired`() {
    var environment = CommandEnvironment.memory(arguments: ["brush", "a\u{fffd}"])
    environment.damagedArguments = [2]
    #expect(sample.run(in: environment) == .usage)
    #expect(environment.error.text.hasPrefix("paint: error: argument 2: not valid UTF-8\n"))
    #expect(environment.output.text.isEmpty)
  }

  @Test(arguments: [
    ("sepai", "sepia"), ("grascale", "grayscale"), ("gray", "grayscale"), ("xx", nil),
    ("s", nil), ("", nil), ("sepia", "sepia"), ("espia", "sepia"),
  ])
  func `a suggestion differs in at most a third of its letters`(word: String, nearest: String?) {
    #expect(nearestMatch(to: word, among: ["grayscale", "sepia", "invert"]) == nearest)
  }

  @Test func `JSON from a command without JSON output is rejected, as JSON`() {
    let run = SampleRun("--json mix --into p a b")
    #expect(run.exitCode == .usage)
    #expect(run.output.contains(#""message":"--json: 'mix' does not support JSON output""#))
  }

  @Test func `arguments over 64 bytes are not compared`() {
    let name = String(repeating: "a", count: 64)
    #expect(nearestMatch(to: String(name.dropLast()) + "b", among: [name]) == name)
    #expect(nearestMatch(to: name + "b", among: [name]) == nil)
  }
}
