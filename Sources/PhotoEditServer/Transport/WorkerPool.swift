// SPDX-License-Identifier: Apache-2.0

/// Threads that perform requests; they are created when they are needed, and wait for more work.
final class WorkerPool: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var threads = 0
    var idle = 0
  }

  private let state = LockedValue(State())
  private let limit: Int

  /// - Parameter limit: The number of threads; more work waits for its turn.
  init(limit: Int) { self.limit = limit }

  /// Performs work on one of the threads.
  func perform(_ job: @escaping @Sendable () -> Void) {
    let needsThread = state.change { state in
      state.jobs.append(job)
      guard state.idle < state.jobs.count, state.threads < limit else { return false }
      state.threads += 1
      return true
    }
    guard needsThread, !ThreadGroup.detach({ self.work() }) else { return }
    // Without a thread, the work of this one has to wait.
    let isAlone = state.withLock { state in
      state.threads -= 1
      return state.threads == 0
    }
    if isAlone, let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
      job()
    }
  }

  private func work() {
    while true {
      state.withLock { $0.idle += 1 }
      let job = state.wait { state in state.jobs.isEmpty ? nil : state.jobs.removeFirst() }
      state.withLock { $0.idle -= 1 }
      job()
    }
  }
}
