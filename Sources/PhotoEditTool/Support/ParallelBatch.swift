// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditStorage

/// Several inputs at once: what is said of them comes in their order, whichever is done first.
final class ParallelBatch: Sendable {
  /// Does the work for one input.
  ///
  /// - Parameter threads: How many the work may use.
  typealias Body =
    @Sendable (_ index: Int, _ threads: Int, _ environment: CommandEnvironment)
    throws(CommandFailure) -> Void

  private struct State {
    var shares: JobShares
    var next = 0
    var done = 0
    /// What finished inputs said, until those before them have had their say.
    var untold: [Int: CommandEnvironment] = [:]
    var told = 0
    var failures: [Int: CommandFailure] = [:]
  }

  private let inputs: [String]
  private let environment: CommandEnvironment
  private let body: Body
  private let state: Guarded<State>

  private init(
    _ inputs: [String], jobs: Int, _ environment: CommandEnvironment, _ body: @escaping Body
  ) {
    self.inputs = inputs
    self.environment = environment
    self.body = body
    state = Guarded(
      State(shares: JobShares(jobs: inputs.count, limit: jobs, threads: Threads.cores)))
  }

  /// Runs a body for each input.
  ///
  /// - Parameter jobs: How many inputs may be worked on at once; as many as cores unless told.
  /// - Throws: For a single input its own exit code; for several, 1 when any of them failed.
  static func run(
    _ inputs: [String], jobs: Int?, _ environment: CommandEnvironment, _ body: @escaping Body
  ) throws(CommandFailure) {
    let jobs = min(jobs ?? Threads.cores, inputs.count)
    guard inputs.count > 1 else {
      return try Batch.run(inputs, environment) { _ throws(CommandFailure) in
        try body(0, Threads.cores, environment)
      }
    }
    let batch = ParallelBatch(inputs, jobs: jobs, environment, body)
    Threads.run(jobs) { while batch.runNext() {} }
    try batch.finish()
  }

  /// Works on the next input; false when none is left or nobody wants more.
  private func runNext() -> Bool {
    let begun: (index: Int, threads: Int)? = state.withLock { state in
      let isOver = state.failures.values.contains { $0.exitCode == .usage }
      guard state.next < inputs.count, !isOver, !environment.isCancelled else { return nil }
      environment.progress.update(state.done, of: inputs.count, inputs[state.next])
      defer { state.next += 1 }
      return (state.next, state.shares.begin())
    }
    guard let (index, threads) = begun else { return false }
    let recording = environment.recording()
    var failure: CommandFailure?
    do throws(CommandFailure) {
      try body(index, threads, recording)
    } catch {
      failure = error
      // What was stopped has not failed by itself, and a usage error is told once for all.
      if !error.isReported, error.exitCode != .usage, !environment.isCancelled {
        recording.report(error, input: inputs[index])
      }
    }
    state.withLock { state in
      state.shares.end(threads)
      state.done += 1
      state.failures[index] = failure
      state.untold[index] = recording
      while let next = state.untold.removeValue(forKey: state.told) {
        environment.replay(next)
        state.told += 1
      }
    }
    return true
  }

  private func finish() throws(CommandFailure) {
    // After a request to stop, some of the inputs in between may never have been begun.
    let (untold, failures) = state.withLock { ($0.untold, $0.failures) }
    for (_, recording) in untold.sorted(by: { $0.key < $1.key }) { environment.replay(recording) }
    try environment.checkCancellation()
    let ordered = failures.sorted { $0.key < $1.key }.map(\.value)
    if let mistake = ordered.first(where: { $0.exitCode == .usage }) { throw mistake }
    guard !ordered.isEmpty else { return }
    environment.note("\(inputs.count - ordered.count) done, \(ordered.count) failed")
    throw .reported(.someFailed)
  }
}
