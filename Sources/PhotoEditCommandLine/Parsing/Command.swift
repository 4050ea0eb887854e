// SPDX-License-Identifier: Apache-2.0

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
    let command = Slot(Self())
    let parser = ArgumentParser(arguments: arguments(in: command, Slot(CommonOptions())))
    _ = try parser.parse(tokens[...])
    return command.value
  }

  /// The name, separate from `info` so that a lookup does not create the help of every command.
  static var name: String { configuration.name }
}
