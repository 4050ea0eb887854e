// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization

/// The wish to stop: asked for once, seen from every thread.
package final class Cancellation: Sendable {
  private let first = Atomic<Int32>(0)
  private let handlers = Guarded<(next: Int, all: [Int: @Sendable () -> Void])>((0, [:]))
  private let isAlsoWanted: @Sendable () -> Bool

  /// Nobody wants to stop yet.
  ///
  /// - Parameter isAlsoWanted: Asked besides, for a wish that somebody else keeps.
  package init(_ isAlsoWanted: @escaping @Sendable () -> Bool = { false }) {
    self.isAlsoWanted = isAlsoWanted
  }

  /// Whether work should end at the next good place; costs one load.
  package var isCancelled: Bool { reason != nil || isAlsoWanted() }

  /// The number that was given when stopping was asked for first.
  package var reason: Int32? {
    let reason = first.load(ordering: .relaxed)
    return reason == 0 ? nil : reason
  }

  /// Asks everybody to stop and runs the handlers on this thread; the first reason holds.
  package func cancel(_ reason: Int32 = 1) {
    let (isFirst, _) = first.compareExchange(
      expected: 0, desired: reason, ordering: .sequentiallyConsistent)
    guard isFirst else { return }
    handlers.withLock { handlers in
      for handler in handlers.all.values { handler() }
    }
  }

  /// Runs work with a handler that removes what the work would leave behind, or wakes it.
  ///
  /// The handler runs at most once, on another thread, as soon as stopping is asked for; at once
  /// when that was before. It never runs after this call has returned. It must be short and must
  /// not call this function.
  package func withHandler<Result, Failure: Error>(
    _ handler: @escaping @Sendable () -> Void, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Both ways of seeing the request are decided under the lock, so that exactly one of them runs.
    let key = handlers.withLock { handlers in
      if isCancelled { handler() } else { handlers.all[handlers.next] = handler }
      defer { handlers.next += 1 }
      return handlers.next
    }
    defer { handlers.withLock { $0.all[key] = nil } }
    return try work()
  }
}

/// Runs a body that blocks on a thread of another kind than those of tasks, which keep theirs.
///
/// - Parameters:
///   - cancellation: Asked to stop when the task is cancelled.
///   - body: The work; the cancellation is handed on to it.
package func blocking<Value: Sendable, Failure: Error>(
  _ cancellation: Cancellation = Cancellation(),
  _ body: @escaping @Sendable (Cancellation) throws(Failure) -> Value
) async throws(Failure) -> Value {
  let result: Result<Value, Failure> = await withTaskCancellationHandler {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          returning: Result { () throws(Failure) in try body(cancellation) })
      }
    }
  } onCancel: {
    cancellation.cancel()
  }
  return try result.get()
}
