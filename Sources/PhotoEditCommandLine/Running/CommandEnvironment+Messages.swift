// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

extension CommandEnvironment {
  /// Writes one line of results as text; control characters in it are escaped.
  package func print(_ line: String = "") {
    output.write(printable(line) + "\n")
  }

  /// Writes a warning to standard error, unless `-q` was given.
  ///
  /// - Parameter isReason: Whether the exit code follows from it, so that it is needed with `-q`.
  package func warn(_ message: String, isReason: Bool = false) {
    guard verbosity > .quiet || isReason else { return }
    let label = wantsColor ? "\u{1b}[1;33mwarning:\u{1b}[0m" : "warning:"
    writeMessage("\(label) \(printable(message))")
  }

  /// Writes a note to standard error, unless `-q` was given.
  package func note(_ message: String) {
    if verbosity > .quiet { writeMessage(printable(message)) }
  }

  /// Writes the result of an input to standard error: a note, but a detail for one of several.
  package func noteResult(_ message: String) {
    if isPartOfBatch { detail(message) } else { note(message) }
  }

  /// Writes a detail to standard error if `-v` was given.
  package func detail(_ message: String) {
    if verbosity >= .verbose { writeMessage(printable(message)) }
  }

  /// Writes a debug message to standard error if `-vv` or `--debug` was given.
  package func debug(_ message: String) {
    if verbosity >= .debug { writeMessage(printable(message)) }
  }

  /// Reports the failure of one of several inputs, so that the command can continue.
  ///
  /// With `--json` an object is also written to standard output. The command ends with
  /// `.reported(.someFailed)`.
  package func report(_ failure: CommandFailure, input: String? = nil) {
    report(failure, input: input, command: nil)
  }

  func report(_ failure: CommandFailure, input: String?, command: CommandInfo?) {
    var failure = failure
    if let hint = failure.hint, let info = command ?? self.command?.info {
      failure.hint = Hint.fitting(
        hint, options: info.optionSpellings,
        given: info.flagSpellings.intersection(arguments))
    }
    tally.record(failure)
    if wantsJSON { output.write(failure.json(input: input)) }
    if input != nil { reportStream?.write(failure.json(input: input)) }
    progress.clear()
    // Of many inputs, the message must say which one it is about.
    if let input, !failure.message.contains(input.split(separator: "/").last ?? "") {
      failure.message = "\(input): \(failure.message)"
    }
    error.write(failure.text(program: programName, command: command, isColored: wantsColor))
  }

  /// Writes an encoded file to standard output unless it is a terminal.
  package func writeFile(_ bytes: some Sequence<UInt8>) throws(CommandFailure) {
    guard !output.isTerminal else {
      throw .usage(
        "standard output: is a terminal; binary data is not written to it",
        hint: "redirect it: '> FILE' or '| COMMAND'")
    }
    output.write(bytes: bytes)
  }

  /// Throws if the work was canceled.
  package func checkCancellation() throws(CommandFailure) {
    if let failure = cancellationFailure { throw failure }
  }

  /// The failure for a signal or a broken output, if any.
  var cancellationFailure: CommandFailure? {
    if let exitCode = cancellation.exitCode { return .cancelled(exitCode) }
    guard let code = output.failure else { return nil }
    if code == EPIPE { return .cancelled(.brokenPipe) }
    let reason = String(cString: strerror(code))
    return CommandFailure(
      .inputOutput, "standard output: cannot write: \(reason)", code: "outputFailed")
  }

  private func writeMessage(_ line: String) {
    progress.clear()
    error.write("\(programName): \(line)\n")
  }
}
