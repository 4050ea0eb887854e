// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import Synchronization

/// The requests of this process that have not ended, by numbers that are given once.
final class PendingRequests: Sendable {
  static let shared = PendingRequests()

  private struct State {
    var last = 0
    var running: [Int: Cancellation] = [:]
  }

  private let state = Mutex(State())

  /// Begins a request; its number is never 0.
  func begin() -> (Int, Cancellation) {
    let cancellation = Cancellation()
    return state.withLock { state in
      state.last += 1
      state.running[state.last] = cancellation
      return (state.last, cancellation)
    }
  }

  /// Cancels a request that has not ended.
  func cancel(_ id: Int) { state.withLock { $0.running[id] }?.cancel() }

  func end(_ id: Int) { state.withLock { $0.running[id] = nil } }
}
