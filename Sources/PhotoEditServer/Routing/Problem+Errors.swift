// SPDX-License-Identifier: Apache-2.0

extension Problem {
  /// Creates the problem of an error, with the kind of its class; the detail has no path.
  init(_ error: some PhotoEditError) {
    let cause: any Error = (error as? EditingError)?.underlying ?? error
    if case .cancelled? = cause as? RenderError {
      self.init(.superseded, "a later request replaced this one")
      return
    }
    let hint = error.failureClass == .invalidRequest ? error.hint.map { "; " + $0 } : nil
    self.init(
      Kind(rawValue: error.failureClass.problemType) ?? .internalError,
      (error.file?.reason ?? error.message) + (hint ?? ""), code: ExitCode(error.failureClass),
      members: error.position.map { ["position": .whole($0)] } ?? [:])
  }
}

/// Evaluates an expression and rethrows its error as a problem.
func editing<Result>(
  _ body: @autoclosure () throws(EditingError) -> Result
) throws(Problem) -> Result {
  try translating(Problem.init, body)
}

/// Evaluates an expression and rethrows its error as a problem.
func rendering<Result>(
  _ body: @autoclosure () throws(RenderError) -> Result
) throws(Problem) -> Result {
  try translating(Problem.init, body)
}

/// Evaluates an expression and rethrows its error as a problem.
func files<Result: ~Copyable>(
  _ body: @autoclosure () throws(FileError) -> Result
) throws(Problem) -> Result {
  try translating(Problem.init, body)
}

/// Evaluates an expression and rethrows its error as a problem.
func inLibrary<Result>(
  _ body: @autoclosure () throws(LibraryError) -> Result
) throws(Problem) -> Result {
  try translating(Problem.init, body)
}
