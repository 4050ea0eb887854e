// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditCommandLine

@Suite("Validation of declarations")
struct ValidationTests {
  @Test func `the sample program has no problems`() {
    #expect(sample.problems() == [])
  }

  @Test func `every invalid declaration is found`() {
    let program = ProgramDescription(
      name: "x", abstract: "X.", version: "1",
      groups: [.init("All", [Careless.self, Careless.self, Noun.self, NounCommand.self])])
    #expect(
      Set(program.problems()) == [
        "careless: The abstract is not a sentence.",
        "careless: --size has no name for its value.",
        "careless: --size is declared twice.",
        "careless: --size has no help sentence.",
        "careless: -v is declared twice.",
        "careless: --Big has an invalid name.",
        "careless: --quiet is declared twice.",
        "careless: --one has a short form that is not a letter.",
        "careless: B is required, but follows optional A.",
        "careless: REST takes all arguments, so LAST is never set.",
        "careless: The example 'careles x' does not start with the command name.",
        "careless: The example 'careless --sizes x' is invalid: --sizes: unknown option.",
        "The command name 'careless' is already in use.",
        "'noun' is both a command and a group of commands.",
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

  struct NounCommand: Command {
    static let configuration = CommandConfiguration<Self>("noun verb", "Is a verb.")
    func run(in environment: CommandEnvironment) {}
  }
}
