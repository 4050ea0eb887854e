// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditStorage

/// Parallel processing of several inputs; their output is printed in the order of the inputs.
final class ParallelBatch: Sendable {
  /// A function that processes one input.
  ///
  /// - Parameter threads: The number of threads that it may use.
  typealias Body =
    @Sendable (_ index: Int, _ threads: Int, _ environment: CommandEnvironment)
    throws(CommandFailure) -> Void

  private struct State {
    var shares: JobShares
    var next = 0
    var done = 0
    /// The output of finished inputs that is held back until all preceding inputs are finished.
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
  /// - Parameter jobs: The maximum number of inputs processed in parallel; by default, the number
  ///   of cores.
  /// - Throws: For a single input, its own exit code; for several, 1 if any of them failed.
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

  /// Processes the next input; returns false if no input is left or the batch is stopping.
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
      // A canceled input did not fail by itself, and a usage error is reported once for all inputs.
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
    // After a cancellation, some of the inputs in between may never have been started.
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
