// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// A value protected by a lock, with a condition variable for changes.
///
/// `Synchronization.Mutex` has no condition variable, and ThreadSanitizer does not recognize it on
/// Linux, so it would report races where the lock prevents them.
package final class LockedValue<State: ~Copyable>: @unchecked Sendable {
  // Safe: the state is accessed only under the lock.
  private var state: State
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init(_ state: consuming sending State) {
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

  /// Runs a body under the lock and wakes all waiting threads.
  package func change<Result>(_ body: (inout State) -> Result) -> Result {
    withLock { state in
      defer { pthread_cond_broadcast(condition) }
      return body(&state)
    }
  }

  /// Runs a body under the lock repeatedly until it returns a result; sleeps in between.
  package func wait<Result>(for body: (inout State) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      // Each attempt accesses the state separately: other threads change it while this one sleeps.
      if let result = body(&state) { return result }
      pthread_cond_wait(condition, mutex)
    }
  }
}

/// The state of work that ends with its first failure.
package protocol WorkState: SendableMetatype {
  associatedtype Failure: Error
  var failure: Failure? { get set }
}

extension LockedValue where State: WorkState {
  /// Processes steps on several threads, including the current one, until there are no more.
  ///
  /// - Parameters:
  ///   - next: Returns the next step from the state: nil if no step is available yet, `.some(nil)`
  ///     if there are no more.
  ///   - perform: Performs a step; called by several threads at once.
  /// - Throws: The first failure, after all threads have stopped.
  package func work<Step>(
    threads: Int, next: @escaping @Sendable (inout State) -> Step??,
    perform: @escaping @Sendable (Step) throws(State.Failure) -> Void
  ) throws(State.Failure) {
    ThreadGroup.run(threads) {
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
