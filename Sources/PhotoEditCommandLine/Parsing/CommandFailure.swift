// SPDX-License-Identifier: Apache-2.0

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
    var failure = Self(exitCode, exitCode.meaning, code: "cancelled")
    failure.isReported = exitCode == .brokenPipe
    return failure
  }

  package var description: String { message }
}

/// The text and JSON forms of failures.
extension CommandFailure {
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
