// SPDX-License-Identifier: Apache-2.0

/// A result that remains to be saved and reported.
struct PendingSave: Sendable {
  /// The memory that the result occupies until it is saved, in bytes.
  var byteCount = 0
  /// Saves and reports the result.
  let run: @Sendable () throws(CommandFailure) -> Void
}

/// Parallel processing of several inputs; their output is printed in the order of the inputs.
///
/// As many inputs as there are cores compute, and threads of their own save the results: to sync a
/// small photo takes longer than to render it, and file systems complete the syncs of several
/// threads together. Each input is reported after its own syncs.
final class ParallelBatch: Sendable {
  /// A function that processes one input, except for saving the result.
  ///
  /// - Parameter threads: The number of threads that it may use.
  typealias Body =
    @Sendable (_ index: Int, _ threads: Int, _ environment: CommandEnvironment)
    throws(CommandFailure) -> PendingSave?

  /// The maximum number of results that wait for the disk.
  private static let savingLimit = 30
  /// The maximum memory of the results that wait for the disk, unless there is only one.
  private static let savingByteLimit = 24 << 20

  private struct Saving: Sendable {
    let index: Int
    let save: PendingSave
    let environment: CommandEnvironment
  }

  private enum Step: Sendable {
    case compute(index: Int, threads: Int)
    case save(Saving)
  }

  private struct State {
    var shares: ThreadBudget
    /// The number of threads that compute rather than only save.
    var workers = 0
    var next = 0
    var computing = 0
    var done = 0
    var waiting: [Saving] = []
    /// The number and the memory of results that wait or are being saved.
    var savingCount = 0
    var savingBytes = 0
    /// The output of finished inputs that is held back until all preceding inputs are finished.
    var pendingOutput: [Int: CommandEnvironment] = [:]
    var replayedCount = 0
    var failures: [Int: CommandFailure] = [:]
    /// The inputs that were completed or failed, as opposed to canceled.
    var ended: Set<Int> = []
  }

  private let inputs: [String]
  private let jobs: Int
  private let savers: Int
  private let environment: CommandEnvironment
  private let body: Body
  private let state: LockedValue<State>
  private let clock = Stopwatch()

  private init(
    _ inputs: [String], jobs: Int, savers: Int, _ environment: CommandEnvironment,
    _ body: @escaping Body
  ) {
    self.inputs = inputs
    self.jobs = jobs
    self.savers = savers
    self.environment = environment
    self.body = body
    state = LockedValue(
      State(shares: ThreadBudget(jobs: inputs.count, limit: jobs, threads: ThreadGroup.cores)))
  }

  /// Runs a body for each input.
  ///
  /// - Parameters:
  ///   - jobs: The maximum number of inputs that compute in parallel; by default, the number of
  ///     cores. With 1, the inputs are processed one after the other.
  ///   - advice: A note after a batch that rendered anything.
  /// - Throws: For a single input, its own exit code; for several, 1 if any of them failed.
  static func run(
    _ inputs: [String], jobs: Int?, _ environment: CommandEnvironment, advice: String? = nil,
    _ body: @escaping Body
  ) throws(CommandFailure) {
    guard inputs.count > 1 else {
      return try Batch.run(inputs, environment) { _ throws(CommandFailure) in
        try body(0, ThreadGroup.cores, environment)?.run()
      }
    }
    let isAlone = jobs == 1 || ThreadGroup.limitsAddressSpace
    let savers = isAlone ? 0 : min(savingLimit, inputs.count)
    let jobs = min(jobs ?? ThreadGroup.cores, inputs.count)
    let batch = ParallelBatch(inputs, jobs: jobs, savers: savers, environment, body)
    ThreadGroup.run(jobs + savers) { batch.runThread() }
    try batch.finish(advice: advice)
  }

  /// The first threads compute, so that the memory of a rendering is reused by the next one.
  private func runThread() {
    let computes = state.withLock { state in
      state.workers += 1
      return state.workers <= jobs
    }
    while let step = state.wait(for: { self.nextStep(&$0, computes: computes) }) {
      switch step {
      case .compute(let index, let threads): compute(index, threads: threads)
      case .save(let saving): save(saving)
      }
    }
  }

