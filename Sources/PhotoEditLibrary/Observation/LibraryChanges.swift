// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
import Synchronization

/// The changes of a library as they happen; see `PhotoLibrary.changes`.
///
/// The sequence ends when the task that iterates over it is canceled. It throws `LibraryError` if
/// the library can no longer be read, for example because its disk was removed.
public struct LibraryChanges: AsyncSequence, Sendable {
  private let library: PhotoLibrary
  private let start: Result<ChangeFeed.Position, LibraryError>

  /// Starts with the next commit.
  init(_ library: PhotoLibrary) {
    self.library = library
    do throws(LibraryError) { start = .success(try library.feed.start(library)) } catch {
      start = .failure(error)
    }
  }

  /// Returns an iterator over the changes since the sequence was created.
  public func makeAsyncIterator() -> Iterator { Iterator(library, start) }

  /// Reads the changes one at a time.
  public struct Iterator: AsyncIteratorProtocol {
    private let library: PhotoLibrary
    private var start: Result<ChangeFeed.Position, LibraryError>
    private var read: ArraySlice<LibraryChange> = []

    init(_ library: PhotoLibrary, _ start: Result<ChangeFeed.Position, LibraryError>) {
      self.library = library
      self.start = start
    }

    /// Returns the next change; nil if the task was canceled.
    public mutating func next() async throws -> LibraryChange? {
      try await next(isolation: nil)
    }

    /// Returns the next change; nil if the task was canceled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(LibraryError) -> LibraryChange? {
      var position = try start.get()
      defer { start = .success(position) }
      while !Task.isCancelled {
        if let change = read.popFirst() {
          position.version = change.version
          return change
        }
        switch try library.feed.nextEvent(after: position, library) {
        case .changes(let changes): read = changes[...]
        case .authorization(let number):
          position.grantNumber = number
          return LibraryChange(in: library, from: position.version, through: position.version)
        case .unavailable: throw library.unavailabilityReason ?? .offline(library.layout.root)
        case nil: await library.feed.wait(after: position)
        }
      }
      return nil
    }
  }
}

/// The methods by which sequences of changes wait for events.
extension ChangeFeed {
  enum FeedEvent {
    case changes([LibraryChange])
    case authorization(number: Int)
    case unavailable
  }

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
