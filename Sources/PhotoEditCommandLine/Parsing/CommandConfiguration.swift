// SPDX-License-Identifier: Apache-2.0

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
