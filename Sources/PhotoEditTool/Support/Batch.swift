// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine

/// Sequential processing of several inputs; after a failure is reported, the others are processed.
enum Batch {
  /// Runs a body for each input.
  ///
  /// - Throws: For a single input, its own exit code; for several, 1 if any of them failed.
  static func run(
    _ inputs: [String], _ environment: CommandEnvironment,
    _ body: (String) throws(CommandFailure) -> Void
  ) throws(CommandFailure) {
    var failures: [CommandFailure] = []
    for (index, input) in inputs.enumerated() {
      if inputs.count > 1 { environment.progress.update(index, of: inputs.count, input) }
      do throws(CommandFailure) {
        try environment.checkCancellation()
        try body(input)
      } catch {
        try environment.checkCancellation()
        if error.exitCode == .usage { throw error }
        if !error.isReported { environment.report(error, input: input) }
        failures.append(error)
      }
    }
    guard let first = failures.first else { return }
    if inputs.count == 1 { throw .reported(first.exitCode) }
    environment.note("\(inputs.count - failures.count) done, \(failures.count) failed")
    throw .reported(.someFailed)
  }
}
