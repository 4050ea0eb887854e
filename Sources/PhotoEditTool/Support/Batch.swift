// SPDX-License-Identifier: Apache-2.0

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
    let failed = failures.count + environment.leftOutCount
    environment.note("\(inputs.count - failures.count) done, \(failed) failed")
    throw .reported(.someFailed)
  }
}

struct BatchSummary {
  let total: Int
  /// The outcomes of the inputs that did not fail, with their numbers.
  let outcomes: [String: Int]
  let failed: Int
  /// The number of inputs that a cancellation left as they were.
  let notStarted: Int
  let seconds: Double

  /// The outcomes in which something was written, before those in which nothing was.
  private static let order = ["rendered", "written", "reverted", "undone", "redone", "unchanged"]

  /// "1000 photos: 998 rendered, 2 unchanged, 0 failed in 1 min 25 s", or, after a cancellation,
  /// "312 done, 1 failed, 688 not started".
  var text: String {
    guard notStarted == 0 else {
      return "\(total - failed - notStarted) done, \(failed) failed, \(notStarted) not started"
    }
    let rank = { (name: String) in Self.order.firstIndex(of: name) ?? Self.order.count }
    let counts = outcomes.sorted { (rank($0.key), $0.key) < (rank($1.key), $1.key) }
      .map { "\($0.value) \($0.key)" }
    return "\(total) photos: " + (counts + ["\(failed) failed"]).joined(separator: ", ")
      + " in " + durationText(seconds: seconds)
  }
}
