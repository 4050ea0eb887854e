// SPDX-License-Identifier: Apache-2.0
package import PhotoEditStorage

/// A command of the program: parsed into a value, then run.
///
/// The initial values of its properties are the defaults, which help shows.
package protocol Command: Sendable {
  /// The name, the help and the arguments.
  static var configuration: CommandConfiguration<Self> { get }

  /// Creates the command with every argument at its default.
  init()

  /// Runs the command.
  ///
  /// - Throws: The failure; the program converts it to text and an exit code.
  func run(in environment: CommandEnvironment) throws(CommandFailure)
}

extension Command {
  /// The type-independent description of the command.
  static var info: CommandInfo {
    let configuration = configuration
    return CommandInfo(
      name: configuration.name, abstract: configuration.abstract,
      discussion: configuration.discussion, examples: configuration.examples,
      writesJSON: configuration.writesJSON, stopsCleanly: configuration.stopsCleanly,
      arguments: arguments(in: Slot(Self()), Slot(CommonOptions())).map(\.info))
  }

  /// Returns the arguments of the command followed by the common ones, bound to their values.
  static func arguments(
    in command: Slot<Self>, _ common: Slot<CommonOptions>
  ) -> [BoundArgument] {
    let configuration = configuration
    return configuration.arguments().flatMap(\.parts).map { $0.bound(to: command) }
      + CommonOptions.arguments(writesJSON: configuration.writesJSON, in: common)
  }

  /// Parses the arguments after the command's name without running the command.
  package static func parse(_ tokens: [String]) throws(CommandFailure) -> Self {
    try parseConfined(tokens).command
  }

  /// Parses the arguments, also the policy on decoding in a confined process.
  package static func parseConfined(
    _ tokens: [String]
  ) throws(CommandFailure) -> (command: Self, sandbox: SandboxPolicy?) {
    let (command, common) = (Slot(Self()), Slot(CommonOptions()))
    let parser = ArgumentParser(arguments: arguments(in: command, common))
    _ = try parser.parse(tokens[...])
    return (command.value, common.value.sandbox)
  }

  /// The name, separate from `info` so that a lookup does not create the help of every command.
  static var name: String { configuration.name }
}

/// The declaration of a command's name, help and arguments.
package struct CommandConfiguration<Root>: Sendable {
  let name: String
  let abstract: String
  let discussion: String
  let examples: [CommandExample]
  let writesJSON: Bool
  let stopsCleanly: Bool
  let arguments: @Sendable () -> [Argument<Root>]

  /// Declares a command.
  ///
  /// - Parameters:
  ///   - name: One word, or two for a noun and a verb: `"album create"`.
  ///   - abstract: One sentence.
  ///   - discussion: Paragraphs separated by an empty line; shown by `--help`, not by `-h`.
  ///   - examples: Shown before the arguments.
  ///   - writesJSON: Whether `--json` is accepted; read it as `environment.wantsJSON`.
  ///   - stopsCleanly: Whether SIGINT, SIGTERM and SIGHUP set `environment.isCancelled` instead of
  ///     ending the process. Use true for commands that write files and check it.
  ///   - arguments: The arguments in the order of the help; positional arguments in the order of
  ///     the command line. Created on first use: key paths are slow to create, and only one command
  ///     runs.
  package init(
    _ name: String, _ abstract: String, discussion: String = "", examples: [CommandExample] = [],
    writesJSON: Bool = false, stopsCleanly: Bool = false,
    arguments: @escaping @autoclosure @Sendable () -> [Argument<Root>] = []
  ) {
    self.name = name
    self.abstract = abstract
    self.discussion = discussion
    self.examples = examples
    self.writesJSON = writesJSON
    self.stopsCleanly = stopsCleanly
    self.arguments = arguments
  }
}

/// An example command line and its description.
package struct CommandExample: Sendable, Hashable {
  let line: String
  let text: String

  /// Creates an example from the arguments after the program name: `"apply a.jpg --filter sepia"`.
  package init(_ line: String, _ text: String) {
    self.line = line
    self.text = text
  }
}

/// The description of a command for help, validation and self-description.
struct CommandInfo: Sendable {
  var name: String
  var abstract: String
  var discussion: String
  var examples: [CommandExample]
  var writesJSON: Bool
  var stopsCleanly: Bool
  var arguments: [ArgumentInfo]
}
