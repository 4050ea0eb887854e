// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// Commands in a process that another program owns.
package enum EmbeddedProgram {
  /// The outcome of a command.
  package struct Outcome: Sendable {
    /// Standard output; empty if a receiver got it.
    package let output: [UInt8]
    /// The text for standard error.
    package let messages: [UInt8]
    /// The failure; nil if the command succeeded.
    package let failure: CommandFailure?
  }

  /// Sets the program that decodes in a confined process; nil decodes in this one.
  package static func setDecoder(_ path: String?) { DecoderProgram.path = path }

  /// A step of a command whose output another thread receives.
  private enum Step {
    case running
    case written([UInt8])
    case received(goesOn: Bool)
    case ended(Outcome)
  }

  /// Runs a command on a thread of its own, and receives standard output on this one as it is written.
  ///
  /// Runtimes of other languages do not accept calls on threads that they did not start. If there is
  /// no thread, the output is received at the end.
  ///
  /// - Parameter receiver: Returns false to end the command.
  package static func runElsewhere(
    _ arguments: [String], input: [UInt8], cancellation: Cancellation,
    receiver: ([UInt8]) -> Bool
  ) -> Outcome {
    let step = LockedValue(Step.running)
    let isStarted = ThreadGroup.detach {
      let outcome = run(arguments, input: input, cancellation: cancellation) { bytes in
        step.change { $0 = .written(bytes) }
        return step.wait { if case .received(let goesOn) = $0 { goesOn } else { nil } }
      }
      step.change { $0 = .ended(outcome) }
    }
    guard isStarted else {
      let outcome = run(arguments, input: input, cancellation: cancellation)
      let goesOn = outcome.output.isEmpty || receiver(outcome.output)
      return Outcome(
        output: [], messages: outcome.messages,
        failure: goesOn ? outcome.failure : outcome.failure ?? .cancelled(.brokenPipe))
    }
    while true {
      let next = step.wait { step -> Step? in
        switch step {
        case .written, .ended: step
        case .running, .received: nil
        }
      }
      switch next {
      case .written(let bytes):
        let goesOn = receiver(bytes)
        step.change { $0 = .received(goesOn: goesOn) }
      case .ended(let outcome): return outcome
      case .running, .received: break
      }
    }
  }

  /// Runs a command and waits for its end.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after the program's name.
  ///   - input: The content of standard input.
  ///   - receiver: Receives standard output as it is written; see `CommandEnvironment.embedded`.
  package static func run(
    _ arguments: [String], input: [UInt8] = [], cancellation: Cancellation = Cancellation(),
    receiver: (@Sendable ([UInt8]) -> Bool)? = nil
  ) -> Outcome {
    if let code = cancellation.exitCode {
      return Outcome(output: [], messages: [], failure: .cancelled(code))
    }
    let environment = CommandEnvironment.embedded(
      arguments: arguments, input: input, cancellation: cancellation, receiver: receiver)
    var failure = Program.description.failure(in: environment)
    // A command with a single input has reported its failure and ends with its exit code.
    if let first = environment.tally.firstFailure, let reported = failure, reported.isReported,
      reported.exitCode == first.exitCode
    {
      failure = first
    }
    return Outcome(
      output: environment.output.bytes, messages: environment.error.bytes, failure: failure)
  }
}

/// A library that stays open, so that commands find it open.
package final class EmbeddedLibrary: Sendable {
  private let library: PhotoLibrary

  /// Opens the library in a folder.
  package init(_ folder: String) throws(CommandFailure) {
    library = try translating({ CommandFailure($0) }) { () throws(LibraryError) in
      let library = try PhotoLibrary.shared(at: URL(filePath: folder))
      if let problem = PhotoLibrary.policyProblem(at: library.url) { throw problem }
      return library
    }
  }

  /// Updates the manifests next to the photos.
  package func finish() { library.finishChanges() }
}
