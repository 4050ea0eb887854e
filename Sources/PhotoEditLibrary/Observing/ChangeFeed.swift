// SPDX-License-Identifier: Apache-2.0
import Dispatch
import PhotoEditStorage

/// Follows the history of a library and tells observers and sequences of it.
///
/// Commits of this program and of others come the same way: the history says what is new. A commit of
/// this program and the watcher only say that it is time to look.
final class ChangeFeed: Sendable {
  struct State {
    var registrations: [ChangeRegistration] = []
    var waiters: [Int: Waiter] = [:]
    var nextWaiter = 0
    /// The last commit that everybody was told of; nil until somebody listens.
    var told: Int64?
    var grant = AccessGrant.undecided
    /// Counts how often what the program may see has changed.
    var grantNumber = 0
    var isGone = false
    var availability: [WeakAvailabilityObserver] = []
    var watcher: LibraryWatcher?
  }

  /// A sequence that has read everything.
  struct Waiter {
    let place: Place
    let continuation: CheckedContinuation<Void, Never>
  }

  /// How far a sequence has read.
  struct Place: Hashable {
    var version: Int64
    var grantNumber: Int
  }

  let state = Guarded(State())
  /// On which the history is followed.
  private let queue = DispatchQueue(label: "org.photoedit.library.changes")

  /// Seconds for which a commit waits for observers that had nothing else to do.
  static let patience = 0.1

  // MARK: Listening

  /// Begins to follow the history; gives where it is.
  func start(_ library: PhotoLibrary) throws(LibraryError) -> Place {
    let version = try library.read { database throws(LibraryError) in try database.version() }
    let layout = library.layout
    let grant = library.access.grant
    // What happens from here until the watcher has begun tells nobody of itself.
    defer { accessMayHaveChanged(library) }
    return state.withLock { state in
      if state.told == nil {
        state.told = version
        state.grant = grant
        state.watcher = LibraryWatcher(layout, queue: queue) { [weak library] event in
          guard let library else { return }
          library.feed.note(event, library)
        }
      }
      return Place(version: version, grantNumber: state.grantNumber)
    }
  }

  func register(
    _ observer: any PhotoLibraryChangeObserver, _ library: PhotoLibrary
  ) throws(LibraryError) {
    let place = try start(library)
    let registration = ChangeRegistration(observer, of: library, after: place.version)
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

  /// Forgets observers that are gone.
  ///
  /// Who asks an observer may be the last to hold it, and its end may call back: never under the lock.
  private func removeEnded() {
    let ended = registrations.filter { !$0.isAlive }
    guard !ended.isEmpty else { return }
    state.withLock { state in
      state.registrations.removeAll { registration in ended.contains { $0 === registration } }
    }
  }

  /// Observers that have been told everything; a commit waits for them and for no others.
  var idleRegistrations: [ChangeRegistration] { registrations.filter(\.isIdle) }

  // MARK: Following

  /// How many commits are read at once.
  static let batch = 256

  private func note(_ event: LibraryWatcher.Event, _ library: PhotoLibrary) {
    switch event {
    case .mayHaveCommitted: catchUp(library)
    case .policyChanged: checkAccess(library)
    case .gone: end(library)
    }
  }

  /// Ends sequences and tells who wants to know, once.
  private func end(_ library: PhotoLibrary) {
    let observers: [any PhotoLibraryAvailabilityObserver] = state.withLock { state in
      guard !state.isGone else { return [] }
      state.isGone = true
      return state.availability.compactMap(\.observer)
    }
    for observer in observers { observer.photoLibraryDidBecomeUnavailable(library) }
    wakeWaiters()
  }

  /// Tells of what is new in the history; on the queue.
  func catchUp(_ library: PhotoLibrary) {
    removeEnded()
    while tellBatch(library) {}
  }

  /// Tells of the next commits; true when there may be more.
  private func tellBatch(_ library: PhotoLibrary) -> Bool {
    guard let told = state.withLock({ $0.told }) else { return false }
    let changes: [Change]
    do throws(LibraryError) {
      changes = try library.read { database throws(LibraryError) in
        try database.changes(after: told, limit: Self.batch, in: library)
      }
    } catch {
      // A disk that is busy is looked at again at the next event; one that is gone ends sequences.
      if library.unavailabilityReason != nil { end(library) }
      return false
    }
    guard let last = changes.last else { return false }
    state.withLock { $0.told = last.version }
    let registrations = registrations
    for change in changes {
      for registration in registrations { registration.tell(change) }
    }
    wakeWaiters()
    return changes.count == Self.batch
  }

  /// Tells when what the program may see has changed.
  func accessMayHaveChanged(_ library: PhotoLibrary) {
    queue.async { [weak library] in
      guard let library else { return }
      self.checkAccess(library)
    }
  }

  private func checkAccess(_ library: PhotoLibrary) {
    catchUp(library)
    let grant = library.access.grant
    let news: (version: Int64, registrations: [ChangeRegistration])? = state.withLock { state in
      guard let told = state.told, state.grant != grant else { return nil }
      state.grant = grant
      state.grantNumber += 1
      return (told, state.registrations)
    }
    guard let news else { return }
    let change = Change(in: library, from: news.version, through: news.version)
    for registration in news.registrations { registration.tell(change) }
    wakeWaiters()
  }

  // MARK: Commits of this program

  /// Tells of a commit and then runs a body: when the observers are done, or have taken too long.
  ///
  /// - Parameter idle: Observers that had nothing to do before the commit. Who was still busy with an
  ///   earlier change is not waited for.
  func tell(
    _ library: PhotoLibrary, waitingFor idle: [ChangeRegistration],
    then body: @escaping @Sendable () -> Void
  ) {
    let isListening = state.withLock { $0.told != nil }
    guard isListening else { return body() }
    queue.async {
      self.catchUp(library)
      let once = Once(body)
      let group = DispatchGroup()
      for registration in idle {
        group.enter()
        registration.afterTelling { group.leave() }
      }
      group.notify(queue: self.queue) { once.run() }
      if !idle.isEmpty {
        self.queue.asyncAfter(deadline: .now() + Self.patience) { once.run() }
      }
    }
  }
}
