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
