// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
import Synchronization

/// The methods by which sequences of changes wait for events.
extension ChangeFeed {
  /// The next event of a sequence.
  enum FeedEvent {
    case changes([LibraryChange])
    case authorization(number: Int)
    case unavailable
  }

  /// Returns the next event of a sequence, if any.
  func nextEvent(after position: Position, _ library: PhotoLibrary) throws(LibraryError)
    -> FeedEvent?
  {
    let changes = try library.read { database throws(LibraryError) in
      try database.changes(after: position.version, limit: Self.batch, in: library)
    }
    if !changes.isEmpty { return .changes(changes) }
    let (number, isUnavailable) = state.withLock { ($0.grantNumber, $0.isUnavailable) }
    if number != position.grantNumber { return .authorization(number: number) }
    return isUnavailable ? .unavailable : nil
  }

  /// Waits until there may be an event after a position or the task is canceled.
  func wait(after position: Position) async {
    let number = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        let isWaiting = state.withLock { state in
          guard !Task.isCancelled, !state.isUnavailable,
            (state.deliveredVersion ?? 0) <= position.version,
            state.grantNumber == position.grantNumber
          else { return false }
          state.waiters[number] = Waiter(position: position, continuation: continuation)
          return true
        }
        if !isWaiting { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume()
    }
  }

  func wakeWaiters() {
    let waiters = state.withLock { state in
      let waiters = Array(state.waiters.values)
      state.waiters = [:]
      return waiters
    }
    for waiter in waiters { waiter.continuation.resume() }
  }
}

extension LibraryDatabase {
  /// Returns the commits after a version, each as a change; the first one includes expired commits.
  func changes(
    after version: Int64, limit: Int, in library: PhotoLibrary
  ) throws(LibraryError) -> [LibraryChange] {
    let history = LibraryHistory(database: self)
    let known = try max(version, history.expired().number)
    var base = version
    return try history.marks(after: known, through: .max, limit: limit).map { mark in
      defer { base = mark.number }
      return LibraryChange(in: library, from: base, through: mark.number)
    }
  }
}
