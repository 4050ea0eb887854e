// SPDX-License-Identifier: Apache-2.0

/// A verb of the program: parsed into a value, then run.
///
/// The initial values of the properties are the defaults, and help prints them.
package protocol Command: Sendable {
  /// The name, the help and the arguments.
  static var configuration: CommandConfiguration<Self> { get }

  /// Makes the command with every argument at its default.
  init()

  /// Does the work.
  ///
  /// - Throws: What went wrong; the program turns it into text and an exit code.
  func run(in environment: CommandEnvironment) throws(CommandFailure)
}

extension Command {
  /// Everything about the command that does not depend on its type.
  static var info: CommandInfo {
    let configuration = configuration
    return CommandInfo(
      name: configuration.name, abstract: configuration.abstract,
      discussion: configuration.discussion, examples: configuration.examples,
      writesJSON: configuration.writesJSON, stopsCleanly: configuration.stopsCleanly,
      arguments: arguments(in: Slot(Self()), Slot(CommonOptions())).map(\.info))
  }

  /// The arguments of the command and then the common ones, tied to the values they set.
  static func arguments(
    in command: Slot<Self>, _ common: Slot<CommonOptions>
  ) -> [BoundArgument] {
    let configuration = configuration
    return configuration.arguments().flatMap(\.parts).map { $0.bound(to: command) }
      + CommonOptions.arguments(writesJSON: configuration.writesJSON, in: common)
  }

  /// Reads the words after the command's name, without running it.
  package static func parse(_ words: [String]) throws(CommandFailure) -> Self {
    let command = Slot(Self())
    let parser = ArgumentParser(arguments: arguments(in: command, Slot(CommonOptions())))
    _ = try parser.parse(words[...])
    return command.value
  }

  /// The name alone, so that a look-up does not build the help of every command.
  static var name: String { configuration.name }
}
