// SPDX-License-Identifier: Apache-2.0
import Dispatch
import PhotoEditStorage

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
