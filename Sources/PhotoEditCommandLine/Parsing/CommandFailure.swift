// SPDX-License-Identifier: Apache-2.0

/// What went wrong, how the program ends, and what the person can do about it.
package struct CommandFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// What the parent process sees.
  package var exitCode: ExitCode
  /// A stable word for scripts; the exit code's name unless something finer is known.
  package var code: String
  /// `<what>: <why>`, without a full stop; values in it are made printable when it is shown.
  package var message: String
  /// The way out, in one line.
  package var hint: String?
  /// Whether everything was said already, so that only the exit code remains.
  package var isReported = false

  package init(
    _ exitCode: ExitCode, _ message: String, hint: String? = nil, code: String? = nil
  ) {
    self.exitCode = exitCode
    self.code = code ?? exitCode.name
    self.message = message
    self.hint = hint
  }

  /// A wrong command line; the usage line of the command is shown with it.
  package static func usage(_ message: String, hint: String? = nil) -> Self {
    Self(.usage, message, hint: hint)
  }

  /// Ends with an exit code and without a word, after failures that were reported one by one.
  package static func reported(_ exitCode: ExitCode) -> Self {
    var failure = Self(exitCode, exitCode.meaning)
    failure.isReported = true
    return failure
  }

  /// The failure that stands for a request to stop.
  package static func cancelled(_ exitCode: ExitCode) -> Self {
    var failure = Self(exitCode, exitCode.meaning, code: "cancelled")
    failure.isReported = exitCode == .brokenPipe
    return failure
  }

  package var description: String { message }
}

/// Turns failures into what people and scripts read; all such wording is here.
extension CommandFailure {
  /// The lines for standard error: what and why, the way out, and for usage errors the usage.
  ///
  /// - Parameters:
  ///   - command: The command that was meant, nil when it is not known.
  ///   - isColored: Whether the word "error" is shown in red.
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

  /// One line of JSON for standard output.
  ///
  /// - Parameter input: What the failure is about, nil when it is about the command line.
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
