// SPDX-License-Identifier: Apache-2.0

/// How many threads each of several jobs gets, told when it begins.
///
/// Threads that no job has are shared evenly among the jobs that could begin now. With at least as
/// many jobs waiting as threads each gets one; a single job gets all; and one that begins when
/// little is left to do takes what others have given back.
package struct JobShares: Sendable {
  /// Jobs that may run at once.
  package let limit: Int
  private var waiting: Int
  private var running = 0
  private var free: Int

  /// - Parameters:
  ///   - jobs: All of them.
  ///   - limit: How many may run at once.
  ///   - threads: How many there are to share.
  package init(jobs: Int, limit: Int, threads: Int) {
    self.limit = max(1, limit)
    waiting = jobs
    free = threads
  }

  /// Begins a job and gives its share; at least one, even when there are more jobs than threads.
  package mutating func begin() -> Int {
    let share = max(1, free / max(1, min(waiting, limit - running)))
    waiting -= 1
    running += 1
    free -= share
    return share
  }

  /// Ends a job and takes its share back.
  package mutating func end(_ share: Int) {
    running -= 1
    free += share
  }
}
