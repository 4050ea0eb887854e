// SPDX-License-Identifier: Apache-2.0
import Dispatch
import PhotoEditStorage

/// An observer that is notified of every commit to a library, by this process and by others.
public protocol PhotoLibraryChangeObserver: AnyObject, Sendable {
  /// Called after a commit or a change of the access grant.
  ///
  /// Called once for each commit, with all its consequences, in the order of the commits and never
  /// concurrently for one observer. A committing call returns after its observers have finished,
  /// but waits at most a tenth of a second; a slow observer receives its changes later and delays
  /// no other. `performChangesAndWait` fails if called from here.
  ///
  /// - Throws: Any error; it is passed to the configuration's `observerFailure`.
  func photoLibraryDidChange(_ change: LibraryChange) throws
}

extension PhotoLibrary {
  /// Registers an observer of changes; it is held weakly.
  ///
  /// It is notified of every commit from now on. Register before you fetch, so that no commit is
  /// missed; change details are nil for changes that a result already includes. Registering twice
  /// has no further effect.
  ///
  /// - Throws: `LibraryError` if the library cannot be read.
  public func register(_ observer: any PhotoLibraryChangeObserver) throws(LibraryError) {
    try feed.register(observer, self)
  }

  /// Unregisters an observer; a call that has begun still completes.
  public func unregister(_ observer: any PhotoLibraryChangeObserver) { feed.unregister(observer) }

  /// The changes from now on, one for each commit, by this process and by others.
  ///
  /// The sequence starts at the time of this call: create it before you fetch. Each loop over it
  /// has its own position in the history and reads at its own pace, so a slow one misses nothing
  /// and uses no memory. If the history was pruned meanwhile, one change replaces the pruned ones.
  ///
  /// ```swift
  /// let changes = library.changes
  /// var shown = try library.fetchAssets()
  /// for try await change in changes {
  ///   guard let details = try change.changeDetails(for: shown) else { continue }
  ///   shown = details.fetchResultAfterChanges
  /// }
  /// ```
  public var changes: LibraryChanges { LibraryChanges(self) }

  /// Registers an observer of the library's availability; it is held weakly.
  ///
  /// - Throws: `LibraryError` if the library is already unavailable.
  public func register(
    _ observer: any PhotoLibraryAvailabilityObserver
  ) throws(LibraryError) {
    _ = try feed.start(self)
    feed.state.withLock { state in
      state.availability.removeAll { $0.observer == nil || $0.observer === observer }
      state.availability.append(WeakAvailabilityObserver(observer: observer))
    }
  }

  /// Unregisters an observer of the library's availability.
  public func unregister(_ observer: any PhotoLibraryAvailabilityObserver) {
    feed.state.withLock { $0.availability.removeAll { $0.observer === observer } }
  }

  /// The reason why the library can no longer be used; nil if it can.
  ///
  /// The code is `libraryVolumeOffline` if its folder was removed, for example with its disk, and
  /// `switchingSystemPhotoLibrary` if another library is at its path. Reading and changing fail
  /// with the same error, so nothing is ever written to a different folder of the same name.
  public var unavailabilityReason: LibraryError? { reader.unavailabilityReason }
}

/// An observer that is notified when a library becomes unavailable.
public protocol PhotoLibraryAvailabilityObserver: AnyObject, Sendable {
  /// Called when the folder of the library was removed, for example with its disk, or was replaced
  /// by another library.
  ///
  /// Called once, on a queue of the library; `PhotoLibrary.unavailabilityReason` contains the
  /// reason. From now on everything that reads or changes the library fails, and sequences of
  /// changes have ended.
  func photoLibraryDidBecomeUnavailable(_ library: PhotoLibrary)
}

/// A weak reference to an observer.
struct WeakAvailabilityObserver: Sendable {
  weak let observer: (any PhotoLibraryAvailabilityObserver)?
}

extension LibraryError {
  static func replaced(_ path: String) -> LibraryError {
    LibraryError(
      .switchingSystemPhotoLibrary, path: path, "this library was replaced by another one",
      hint: "reopen the library")
  }
}

/// An observer and the queue on which it is notified.
final class ChangeRegistration: Sendable {
  private struct State {
    weak var observer: (any PhotoLibraryChangeObserver)?
    var isEnded = false
    /// The number of changes that it was not notified of yet.
    var pending = 0
  }

  private let state: LockedValue<State>
  private let queue = DispatchQueue(label: "org.photoedit.library.observer")
  private let failure: (@Sendable (any Error) -> Void)?
  /// The last commit before the registration.
  private let start: Int64

  /// The key under which a queue stores the identity of its library.
  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  init(
    _ observer: any PhotoLibraryChangeObserver, of library: PhotoLibrary, after version: Int64
  ) {
    state = LockedValue(State(observer: observer))
    failure = library.configuration.observerFailure
    start = version
    queue.setSpecific(key: Self.key, value: ObjectIdentifier(library))
  }

  /// Returns whether the current thread is notifying an observer of a library.
  static func isNotifying(of library: PhotoLibrary) -> Bool {
    DispatchQueue.getSpecific(key: key) == ObjectIdentifier(library)
  }

  /// Indicates whether the observer still exists and is registered.
  var isAlive: Bool {
    // The reference is released outside the lock, since the observer's deinitializer may call back.
    let observer = state.withLock { $0.isEnded ? nil : $0.observer }
    return observer != nil
  }

  func isOf(_ observer: any PhotoLibraryChangeObserver) -> Bool {
    let own = state.withLock { $0.observer }
    return own === observer
  }

  /// Indicates whether the observer has been notified of every change.
  var isIdle: Bool { state.withLock { $0.pending == 0 } }

  /// Notifies the observer of a change, after all earlier notifications.
  func notify(_ change: LibraryChange) {
    guard change.version > start || change.isOfAuthorization else { return }
    state.withLock { $0.pending += 1 }
    queue.async {
      let observer = self.state.withLock { $0.isEnded ? nil : $0.observer }
      do { try observer?.photoLibraryDidChange(change) } catch { self.failure?(error) }
      self.state.withLock { $0.pending -= 1 }
    }
  }

  /// Runs a body after all notifications up to now.
  func afterNotifying(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  func end() { state.withLock { $0.isEnded = true } }
}
