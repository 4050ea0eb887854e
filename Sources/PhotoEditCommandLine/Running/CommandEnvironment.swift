// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem
import PhotoEditPlatform
package import PhotoEditStorage

/// The inputs and outputs of a command: arguments, variables and streams.
package struct CommandEnvironment: Sendable {
  /// The arguments after the program's name.
  package let arguments: [String]
  /// Returns the value of an environment variable.
  package let variable: @Sendable (String) -> String?
  /// Standard input.
  package let input: InputStream
  /// Standard output, used only for results.
  package let output: OutputStream
  /// Standard error, used for messages.
  package let error: OutputStream
  /// The cancellation of the command; see `isCancelled` and `Cancellation.withHandler`.
  package let cancellation: Cancellation
  /// The width of help text, from COLUMNS or else 80.
  package let columns: Int

  /// The amount of messages: `-q`, `-v`, `-vv`, or the variable `<PROGRAM>_LOG`.
  package internal(set) var verbosity: Verbosity = .normal
  /// Indicates whether `--json` was given to a command that accepts it.
  package internal(set) var wantsJSON = false
  /// The name that precedes messages.
  package internal(set) var programName = ""
  /// The progress on standard error: a line of a terminal, or lines at intervals with `-v`.
  package private(set) var progress: ProgressLine

  /// Indicates whether several inputs are processed, so that their results are details.
  package private(set) var isPartOfBatch = false
  /// The numbers of inputs by their outcomes, shared by the parts of a batch.
  package let tally: Tally
  /// A report in addition to standard output, one line of JSON for each input.
  private(set) var reportStream: OutputStream?

  var colorChoice: ColorChoice = .auto
  /// The running command, whose options hints may mention.
  var command: (any Command.Type)?
  /// Indicates whether the command runs in a process that another program owns: it must not end the
  /// process, replace it, or change its limits.
  package private(set) var isEmbedded = false
  /// Indicates whether signals are handled for commands that stop cleanly.
  var watchesSignals = false
  /// The positions of the arguments that are not valid UTF-8, counted from one.
  var damagedArguments: Set<Int> = []
  /// The number of inputs that failed before the command ran, because of their names.
  package internal(set) var leftOutCount = 0

  init(
    arguments: [String], variable: @escaping @Sendable (String) -> String?, input: InputStream,
    output: OutputStream, error: OutputStream, cancellation: Cancellation = Cancellation(),
    tally: Tally = Tally()
  ) {
    self.arguments = arguments
    self.variable = variable
    self.input = input
    self.output = output
    self.error = error
    self.cancellation = cancellation
    self.tally = tally
    columns = min(max(variable("COLUMNS").flatMap { Int($0) } ?? 80, 40), 400)
    progress = ProgressLine(stream: error, style: .none)
  }

  /// Indicates whether messages on standard error use color.
  package var wantsColor: Bool { wantsColor(on: error) }

  /// Returns whether output to a stream uses color.
  package func wantsColor(on stream: OutputStream) -> Bool {
    colorChoice.allowsColor(isTerminal: stream.isTerminal, variable: variable)
  }

  /// Indicates whether long work should end: a signal arrived, or the output failed.
  package var isCancelled: Bool { cancellation.isCancelled || output.failure != nil }

  /// Applies the message settings of the command line and the environment variables.
  mutating func apply(_ options: CommonOptions, program: String) {
    programName = program
    colorChoice = options.color
    if let sandbox = options.sandbox { SandboxPolicy.standard = sandbox }
    wantsJSON = options.wantsJSON
    let variableName = program.uppercased().replacing("-", with: "_") + "_LOG"
    verbosity =
      options.verbosity ?? variable(variableName).flatMap { Verbosity(rawValue: $0) } ?? .normal
    let isWatched = error.isTerminal && variable("TERM") != "dumb"
    let style: ProgressLine.Style =
      if isWatched, verbosity > .quiet, !wantsJSON {
        .line(columns: columns)
      } else if !error.isTerminal, verbosity >= .verbose {
        .lines(program: program)
      } else {
        .none
      }
    progress = ProgressLine(stream: error, style: style)
  }

  /// Returns a copy of the environment for one of several inputs, which records output in memory.
  package func recording() -> CommandEnvironment {
    var copy = CommandEnvironment(
      arguments: arguments, variable: variable, input: input,
      output: OutputStream(isTerminal: output.isTerminal),
      error: OutputStream(isTerminal: error.isTerminal), cancellation: cancellation, tally: tally)
    copy.isPartOfBatch = true
    copy.reportStream = reportStream.map { _ in OutputStream(isTerminal: false) }
    copy.isEmbedded = isEmbedded
    copy.verbosity = verbosity
    copy.wantsJSON = wantsJSON
    copy.programName = programName
    copy.colorChoice = colorChoice
    copy.command = command
    return copy
  }

  /// Writes recorded output.
  package func replay(_ recording: CommandEnvironment) {
    let messages = recording.error.bytes
    if !messages.isEmpty {
      progress.clear()
      error.write(bytes: messages)
    }
    let results = recording.output.bytes
    if !results.isEmpty { output.write(bytes: results) }
    if let lines = recording.reportStream?.bytes, !lines.isEmpty {
      reportStream?.write(bytes: lines)
    }
  }

  /// Returns a copy of the environment that also writes results and failures to a descriptor.
  package func reporting(to descriptor: Int32) -> CommandEnvironment {
    var copy = self
    copy.reportStream = OutputStream(descriptor: descriptor, capacity: 0)
    return copy
  }

  /// The `errno` of the first failed write to the report.
  package var reportFailure: Int32? { reportStream?.failure }

  /// Writes a line of JSON to the report and, with `--json`, to standard output; returns whether it
  /// was written to standard output.
  ///
  /// - Parameter line: The line with its terminator; not evaluated if it is not needed.
  package func deliver(
    _ line: @autoclosure () throws(CommandFailure) -> String
  ) throws(CommandFailure) -> Bool {
    guard wantsJSON || reportStream != nil else { return false }
    let line = try line()
    reportStream?.write(line)
    if wantsJSON { output.write(line) }
    return wantsJSON
  }

  /// Creates the environment of the process: its arguments, variables and standard streams.
  ///
  /// Ignores SIGPIPE and SIGXFSZ, so that a closed pipe and a file size limit appear as failed
  /// writes and file operations end cleanly. Opens closed standard descriptors, so that no image
  /// opened later gets their numbers and receives messages.
  package static func live() -> CommandEnvironment {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    MemoryWatch.start()
    pe_limit_retained_memory(Int32(ThreadGroup.cores + 2))
    for descriptor in 0...2 as ClosedRange<Int32> where fcntl(descriptor, F_GETFD) < 0 {
      // Opened in the wrong direction, so that using the stream still fails like a closed one.
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
    var environment = CommandEnvironment(
      arguments: Array(CommandLine.arguments.dropFirst()),
      variable: { getenv($0).map { String(cString: $0) } },
      input: InputStream(descriptor: 0),
      output: OutputStream(descriptor: 1, capacity: 65536),
      error: OutputStream(descriptor: 2, capacity: 0))
    environment.watchesSignals = true
    environment.damagedArguments = damagedArguments()
    return environment
  }

  /// Returns the positions of the arguments that are not valid UTF-8.
  private static func damagedArguments() -> Set<Int> {
    let indices = (1..<max(1, Int(CommandLine.argc))).filter { index in
      guard let argument = CommandLine.unsafeArgv[index] else { return false }
      return String(validatingCString: argument) == nil
    }
    return Set(indices)
  }

  /// Creates the environment of a command in a process that another program owns.
  ///
  /// - Parameters:
  ///   - input: The content of standard input.
  ///   - receiver: Receives standard output as it is written, one call at a time on any thread, and
  ///     returns false to end the command; nil keeps the output in memory.
  package static func embedded(
    arguments: [String], input: [UInt8] = [], cancellation: Cancellation = Cancellation(),
    receiver: (@Sendable ([UInt8]) -> Bool)? = nil
  ) -> CommandEnvironment {
    var environment = CommandEnvironment(
      arguments: arguments, variable: { getenv($0).map { String(cString: $0) } },
      input: InputStream(bytes: input, isTerminal: false),
      output: receiver.map { OutputStream(receiver: $0) } ?? OutputStream(isTerminal: false),
      error: OutputStream(isTerminal: false), cancellation: cancellation)
    environment.isEmbedded = true
    return environment
  }

  /// Throws for a command that needs a process of its own.
  package func requireProcess(for command: String) throws(CommandFailure) {
    guard isEmbedded else { return }
    throw .usage(
      "\(command): needs a process of its own", hint: "run it as a program")
  }

  /// Creates an environment in memory, for tests.
  ///
  /// - Parameters:
  ///   - input: The content of standard input.
  ///   - terminals: The streams that behave like a terminal.
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
