// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditStorage
import Synchronization

/// The pending requests of this process, by unique numbers.
final class RequestRegistry: Sendable {
  static let shared = RequestRegistry()

  private let running = LockedValue<[Int: Cancellation]>([:])

  /// Registers a request; its number is never 0.
  func begin() -> (Int, Cancellation) {
    let (id, cancellation) = (RequestIDGenerator.next(), Cancellation())
    running.withLock { $0[id] = cancellation }
    return (id, cancellation)
  }

  /// Cancels a request that has not finished.
  func cancel(_ id: Int) { running.withLock { $0[id] }?.cancel() }

  func end(_ id: Int) { running.withLock { $0[id] = nil } }
}

/// The numbers of requests of any kind.
enum RequestIDGenerator {
  private static let last = Atomic(0)

  /// Returns a nonzero number that is unique within this process.
  static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
