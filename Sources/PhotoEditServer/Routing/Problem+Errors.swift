// SPDX-License-Identifier: Apache-2.0

extension Problem {
  /// Creates the problem of an edit; its detail has no path.
  init(_ error: EditingError) {
    if let file = error.file {
      self.init(file)
      return
    }
    switch error.underlying {
    case let error as RenderError: self.init(error)
    case let error as UnsupportedNode: self.init(.invalidGraph, "\(error)")
    default:
      let facts: (Kind, ExitCode) =
        switch error.code {
        case .internalError: (.internalError, .internalFault)
        case .userCancelled: (.superseded, .interrupted)
        case .changeNotSupported: (.invalidGraph, .badData)
        case .invalidResource, .requestNotSupportedForAsset: (.notEditable, .badData)
        case .operationInterrupted: (.staleEdit, .busy)
        case .missingResource: (.notFound, .inputMissing)
        case .notEnoughSpace: (.diskFull, .inputOutput)
        case .accessUserDenied: (.readOnly, .noPermission)
        }
      self.init(facts.0, error.message, code: facts.1)
    }
  }

  /// Creates the problem of a library; its detail has no path.
  init(_ error: LibraryError) {
    if let file = error.file {
      self.init(file)
      return
    }
    switch error.code {
    case .identifierNotFound, .missingResource: self.init(.notFound, error.message)
    case .changeNotSupported:
      let hint = error.hint.map { "; " + $0 } ?? ""
      self.init(
        .badRequest, error.message + hint, code: .badData,
        members: error.position.map { ["position": .whole($0)] } ?? [:])
    case .operationInterrupted: self.init(.busy, error.message)
    case .persistentChangeTokenExpired, .persistentChangeDetailsUnavailable:
      self.init(.tokenExpired, error.message)
    case .notEnoughSpace: self.init(.diskFull, error.message)
    case .accessRestricted, .accessUserDenied: self.init(.readOnly, error.message)
    case .userCancelled: self.init(.superseded, error.message)
    case .invalidResource, .requestNotSupportedForAsset: self.init(.notEditable, error.message)
    default: self.init(.internalError, error.message)
    }
  }

  init(_ error: RenderError) {
    switch error {
    case .cancelled: self.init(.superseded, "a later request replaced this one")
    case .codec, .metadata: self.init(.notEditable, "\(error)", code: .badData)
    case .graph, .sourceMismatch, .tooLarge, .otherColorSpace, .pixels:
      self.init(.invalidGraph, "\(error)")
    }
  }

  init(_ error: FileError) {
    let facts: (Kind, ExitCode) =
      switch error.kind {
      case .missing: (.notFound, .inputMissing)
      case .exists, .invalidDestination: (.notEditable, .cannotCreate)
      case .notRegular, .outside, .empty: (.notEditable, .badData)
      case .permission: (.readOnly, .noPermission)
      case .noSpace: (.diskFull, .inputOutput)
      case .tooLarge: (.tooLarge, .badData)
      case .busy, .changed: (.busy, .busy)
      case .io: (.internalError, .inputOutput)
      }
    self.init(facts.0, error.reason, code: facts.1)
  }

  /// Creates the problem of a change of a graph.
  init(_ error: GraphEditError) { self.init(.invalidGraph, "\(error)") }
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