  /// Returns the next step of a thread: nil if no step is ready yet, `.some(nil)` after
  /// the last one.
  private func nextStep(_ state: inout State, computes: Bool) -> Step?? {
    let isOver =
      state.next == inputs.count || environment.isCancelled
      || state.failures.values.contains { $0.exitCode == .usage }
    let canCompute =
      state.savingCount == 0
      || state.savingCount < savers && state.savingBytes < Self.savingByteLimit
    if computes, !isOver, canCompute {
      environment.progress.update(state.done, of: inputs.count, inputs[state.next])
      defer { state.next += 1 }
      state.computing += 1
      return .compute(index: state.next, threads: state.shares.begin())
    }
    if let first = state.waiting.first {
      state.waiting.removeFirst()
      return .save(first)
    }
    return isOver && state.computing == 0 ? .some(nil) : nil
  }

  private func compute(_ index: Int, threads: Int) {
    let recording = environment.recording()
    var (failure, pending): (CommandFailure?, PendingSave?)
    do throws(CommandFailure) {
      pending = try body(index, threads, recording)
    } catch {
      failure = error
    }
    state.change { state in
      state.shares.end(threads)
      state.computing -= 1
      guard let pending else { return }
      state.savingCount += 1
      state.savingBytes += pending.byteCount
      state.waiting.append(Saving(index: index, save: pending, environment: recording))
    }
    if pending == nil { end(index, failure, recording) }
  }

  private func save(_ saving: Saving) {
    var failure: CommandFailure?
    do throws(CommandFailure) { try saving.save.run() } catch { failure = error }
    state.change { state in
      state.savingCount -= 1
      state.savingBytes -= saving.save.byteCount
    }
    end(saving.index, failure, saving.environment)
  }

  /// Records the end of an input and prints the output that can now be shown.
  private func end(_ index: Int, _ failure: CommandFailure?, _ recording: CommandEnvironment) {
    // A canceled input has not failed, and a usage error is reported once for all inputs.
    let isCanceled = failure != nil && environment.isCancelled
    if let failure, !failure.isReported, failure.exitCode != .usage, !isCanceled {
      recording.report(failure, input: inputs[index])
    }
    state.change { state in
      state.done += 1
      if !isCanceled { state.ended.insert(index) }
      state.failures[index] = failure
      state.pendingOutput[index] = recording
      while let next = state.pendingOutput.removeValue(forKey: state.replayedCount) {
        environment.replay(next)
        state.replayedCount += 1
      }
    }
  }

  private func finish(advice: String?) throws(CommandFailure) {
    // After a cancellation, some of the inputs in between may never have been started.
    let (pendingOutput, failures) = state.withLock { ($0.pendingOutput, $0.failures) }
    for (_, recording) in pendingOutput.sorted(by: { $0.key < $1.key }) {
      environment.replay(recording)
    }
    let ordered = failures.sorted { $0.key < $1.key }.map(\.value)
    if let mistake = ordered.first(where: { $0.exitCode == .usage }) {
      try environment.checkCancellation()
      throw mistake
    }
    let notStarted = environment.isCancelled ? try reportNotStarted() : 0
    let failed = state.withLock { state in state.failures.keys.count { state.ended.contains($0) } }
    let summary = BatchSummary(
      total: inputs.count + environment.leftOutCount, outcomes: environment.tally.outcomes,
      failed: failed + environment.leftOutCount,
      notStarted: notStarted, seconds: clock.milliseconds / 1000)
    // A closed output needs no summary.
    if environment.cancellation.isCancelled || !environment.isCancelled {
      environment.note(summary.text)
    }
    try environment.checkCancellation()
    if let advice, summary.outcomes["rendered"] != nil { environment.note(advice) }
    guard ordered.isEmpty else { throw .reported(.someFailed) }
  }

  /// Writes a line to the report for each input that a cancellation left as it was; returns their
  /// number.
  private func reportNotStarted() throws(CommandFailure) -> Int {
    let ended = state.withLock { $0.ended }
    var count = 0
    for index in inputs.indices where !ended.contains(index) {
      count += 1
      _ = try environment.deliver([
        "input": .string(inputs[index]), "outcome": .string(EditOutcome.notStarted.rawValue),
      ])
    }
    return count
  }
}
