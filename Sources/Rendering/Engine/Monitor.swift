// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A value under a lock, and the waiting for it to change.
///
/// `Synchronization.Mutex` has no condition variable, which workers need to sleep until a strip
/// they depend on is done.
package final class Monitor<State>: @unchecked Sendable {
  // Safe: the state is reached under the lock only.
  private var state: State
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init(_ state: sending State) {
    self.state = state
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Runs the body under the lock and wakes everybody who waits.
  package func change<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    return body(&state)
  }

  /// Runs the body under the lock again and again until it gives a result; sleeps between.
  package func wait<Result>(for body: (inout State) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&state) { return result }
      pthread_cond_wait(condition, mutex)
    }
  }
}
