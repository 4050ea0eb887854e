// SPDX-License-Identifier: Apache-2.0
@testable import PhotoEditCommandLine

/// A program for the tests, with one argument of every kind.
let sample = ProgramDescription(
  name: "paint", abstract: "Paints images.", version: "1.2",
  examples: [CommandExample("brush a.png", "Paints one image.")],
  components: { [.init("canvas", "7.0")] },
  groups: [
    .init("Paint", [BrushCommand.self, MixCommand.self]),
    .init("Build", [WallAddCommand.self, WallListCommand.self]),
  ])

struct BrushCommand: Command, Equatable {
  enum Mode: String, CaseIterable, ArgumentValue { case soft, hard, spray }

  enum Change: Equatable {
    case set(String), remove(String), move(Int)
  }

  static let configuration = CommandConfiguration<Self>(
    "brush", "Paints over images with a brush of a given size, mode and pressure.",
    discussion: "A longer text.\n\nIn two paragraphs.",
    examples: [
      CommandExample("brush a.png --size 3", "Paints with a small brush."),
      CommandExample("brush - -o out.png < a.png", "Paints what comes in."),
    ],
    writesJSON: true,
    arguments: [
      .positional("INPUT", \.inputs, "The images; '-' is standard input."),
      .option("size", short: "s", \.size, in: 1...100, value: "N", "The size in pixels.")
        .renamed(from: "width"),
      .option("pressure", \.pressure, value: "P", "The pressure."),
      .option("mode", \.mode, value: "MODE", "How the paint falls."),
      .option("tag", \.tags, value: "TAG", "A tag to write."),
      .option("set", \.changes, value: "KEY=VALUE", "Sets a value.", as: Change.set),
      .option("remove", \.changes, value: "KEY", "Removes a value.", as: Change.remove),
      .option("move", \.changes, value: "N", "Moves a value.", as: Change.move),
      .option("secret", \.secret, value: "X", "Not in the help.").hidden,
      .group(\.output, OutputOptions.arguments, title: "Output"),
    ])

  var inputs: [String] = []
  var size = 10
  var pressure = 0.5
  var mode = Mode.soft
  var tags: [String] = []
  var changes: [Change] = []
  var secret: String?
  var output = OutputOptions()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    for input in inputs {
      if input == "missing.png" {
        throw CommandFailure(.inputMissing, "\(input): no such image", hint: "look elsewhere")
      }
      environment.print("painted \(input)")
    }
    environment.note("done")
    environment.detail("in detail")
    environment.debug("in depth")
  }
}

struct OutputOptions: Equatable {
  static let arguments: [Argument<Self>] = [
    .option("output", short: "o", \.file, value: "FILE", "Where the image goes."),
    .flag("force", short: "f", \.force, "Replaces an existing file."),
    .flag("near", short: "n", "Counts how often it is given.") { $0.near += 1 },
  ]

  var file: String?
  var force = false
  var near = 0
}

struct MixCommand: Command, Equatable {
  static let configuration = CommandConfiguration<Self>(
    "mix", "Mixes two colors.",
    arguments: [
      .option("into", \.into, value: "POT", isRequired: true, "The pot."),
      .positional("A", \.a, "The first colour."),
      .positional("B", \.b, "The second color."),
      .positional("SHARE", \.share, "The share of the second."),
    ])

  var a = ""
  var b = ""
  var share: Double?
  var into: String?

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    throw .usage("'\(a)': not a colour")
  }
}

struct WallAddCommand: Command {
  static let configuration = CommandConfiguration<Self>("wall add", "Adds a wall.")

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try environment.checkCancellation()
  }
}

struct WallListCommand: Command {
  static let configuration = CommandConfiguration<Self>("wall list", "Lists the walls.")

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    environment.report(CommandFailure(.badData, "wall 1: crooked", hint: "lean"), input: "1")
    throw .reported(.someFailed)
  }
}

/// The result of a run of the sample program.
struct SampleRun {
  let exitCode: ExitCode
  let output: String
  let error: String

  init(_ line: String, variables: [String: String] = [:]) {
    self.init(line.split(separator: " ").map(String.init), variables: variables)
  }

  init(
    _ words: [String], variables: [String: String] = [:],
    terminals: Set<CommandEnvironment.Stream> = []
  ) {
    let environment = CommandEnvironment.memory(
      arguments: words, variables: variables, terminals: terminals)
    exitCode = sample.run(in: environment)
    output = environment.output.text
    error = environment.error.text
  }
}
