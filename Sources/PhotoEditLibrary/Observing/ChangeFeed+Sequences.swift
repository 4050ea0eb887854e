// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
import Synchronization

/// The methods by which sequences of changes wait for events.
extension ChangeFeed {
  /// The next event of a sequence.
  enum News {
    case changes([Change])
    case authorization(number: Int)
    case gone
  }

  /// Returns the next event of a sequence, if any.
  func news(after place: Place, _ library: PhotoLibrary) throws(LibraryError) -> News? {
    let changes = try library.read { database throws(LibraryError) in
      try database.changes(after: place.version, limit: Self.batch, in: library)
    }
    if !changes.isEmpty { return .changes(changes) }
    let (number, isGone) = state.withLock { ($0.grantNumber, $0.isGone) }
    if number != place.grantNumber { return .authorization(number: number) }
    return isGone ? .gone : nil
  }

  /// Waits until there may be an event after a position or the task is canceled.
  func wait(after place: Place) async {
    let number = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        let isWaiting = state.withLock { state in
          guard !Task.isCancelled, !state.isGone, (state.told ?? 0) <= place.version,
            state.grantNumber == place.grantNumber
          else { return false }
          state.waiters[number] = Waiter(place: place, continuation: continuation)
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
  ) throws(LibraryError) -> [Change] {
    let history = LibraryHistory(database: self)
    let known = try max(version, history.forgotten().number)
    var base = version
    return try history.marks(after: known, through: .max, limit: limit).map { mark in
      defer { base = mark.number }
      return Change(in: library, from: base, through: mark.number)
    }
  }
}
