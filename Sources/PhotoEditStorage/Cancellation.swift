// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization

/// A cancellation request, made once and visible to every thread.
package final class Cancellation: Sendable {
  private let first = Atomic<Int32>(0)
  private let handlers = LockedValue<(next: Int, all: [Int: @Sendable () -> Void])>((0, [:]))
  private let isRequestedExternally: @Sendable () -> Bool

  /// Creates a cancellation that was not requested yet.
  ///
  /// - Parameter isRequestedExternally: Returns whether cancellation was requested elsewhere.
  package init(_ isRequestedExternally: @escaping @Sendable () -> Bool = { false }) {
    self.isRequestedExternally = isRequestedExternally
  }

  /// Indicates whether work should end at the next opportunity; costs one atomic load.
  package var isCancelled: Bool { reason != nil || isRequestedExternally() }

  /// The number passed with the first request; nil without a request.
  package var reason: Int32? {
    let reason = first.load(ordering: .relaxed)
    return reason == 0 ? nil : reason
  }

  /// Requests cancellation and runs the handlers on this thread; the first reason is kept.
  package func cancel(_ reason: Int32 = 1) {
    let (isFirst, _) = first.compareExchange(
      expected: 0, desired: reason, ordering: .sequentiallyConsistent)
    guard isFirst else { return }
    handlers.withLock { handlers in
      for handler in handlers.all.values { handler() }
    }
  }

  /// Runs work with a handler that cleans up after the work or wakes it.
  ///
  /// The handler runs at most once, as soon as cancellation is requested, on the requesting thread;
  /// immediately if it was requested before. It never runs after this call has returned. It must be
  /// short and must not call this function.
  package func withHandler<Result, Failure: Error>(
    _ handler: @escaping @Sendable () -> Void, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The lock ensures that the handler runs exactly once, either here or in `cancel(_:)`.
    let key = handlers.withLock { handlers in
      if isCancelled { handler() } else { handlers.all[handlers.next] = handler }
      defer { handlers.next += 1 }
      return handlers.next
    }
    defer { handlers.withLock { $0.all[key] = nil } }
    return try work()
  }
}

/// Runs a blocking body outside the thread pool of tasks.
///
/// - Parameters:
///   - cancellation: Requested when the task is canceled.
///   - body: The work; it receives the cancellation.
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
