// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditServeArguments
import PhotoEditServer

/// The program `photoedit-serve`: it has the name and one of the commands of `photoedit`, which
/// starts it.
enum Program {
  static let description = ProgramDescription(
    name: "photoedit", abstract: "The server of 'photoedit serve'.",
    version: WebServer.version,
    groups: [.init("Look", [ServeCommand.self])])
}

/// A command that serves photos to the browser until it is stopped.
struct ServeCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "serve", ServeArguments.abstract, discussion: ServeArguments.discussion,
    examples: ServeArguments.examples, stopsCleanly: true,
    arguments: [.group(\.arguments, ServeArguments.all)])

  var arguments = ServeArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try WebServer.run(arguments, environment)
  }
}
