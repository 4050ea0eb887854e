// SPDX-License-Identifier: Apache-2.0

/// The distribution of threads among parallel jobs, determined when each job begins.
///
/// Free threads are shared evenly among the jobs that could begin now. With at least as many
/// waiting jobs as threads each job gets one; a single job gets all; and a late job gets the
/// threads that earlier jobs have released.
package struct ThreadBudget: Sendable {
  /// The maximum number of parallel jobs.
  package let limit: Int
  private var waiting: Int
  private var running = 0
  private var free: Int

  /// - Parameters:
  ///   - jobs: The total number of jobs.
  ///   - limit: The maximum number of parallel jobs.
  ///   - threads: The number of threads to share.
  package init(jobs: Int, limit: Int, threads: Int) {
    self.limit = max(1, limit)
    waiting = jobs
    free = threads
  }

  /// Begins a job and returns its number of threads, at least one even with more jobs than threads.
  package mutating func begin() -> Int {
    let share = max(1, free / max(1, min(waiting, limit - running)))
    waiting -= 1
    running += 1
    free -= share
    return share
  }

  /// Ends a job and releases its threads.
  package mutating func end(_ share: Int) {
    running -= 1
    free += share
  }
}
