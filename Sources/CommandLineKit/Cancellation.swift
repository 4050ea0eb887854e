// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The wish to stop: asked for once, seen from every thread.
package final class Cancellation: Sendable {
  private let reason = Atomic<Int32>(0)
  private let handlers = Mutex<[Int: @Sendable () -> Void]>([:])
  private let nextKey = Atomic<Int>(0)

  package init() {}

  /// Whether work should end at the next good place; costs one load.
  package var isCancelled: Bool { reason.load(ordering: .relaxed) != 0 }

  /// How the program ends because of it, nil while nobody asked.
  package var exitCode: ExitCode? {
    let code = reason.load(ordering: .relaxed)
    return code == 0 ? nil : ExitCode(rawValue: code)
  }

  /// Asks everybody to stop and runs the handlers on this thread; the first reason holds.
  package func cancel(_ exitCode: ExitCode) {
    let (isFirst, _) = reason.compareExchange(
      expected: 0, desired: exitCode.rawValue, ordering: .sequentiallyConsistent)
    guard isFirst else { return }
    handlers.withLock { handlers in
      for handler in handlers.values { handler() }
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
    let key = nextKey.wrappingAdd(1, ordering: .relaxed).newValue
    // Both ways of seeing the request are decided under the lock, so that exactly one of them runs.
    handlers.withLock { handlers in
      if isCancelled { handler() } else { handlers[key] = handler }
    }
    defer { handlers.withLock { $0[key] = nil } }
    return try work()
  }
}
