// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditCommandLine

@Suite("Declarations are checked")
struct ValidationTests {
  @Test func `the sample program has no problems`() {
    #expect(sample.problems() == [])
  }

  @Test func `every mistake is found`() {
    let program = ProgramDescription(
      name: "x", abstract: "X.", version: "1",
      commands: [Careless.self, Careless.self, Noun.self, NounVerb.self])
    #expect(
      Set(program.problems()) == [
        "careless: The abstract is not a sentence.",
        "careless: --size has no name for its value.",
        "careless: --size is declared twice.",
        "careless: --size has no sentence of help.",
        "careless: -v is declared twice.",
        "careless: --Big has a badly formed name.",
        "careless: --quiet is declared twice.",
        "careless: --one has a short form that is not a letter.",
        "careless: B must be given, but A before it need not.",
        "careless: REST takes every word, so nothing is left for LAST.",
        "careless: The example 'careles x' does not begin with the command.",
        "careless: The example 'careless --sizes x' is refused: --sizes: unknown option.",
        "The command name 'careless' is taken.",
        "'noun' is a command and the noun of others.",
      ])
  }

  struct Careless: Command {
    static let configuration = CommandConfiguration<Self>(
      "careless", "No sentence",
      examples: [
        CommandExample("careles x", "Wrong name."), CommandExample("careless --sizes x", "Typo."),
      ],
      arguments: [
        .option("size", \.text, value: "", "Has no value name."),
        .option("size", \.text, value: "N", ""),
        .flag("Big", short: "v", \.isSet, "Has a capital."),
        .flag("quiet", \.isSet, "Is a common option."),
        .flag("one", short: "1", \.isSet, "Would hide a number."),
        .positional("A", \.maybe, "May be left out."),
        .positional("B", \.text, "Must be given."),
        .positional("REST", \.rest, "Takes all."),
        .positional("LAST", \.text, "Gets nothing."),
      ])
    var text = ""
    var maybe: String?
    var rest: [String] = []
    var isSet = false
    func run(in environment: CommandEnvironment) {}
  }

  struct Noun: Command {
    static let configuration = CommandConfiguration<Self>("noun", "Is a noun.")
    func run(in environment: CommandEnvironment) {}
  }

  struct NounVerb: Command {
    static let configuration = CommandConfiguration<Self>("noun verb", "Is a verb.")
    func run(in environment: CommandEnvironment) {}
  }
}
