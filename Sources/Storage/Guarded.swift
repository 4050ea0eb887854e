// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A value that is reached under a lock only.
///
/// `Synchronization.Mutex` does the same, but ThreadSanitizer does not see it on Linux, and so could
/// not tell a race in the engine from a lock that works.
package final class Guarded<State>: @unchecked Sendable {
  // Safe: the state is reached under the lock only.
  private var state: State
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  /// Guards a value from now on.
  package init(_ state: sending State) {
    self.state = state
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs a body under the lock.
  package func withLock<Result, Failure>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }
}
