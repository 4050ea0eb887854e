// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// Work that takes longer than a request.
final class Jobs: Sendable {
  static let maximumRunning = 64
  /// The number of finished jobs whose results are kept.
  static let keptResults = 256
  /// The seconds after which a client that waits for a job gets its state; a proxy would end the
  /// request after a minute.
  static let maximumWait = 50
  /// The number of clients that wait; others get the state at once, so that connections are left.
  static let maximumWaiting = 32

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

    static let schema: Schema = [
      "job": .text, "kind": .text, "state": .choice(["running", "done", "failed"]),
      "done": .number, "remaining": .number.orNull, "result": .object.orNull,
      "problem": .object.orNull,
    ]

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
    /// The clients that wait for the end of a job, the first one first.
    var waiting: [Waiting] = []
    var isWatched = false
    /// Indicates whether no client waits any longer, because the server ends.
    var isClosed = false

    /// Removes the clients that need not wait any longer, and returns them with their jobs.
    mutating func takeFinished(at now: Int) -> [(Waiting, Job)] {
      var finished: [(Waiting, Job)] = []
      waiting.removeAll { client in
        // A job that is not kept has ended.
        let job = jobs.first { $0.id == client.job.id }
        guard isClosed || job?.isRunning != true || client.deadline <= now else { return false }
        finished.append((client, job ?? client.job))
        return true
      }
      return finished
    }
  }

  private struct Waiting {
    let job: Job
    /// The time in seconds after which the client does not wait any longer.
    let deadline: Int
    let done: @Sendable (Job) -> Void
  }

  private let state = LockedValue(State())
  /// Returns the seconds of a clock that is never set.
  private let now: @Sendable () -> Int
  private let workers = WorkerPool(limit: 4)
  /// Called with a job when it has ended or made progress.
  let didChange = LockedValue<@Sendable (Job) -> Void>({ _ in })

  init(now: @escaping @Sendable () -> Int = { MonotonicClock.seconds }) { self.now = now }

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
    let changed = state.withLock { state in
      guard let index = state.jobs.firstIndex(where: { $0.id == id }) else { return nil as Job? }
      change(&state.jobs[index])
      return state.jobs[index]
    }
    guard let changed else { return }
    didChange.withLock { $0 }(changed)
    if !changed.isRunning { releaseFinished() }
  }

  subscript(id: String) -> Job {
    get throws(Problem) {
      guard let job = find(id) else { throw Problem(.notFound, "no such job") }
      return job
    }
  }

  /// Calls a function with a job that has ended, or that still runs after `maximumWait` seconds or
  /// when the server ends.
  ///
  /// The function is called at once if the job has ended or too many clients wait.
  func whenEnded(_ job: Job, _ done: @escaping @Sendable (Job) -> Void) {
    let isFull = state.withLock { state in
      guard state.waiting.count < Self.maximumWaiting else { return true }
      state.waiting.append(
        Waiting(job: job, deadline: now() + Self.maximumWait, done: done))
      if !state.isWatched { state.isWatched = ThreadGroup.detach { self.watch() } }
      return false
    }
    if isFull { done(find(job.id) ?? job) }
    releaseFinished()
  }

  /// Releases the clients that need not wait any longer.
  func releaseFinished() {
    for (client, job) in state.withLock({ $0.takeFinished(at: now()) }) { client.done(job) }
  }

  /// Releases all clients, and those that come later at once.
  func close() {
    state.withLock { $0.isClosed = true }
    releaseFinished()
  }

  /// Releases clients whose time is over, as long as there are any.
  private func watch() {
    while true {
      sleep(1)
      releaseFinished()
      let isOver = state.withLock { state in
        state.isWatched = !state.waiting.isEmpty
        return !state.isWatched
      }
      if isOver { return }
    }
  }

  func cancel(_ id: String) throws(Problem) {
    _ = try self[id]
    update(id) { $0.isCancelled = true }
  }
}
