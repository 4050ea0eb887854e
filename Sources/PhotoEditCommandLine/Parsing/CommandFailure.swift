// SPDX-License-Identifier: Apache-2.0
package import PhotoEditStorage

/// A failure of a command, with its exit code, message and hint.
package struct CommandFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The exit code of the process.
  package var exitCode: ExitCode
  /// A stable identifier for scripts; the exit code's name unless a more specific one is known.
  package var code: String
  /// The text `<what>: <why>` without a full stop; its values are made printable on output.
  package var message: String
  /// The hint, in one line.
  package var hint: String?
  /// Indicates whether the failure was reported already, so that only the exit code is needed.
  package var isReported = false

  package init(
    _ exitCode: ExitCode, _ message: String, hint: String? = nil, code: String? = nil
  ) {
    self.exitCode = exitCode
    self.code = code ?? exitCode.name
    self.message = message
    self.hint = hint
  }

  /// Creates the failure for an error, with the exit code of its class.
  ///
  /// - Parameter input: The name of the input, for errors that do not name their file.
  package init(_ error: some PhotoEditError, input: String? = nil) {
    if error.facts.name == "cancelled" {
      self = .cancelled(.interrupted)
    } else {
      self.init(
        ExitCode(error.failureClass), error.text(of: input), hint: error.hint ?? error.file?.hint,
        code: error.facts.name)
    }
  }

  /// Returns the failure for an invalid command line; it is shown with the command's usage line.
  package static func usage(_ message: String, hint: String? = nil) -> Self {
    Self(.usage, message, hint: hint)
  }

  /// Returns a failure with an exit code and no message, after failures were reported individually.
  package static func reported(_ exitCode: ExitCode) -> Self {
    var failure = Self(exitCode, exitCode.meaning)
    failure.isReported = true
    return failure
  }

  /// Returns the failure for a cancellation.
  package static func cancelled(_ exitCode: ExitCode) -> Self {
    // A program that uses the library is canceled without a signal.
    let message = exitCode == .interrupted ? "canceled" : exitCode.meaning
    var failure = Self(exitCode, message, code: "cancelled")
    failure.isReported = exitCode == .brokenPipe
    return failure
  }

  package var description: String { message }

  // MARK: The text and JSON forms of failures

  /// Returns the lines for standard error: message, hint, and the usage line for usage errors.
  ///
  /// - Parameters:
  ///   - command: The command concerned; nil if unknown.
  ///   - isColored: Whether the word "error" is red.
  func text(program: String, command: CommandInfo?, isColored: Bool) -> String {
    let error = isColored ? "\u{1b}[1;31merror:\u{1b}[0m" : "error:"
    var lines = ["\(program): \(error) \(printable(message))"]
    if let hint { lines.append("  " + printable(hint)) }
    if exitCode == .usage {
      if let command { lines.append("  usage: " + command.usage(program: program)) }
      let topic = command.map { "help " + $0.name } ?? "help"
      lines.append("  try '\(program) \(topic)'")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns one line of JSON for standard output.
  ///
  /// - Parameter input: The input concerned; nil if the failure concerns the command line.
  func json(input: String?) -> String {
    var error: [(String, JSONText)] = [
      ("code", .string(code)), ("message", .string(message)),
      ("exit", .number(Int(exitCode.rawValue))),
    ]
    if let hint { error.append(("hint", .string(hint))) }
    var object: [(String, JSONText)] = [("schemaVersion", .number(1))]
    if let input { object.append(("input", .string(input))) }
    object.append(("error", .object(error)))
    return JSONText.object(object).line + "\n"
  }
}

/// The exit code of the process: 64 to 78 are those of `sysexits.h`, those above 128 are 128 plus
/// the number of a signal.
package enum ExitCode: Int32, Sendable, CaseIterable {
  /// The command succeeded.
  case success = 0
  /// Some inputs failed, or a comparison found a difference.
  case someFailed = 1
  /// The command line was invalid.
  case usage = 64
  /// The data is damaged, rejected or unsupported, or required information would be lost.
  case badData = 65
  /// An input does not exist.
  case inputMissing = 66
  /// A required component is missing.
  case unavailable = 69
  /// An internal error.
  case internalFault = 70
  /// The output cannot be created.
  case cannotCreate = 73
  /// Reading or writing failed, or the disk is full.
  case inputOutput = 74
  /// A resource is busy or was changed by another process; a retry may help.
  case busy = 75
  /// Permission was denied.
  case noPermission = 77
  /// The configuration is invalid.
  case configuration = 78
  /// Stopped by SIGHUP.
  case hungUp = 129
  /// Stopped by SIGINT.
  case interrupted = 130
  /// The reader of standard output closed the pipe.
  case brokenPipe = 141
  /// Stopped by SIGTERM.
  case terminated = 143

  /// Creates the exit code of a class of failures.
  package init(_ failure: FailureClass) {
    self = Self(rawValue: failure.exitCode) ?? .internalFault
  }

  /// The name used in JSON.
  package var name: String { facts.name }

  /// The description in the table of the help.
  package var meaning: String { facts.meaning }

  private var facts: (name: String, meaning: String) {
    switch self {
    case .success: ("success", "completed successfully")
    case .someFailed: ("someFailed", "some inputs failed, or a comparison found differences")
    case .usage: ("usage", "invalid command line")
    case .badData: ("badData", "damaged or unsupported data, or a loss that is not allowed")
    case .inputMissing: ("inputMissing", "an input does not exist")
    case .unavailable: ("unavailable", "a required component is missing")
    case .internalFault: ("internalFault", "internal error")
    case .cannotCreate: ("cannotCreate", "the output cannot be created or already exists")
    case .inputOutput: ("inputOutput", "read or write error, or disk full")
    case .busy: ("busy", "busy, or modified by another process; try again")
    case .noPermission: ("noPermission", "permission denied")
    case .configuration: ("configuration", "invalid configuration")
    case .hungUp: ("hungUp", "stopped by SIGHUP")
    case .interrupted: ("interrupted", "canceled, for example by SIGINT")
    case .brokenPipe: ("brokenPipe", "the reader closed standard output")
    case .terminated: ("terminated", "stopped by SIGTERM")
    }
  }
}

extension Cancellation {
  /// The exit code of the cancellation; nil without a cancellation.
  package var exitCode: ExitCode? { reason.flatMap { ExitCode(rawValue: $0) } }

  /// Requests cancellation; the first exit code is kept.
  package func cancel(_ exitCode: ExitCode) { cancel(exitCode.rawValue) }
}
