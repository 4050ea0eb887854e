// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers
import Testing

@testable import PhotoEditCommandLine

@Suite("Mistakes on the command line")
struct UsageErrorTests {
  /// The words after `brush`, the message and the way out.
  static let brush: [(String, String, String?)] = [
    ("", "missing INPUT: The pictures; '-' is standard input.", nil),
    ("a --sise 3", "--sise: unknown option", "did you mean '--size'?"),
    ("a --pres 3", "--pres: unknown option", "did you mean '--pressure'?"),
    ("a --forec=3", "--forec: unknown option", "did you mean '--force'?"),
    (
      "a -x.jpg", "-x.jpg: unknown option",
      "a file whose name begins with '-' is written './-x.jpg' or after '--'"
    ),
    (
      "a -fx", "-fx: unknown option",
      "a file whose name begins with '-' is written './-fx' or after '--'"
    ),
    ("a --size", "--size: needs a value, N", nil),
    ("a -s", "-s: needs a value, N", nil),
    (
      "a -o -f", "-o: needs a value, FILE, but '-f' follows",
      "write '--output=-f' if that is the value"
    ),
    (
      "a -o --force", "-o: needs a value, FILE, but '--force' follows",
      "write '--output=--force' if that is the value"
    ),
    (
      "a -o --size=3", "-o: needs a value, FILE, but '--size=3' follows",
      "write '--output=--size=3' if that is the value"
    ),
    (
      "a -o -- b", "-o: needs a value, FILE, but '--' follows",
      "write '--output=--' if that is the value"
    ),
    ("a --force=yes", "--force: takes no value", nil),
    ("a --size 0", "--size: '0' is out of range: 1 to 100 is allowed", nil),
    ("a --size 101", "--size: '101' is out of range: 1 to 100 is allowed", nil),
    ("a --size 1.5", "--size: '1.5' is not a whole number", nil),
    ("a --size 9223372036854775808", "--size: '9223372036854775808' is not a whole number", nil),
    ("a --size=", "--size: '' is not a whole number", nil),
    ("a -s3x", "-s: '3x' is not a whole number", nil),
    ("a --pressure nan", "--pressure: 'nan' is not a number", nil),
    ("a --pressure -inf", "--pressure: '-inf' is not a number", nil),
    ("a --pressure 1e999", "--pressure: '1e999' is not a number", nil),
    ("a --pressure 0x10", "--pressure: '0x10' is not a number", nil),
    ("a --pressure 0,5", "--pressure: '0,5' is not a number", nil),
    ("a --mode sprya", "--mode: 'sprya' is not one of soft, hard, spray", "did you mean 'spray'?"),
    ("a --mode Q", "--mode: 'Q' is not one of soft, hard, spray", nil),
    ("a --move x", "--move: 'x' is not a whole number", nil),
  ]

  @Test(arguments: brush)
  func `a mistake is named with the word and the way out`(
    line: String, message: String, hint: String?
  ) {
    let words = line.split(separator: " ").map(String.init)
    #expect(throws: CommandFailure.usage(message, hint: hint)) { try BrushCommand.parse(words) }
  }

  static let mix: [(String, String)] = [
    ("--into p a", "missing B: The second colour."),
    ("a b", "--into: missing, and this command needs it"),
    ("--into p a b 0.5 c", "'c': one argument too many"),
    ("--into p a b c", "SHARE: 'c' is not a number"),
  ]

  @Test(arguments: mix)
  func `words that are missing or too many are named`(line: String, message: String) {
    let words = line.split(separator: " ").map(String.init)
    #expect(throws: CommandFailure.usage(message)) { try MixCommand.parse(words) }
  }

  /// The whole line and everything that standard error gets.
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
      paint: error: wall: needs a second word
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
      paint: error: missing B: The second colour.
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
  func `standard error says what, how it should be, and where to read on`(
    line: String, error: String
  ) {
    let run = SampleRun(line)
    #expect(run.error == error)
    #expect(run.exitCode == .usage)
    #expect(run.output.isEmpty)
  }

  @Test func `no command at all shows the help as an error`() {
    let run = SampleRun("")
    #expect(run.exitCode == .usage)
    #expect(run.output.isEmpty)
    #expect(run.error.hasPrefix("Usage: paint COMMAND [options]\n"))
  }

  @Test func `an argument that is not UTF-8 is refused and not repaired`() {
    var environment = CommandEnvironment.memory(arguments: ["brush", "a\u{fffd}"])
    environment.damagedArgument = 2
    #expect(sample.run(in: environment) == .usage)
    #expect(environment.error.text.hasPrefix("paint: error: argument 2: it is not UTF-8\n"))
    #expect(environment.output.text.isEmpty)
  }

  @Test(arguments: [
    ("sepai", "sepia"), ("grascale", "grayscale"), ("gray", "grayscale"), ("xx", nil),
    ("s", nil), ("", nil), ("sepia", "sepia"), ("espia", "sepia"),
  ])
  func `the nearest word is at most a third of the letters away`(word: String, nearest: String?) {
    #expect(nearestWord(to: word, among: ["grayscale", "sepia", "invert"]) == nearest)
  }

  @Test func `JSON from a command that has none is refused, as JSON`() {
    let run = SampleRun("--json mix --into p a b")
    #expect(run.exitCode == .usage)
    #expect(run.output.contains(#""message":"--json: 'mix' has no JSON output""#))
  }

  @Test func `words beyond 64 bytes are not compared`() {
    let name = String(repeating: "a", count: 64)
    #expect(nearestWord(to: String(name.dropLast()) + "b", among: [name]) == name)
    #expect(nearestWord(to: name + "b", among: [name]) == nil)
  }
}
