// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// A value that is reached under a lock only, and the waiting for it to change.
///
/// `Synchronization.Mutex` has no condition variable, and ThreadSanitizer does not see it on Linux,
/// so it could not tell a race from a lock that works.
package final class Guarded<State>: @unchecked Sendable {
  // Safe: the state is reached under the lock only.
  private var state: State
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// Guards a value from now on.
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

  /// Runs a body under the lock.
  package func withLock<Result, Failure>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }

  /// Runs a body under the lock and wakes everybody who waits.
  package func change<Result>(_ body: (inout State) -> Result) -> Result {
    withLock { state in
      defer { pthread_cond_broadcast(condition) }
      return body(&state)
    }
  }

  /// Runs a body under the lock again and again until it gives a result; sleeps between.
  package func wait<Result>(for body: (inout State) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      // Each look is an access of its own: others change the state while this thread sleeps.
      if let result = body(&state) { return result }
      pthread_cond_wait(condition, mutex)
    }
  }
}

/// A state of work that ends with its first failure.
package protocol WorkState: SendableMetatype {
  associatedtype Failure: Error
  /// What failed first.
  var failure: Failure? { get set }
}

extension Guarded where State: WorkState {
  /// Works on a few threads, this one among them, until there is nothing more to do.
  ///
  /// - Parameters:
  ///   - next: Takes a step from the state: nil when there is none yet, `.some(nil)` when there
  ///     will be no more.
  ///   - perform: Carries out a step; called by several threads at once.
  /// - Throws: The first failure; nothing is under way then.
  package func work<Step>(
    threads: Int, next: @escaping @Sendable (inout State) -> Step??,
    perform: @escaping @Sendable (Step) throws(State.Failure) -> Void
  ) throws(State.Failure) {
    Threads.run(threads) {
      while let step = self.wait(for: { $0.failure == nil ? next(&$0) : .some(nil) }) {
        do throws(State.Failure) {
          try perform(step)
        } catch {
          self.change { $0.failure = $0.failure ?? error }
        }
      }
    }
    if let failure = withLock({ $0.failure }) { throw failure }
  }
}
