// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
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

/// Messages of work that is done beside other work, kept until it is their turn.
extension CommandEnvironment {
  /// The same surroundings, but what is written is kept in memory.
  package func recording() -> CommandEnvironment {
    var copy = CommandEnvironment(
      arguments: arguments, variable: variable, input: input,
      output: OutputStream(isTerminal: output.isTerminal),
      error: OutputStream(isTerminal: error.isTerminal), cancellation: cancellation)
    copy.verbosity = verbosity
    copy.wantsJSON = wantsJSON
    copy.programName = programName
    copy.colorChoice = colorChoice
    copy.command = command
    return copy
  }

  /// Writes what a recording holds, as if it were written now.
  package func replay(_ recording: CommandEnvironment) {
    let messages = recording.error.bytes
    if !messages.isEmpty {
      progress.clear()
      error.write(bytes: messages)
    }
    let results = recording.output.bytes
    if !results.isEmpty { output.write(bytes: results) }
  }
}

extension CommandEnvironment {
  /// The process: its arguments, variables and standard streams.
  ///
  /// Makes SIGPIPE and SIGXFSZ harmless, so that a reader who leaves and a file that may not grow
  /// are seen as failed writes, and work on files ends in good order; and fills closed standard descriptors, so that no picture opened
  /// later takes their numbers and receives messages.
  package static func live() -> CommandEnvironment {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    MemoryWatch.start()
    for descriptor in 0...2 as ClosedRange<Int32> where fcntl(descriptor, F_GETFD) < 0 {
      // The wrong direction, so that using the stream still fails as it does when closed.
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
    var environment = CommandEnvironment(
      arguments: Array(CommandLine.arguments.dropFirst()),
      variable: { getenv($0).map { String(cString: $0) } },
      input: InputStream(descriptor: 0),
      output: OutputStream(descriptor: 1, capacity: 65536),
      error: OutputStream(descriptor: 2, capacity: 0))
    environment.watchesSignals = true
    environment.damagedArgument = firstDamagedArgument()
    return environment
  }

  /// Finds an argument that is not UTF-8; as a String it would name another file.
  private static func firstDamagedArgument() -> Int? {
    (0..<Int(CommandLine.argc)).first { index in
      guard let argument = CommandLine.unsafeArgv[index] else { return false }
      return String(validatingCString: argument) == nil
    }
  }

  /// An environment in memory, for tests.
  ///
  /// - Parameters:
  ///   - input: What standard input holds.
  ///   - terminals: The streams a person sits at.
  package static func memory(
    arguments: [String] = [], variables: [String: String] = [:], input: [UInt8] = [],
    terminals: Set<Stream> = []
  ) -> CommandEnvironment {
    CommandEnvironment(
      arguments: arguments, variable: { variables[$0] },
      input: InputStream(bytes: input, isTerminal: terminals.contains(.input)),
      output: OutputStream(isTerminal: terminals.contains(.output)),
      error: OutputStream(isTerminal: terminals.contains(.error)))
  }

  /// One of the three standard streams.
  package enum Stream: Sendable { case input, output, error }
}
