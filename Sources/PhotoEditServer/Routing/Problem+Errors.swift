// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditRendering
import PhotoEditStorage

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

  /// Creates the problem of a rendering.
  init(_ error: RenderError) {
    switch error {
    case .cancelled: self.init(.superseded, "a later request replaced this one")
    case .codec, .metadata: self.init(.notEditable, "\(error)", code: .badData)
    case .graph, .sourceMismatch, .tooLarge, .otherColorSpace, .pixels:
      self.init(.invalidGraph, "\(error)")
    }
  }

  /// Creates the problem of a file operation.
  init(_ error: FileError) {
    let facts: (Kind, ExitCode) =
      switch error.kind {
      case .missing: (.notFound, .inputMissing)
      case .exists, .invalidDestination: (.notEditable, .cannotCreate)
      case .notRegular, .empty: (.notEditable, .badData)
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
