// SPDX-License-Identifier: Apache-2.0

/// Work that takes longer than a request.
final class Jobs: Sendable {
  static let maximumRunning = 64
  /// The number of finished jobs whose results are kept.
  static let keptResults = 256

  struct Job: Sendable {
    let id: String
    let kind: String
    var done = 0.0
    var result: JSONValue?
    var problem: Problem?
    var isCancelled = false
    /// The time of the start in milliseconds, from which the remaining time is estimated.
    fileprivate let start = MonotonicClock.milliseconds

    var isRunning: Bool { result == nil && problem == nil }

    /// The estimated seconds until the end; null before an estimate is possible.
    private var remaining: JSONValue {
      let elapsed = Double(MonotonicClock.milliseconds - start) / 1000
      guard isRunning, done > 0.01, elapsed > 1 else { return .null }
      return .number((elapsed * (1 - done) / done).rounded(significantDigits: 2))
    }

    var json: JSONValue {
      .object([
        "job": .string(id), "kind": .string(kind),
        "state": .string(isRunning ? "running" : problem == nil ? "done" : "failed"),
        "done": .number(isRunning ? done : 1), "remaining": remaining, "result": result ?? .null,
        "problem": problem?.json ?? .null,
      ])
    }
  }

  private struct State {
    var count = 0
    var jobs: [Job] = []
  }

  private let state = LockedValue(State())
  private let workers = WorkerPool(limit: 4)
  /// Called with a job when it has ended or made progress.
  let didChange = LockedValue<@Sendable (Job) -> Void>({ _ in })

  /// The progress and the cancellation of a job, for its work.
  struct Handle: Sendable {
    fileprivate let jobs: Jobs
    fileprivate let id: String

    var isCancelled: Bool { jobs.find(id)?.isCancelled ?? true }

    func report(_ done: Double) { jobs.update(id) { $0.done = done } }
  }

  func start(
    _ kind: String, _ work: @escaping @Sendable (Handle) throws(Problem) -> JSONValue
  ) throws(Problem) -> Job {
    let job = state.withLock { state in
      guard state.jobs.count(where: \.isRunning) < Self.maximumRunning else { return nil as Job? }
      state.count += 1
      let job = Job(id: "j\(state.count)", kind: kind)
      state.jobs.append(job)
      if state.jobs.count > Self.keptResults,
        let oldest = state.jobs.firstIndex(where: { !$0.isRunning })
      {
        state.jobs.remove(at: oldest)
      }
      return job
    }
    guard let job else { throw Problem(.busy, "too many jobs are running") }
    workers.perform {
      do throws(Problem) {
        let result = try work(Handle(jobs: self, id: job.id))
        self.update(job.id) { $0.result = result }
      } catch {
        self.update(job.id) { $0.problem = error }
      }
    }
    return job
  }

  private func find(_ id: String) -> Job? { state.withLock { $0.jobs.first { $0.id == id } } }

  private func update(_ id: String, _ change: @Sendable (inout Job) -> Void) {
    let changed = state.change { state in
      guard let index = state.jobs.firstIndex(where: { $0.id == id }) else { return nil as Job? }
      change(&state.jobs[index])
      return state.jobs[index]
    }
    if let changed { didChange.withLock { $0 }(changed) }
  }

  subscript(id: String) -> Job {
    get throws(Problem) {
      guard let job = find(id) else { throw Problem(.notFound, "no such job") }
      return job
    }
  }

  func wait(for id: String) throws(Problem) -> Job {
    _ = try self[id]
    state.wait { state in
      state.jobs.first { $0.id == id }?.isRunning == true ? nil : ()
    }
    return try self[id]
  }

  func cancel(_ id: String) throws(Problem) {
    _ = try self[id]
    update(id) { $0.isCancelled = true }
  }
}
