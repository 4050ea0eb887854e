// SPDX-License-Identifier: Apache-2.0
import Dispatch
import PhotoEditStorage

/// Follows the history of a library and notifies observers and sequences.
///
/// Commits of this process and of others are handled in the same way: the history is the source of
/// changes. A commit of this process and the watcher only trigger reading it.
final class ChangeFeed: Sendable {
  struct State {
    var registrations: [ChangeRegistration] = []
    var waiters: [Int: Waiter] = [:]
    var nextWaiter = 0
    /// The last commit that was delivered; nil before the first registration.
    var deliveredVersion: Int64?
    var grant = AccessGrant.undecided
    /// The number of changes of the access grant so far.
    var grantNumber = 0
    var isUnavailable = false
    var availability: [WeakAvailabilityObserver] = []
    var watcher: LibraryWatcher?
  }

  /// A sequence that has read all changes.
  struct Waiter {
    let position: Position
    let continuation: CheckedContinuation<Void, Never>
  }

  struct Position: Hashable {
    var version: Int64
    var grantNumber: Int
  }

  let state = LockedValue(State())
  /// The serial queue on which the history is followed.
  private let queue = DispatchQueue(label: "org.photoedit.library.changes")

  /// The maximum time in seconds for which a commit waits for observers that were idle.
  static let busyTimeout = 0.1

  // MARK: Listening

  /// Starts following the history and returns the current position.
  func start(_ library: PhotoLibrary) throws(LibraryError) -> Position {
    let version = try library.read { database throws(LibraryError) in try database.version() }
    let layout = library.layout
    let grant = library.access.grant
    // Changes between here and the start of the watcher trigger no event.
    defer { accessMayHaveChanged(library) }
    return state.withLock { state in
      if state.deliveredVersion == nil {
        state.deliveredVersion = version
        state.grant = grant
        state.watcher = LibraryWatcher(layout, queue: queue) { [weak library] event in
          guard let library else { return }
          library.feed.note(event, library)
        }
      }
      return Position(version: version, grantNumber: state.grantNumber)
    }
  }

  func register(
    _ observer: any PhotoLibraryChangeObserver, _ library: PhotoLibrary
  ) throws(LibraryError) {
    let position = try start(library)
    let registration = ChangeRegistration(observer, of: library, after: position.version)
    state.withLock { state in
      guard !state.registrations.contains(where: { $0.isAlive && $0.isOf(observer) }) else {
        return
      }
      state.registrations.append(registration)
    }
  }

  func unregister(_ observer: any PhotoLibraryChangeObserver) {
    for registration in registrations where registration.isOf(observer) { registration.end() }
    removeEnded()
  }

  private var registrations: [ChangeRegistration] { state.withLock { $0.registrations } }

  /// Removes observers that were deallocated.
  ///
  /// Checking an observer may release its last reference, and its deinitializer may call back,
  /// so the lock is never held here.
  private func removeEnded() {
    let ended = registrations.filter { !$0.isAlive }
    guard !ended.isEmpty else { return }
    state.withLock { state in
      state.registrations.removeAll { registration in ended.contains { $0 === registration } }
    }
  }

  /// The observers that have been notified of everything; a commit waits only for them.
  var idleRegistrations: [ChangeRegistration] { registrations.filter(\.isIdle) }

  // MARK: Following

  static let batch = 256

  private func note(_ event: LibraryWatcher.Event, _ library: PhotoLibrary) {
    switch event {
    case .mayHaveCommitted: catchUp(library)
    case .policyChanged: checkAccess(library)
    case .unavailable: end(library)
    }
  }

  /// Ends sequences and notifies availability observers, once.
  private func end(_ library: PhotoLibrary) {
    let observers: [any PhotoLibraryAvailabilityObserver] = state.withLock { state in
      guard !state.isUnavailable else { return [] }
      state.isUnavailable = true
      return state.availability.compactMap(\.observer)
    }
    for observer in observers { observer.photoLibraryDidBecomeUnavailable(library) }
    wakeWaiters()
  }

  /// Delivers all new changes of the history; runs on the queue.
  func catchUp(_ library: PhotoLibrary) {
    removeEnded()
    while notifyBatch(library) {}
  }

  /// Delivers the next commits; returns true if there may be more.
  private func notifyBatch(_ library: PhotoLibrary) -> Bool {
    guard let deliveredVersion = state.withLock({ $0.deliveredVersion }) else { return false }
    let changes: [LibraryChange]
    do throws(LibraryError) {
      changes = try library.read { database throws(LibraryError) in
        try database.changes(after: deliveredVersion, limit: Self.batch, in: library)
      }
    } catch {
      // A busy disk is read again at the next event; a missing one ends the sequences.
      if library.unavailabilityReason != nil { end(library) }
      return false
    }
    guard let last = changes.last else { return false }
    state.withLock { $0.deliveredVersion = last.version }
    let registrations = registrations
    for change in changes {
      for registration in registrations { registration.notify(change) }
    }
    wakeWaiters()
    return changes.count == Self.batch
  }

  func accessMayHaveChanged(_ library: PhotoLibrary) {
    queue.async { [weak library] in
      guard let library else { return }
      self.checkAccess(library)
    }
  }

  private func checkAccess(_ library: PhotoLibrary) {
    catchUp(library)
    let grant = library.access.grant
    let update: (version: Int64, registrations: [ChangeRegistration])? = state.withLock { state in
      guard let deliveredVersion = state.deliveredVersion, state.grant != grant else { return nil }
      state.grant = grant
      state.grantNumber += 1
      return (deliveredVersion, state.registrations)
    }
    guard let update else { return }
    let change = LibraryChange(in: library, from: update.version, through: update.version)
    for registration in update.registrations { registration.notify(change) }
    wakeWaiters()
  }

  // MARK: Commits of this process

  /// Delivers a commit, then runs a body as soon as the observers have finished or the wait has
  /// timed out.
  ///
  /// - Parameter idle: The observers that were idle before the commit. An observer still busy with
  ///   an earlier change is not waited for.
  func notify(
    _ library: PhotoLibrary, waitingFor idle: [ChangeRegistration],
    then body: @escaping @Sendable () -> Void
  ) {
    let isListening = state.withLock { $0.deliveredVersion != nil }
    guard isListening else { return body() }
    queue.async {
      self.catchUp(library)
      let once = OneShot(body)
      let group = DispatchGroup()
      for registration in idle {
        group.enter()
        registration.afterNotifying { group.leave() }
      }
      group.notify(queue: self.queue) { once.run() }
      if !idle.isEmpty {
        self.queue.asyncAfter(deadline: .now() + Self.busyTimeout) { once.run() }
      }
    }
  }
}

/// Runs a body only at the first call.
final class OneShot: Sendable {
  private let body: LockedValue<(@Sendable () -> Void)?>

  init(_ body: @escaping @Sendable () -> Void) { self.body = LockedValue(body) }

  func run() {
    let body = body.withLock { body in
      let mine = body
      body = nil
      return mine
    }
    body?()
  }
}
