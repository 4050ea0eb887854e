// SPDX-License-Identifier: Apache-2.0
package import PhotoEditStorage

/// Everything a command reads from or writes to the world it runs in.
package struct CommandEnvironment: Sendable {
  /// The words after the program's name.
  package let arguments: [String]
  /// Looks up an environment variable.
  package let variable: @Sendable (String) -> String?
  /// Standard input.
  package let input: InputStream
  /// Standard output: results, and nothing else.
  package let output: OutputStream
  /// Standard error: messages for people.
  package let error: OutputStream
  /// The wish to stop; see `isCancelled` and `Cancellation.withHandler`.
  package let cancellation: Cancellation
  /// How wide help is laid out, from COLUMNS or else 80.
  package let columns: Int

  /// How much is said: `-q`, `-v`, `-vv`, or the variable `<PROGRAM>_LOG`.
  package internal(set) var verbosity: Verbosity = .normal
  /// Whether `--json` was given to a command that accepts it.
  package internal(set) var wantsJSON = false
  /// The name in front of messages.
  package internal(set) var programName = ""
  /// The counter on standard error, silent unless a person reads along.
  package private(set) var progress: ProgressLine

  var colorChoice: ColorChoice = .auto
  /// The command that runs, whose options hints may name.
  var command: (any Command.Type)?
  /// Whether signals are watched for commands that stop cleanly.
  var watchesSignals = false
  /// The place of the first argument that is not UTF-8, counted from one.
  var damagedArgument: Int?

  init(
    arguments: [String], variable: @escaping @Sendable (String) -> String?, input: InputStream,
    output: OutputStream, error: OutputStream, cancellation: Cancellation = Cancellation()
  ) {
    self.arguments = arguments
    self.variable = variable
    self.input = input
    self.output = output
    self.error = error
    self.cancellation = cancellation
    columns = min(max(variable("COLUMNS").flatMap { Int($0) } ?? 80, 40), 400)
    progress = ProgressLine(stream: error, columns: columns, isEnabled: false)
  }

  /// Whether messages on standard error are coloured.
  package var wantsColor: Bool { wantsColor(on: error) }

  /// Whether what goes to a stream is coloured.
  package func wantsColor(on stream: OutputStream) -> Bool {
    colorChoice.allowsColor(isTerminal: stream.isTerminal, variable: variable)
  }

  /// Whether long work should end: a signal came, or nobody takes the output any more.
  package var isCancelled: Bool { cancellation.isCancelled || output.failure != nil }

  /// Takes over what the command line and the variables say about messages.
  mutating func apply(_ options: CommonOptions, program: String) {
    programName = program
    colorChoice = options.color
    wantsJSON = options.wantsJSON
    let variableName = program.uppercased().replacing("-", with: "_") + "_LOG"
    verbosity =
      options.verbosity ?? variable(variableName).flatMap { Verbosity(rawValue: $0) } ?? .normal
    let isWatched = error.isTerminal && variable("TERM") != "dumb"
    progress = ProgressLine(
      stream: error, columns: columns,
      isEnabled: isWatched && verbosity > .quiet && !wantsJSON)
  }
}
