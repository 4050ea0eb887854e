// SPDX-License-Identifier: Apache-2.0
import Dispatch
import PhotoEditStorage

/// An observer and the queue on which it is told.
final class ChangeRegistration: Sendable {
  private struct State {
    weak var observer: (any PhotoLibraryChangeObserver)?
    var isEnded = false
    /// Changes that it was not told yet.
    var pending = 0
  }

  private let state: Guarded<State>
  private let queue = DispatchQueue(label: "org.photoedit.library.observer")
  private let failure: (@Sendable (any Error) -> Void)?
  /// The last commit before it registered.
  private let start: Int64

  /// What a queue tells of itself: for which library it tells.
  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  init(
    _ observer: any PhotoLibraryChangeObserver, of library: PhotoLibrary, after version: Int64
  ) {
    state = Guarded(State(observer: observer))
    failure = library.configuration.observerFailure
    start = version
    queue.setSpecific(key: Self.key, value: ObjectIdentifier(library))
  }

  /// Whether the calling thread tells an observer of a library right now.
  static func isTelling(of library: PhotoLibrary) -> Bool {
    DispatchQueue.getSpecific(key: key) == ObjectIdentifier(library)
  }

  /// Whether there is still somebody to be told.
  var isAlive: Bool {
    // The observer leaves the lock before anybody lets go of it: its end may call back.
    let observer = state.withLock { $0.isEnded ? nil : $0.observer }
    return observer != nil
  }

  func isOf(_ observer: any PhotoLibraryChangeObserver) -> Bool {
    let own = state.withLock { $0.observer }
    return own === observer
  }

  /// Whether it has been told everything.
  var isIdle: Bool { state.withLock { $0.pending == 0 } }

  /// Tells of a change when everything before it has been told.
  func tell(_ change: Change) {
    guard change.version > start || change.isOfAuthorization else { return }
    state.withLock { $0.pending += 1 }
    queue.async {
      let observer = self.state.withLock { $0.isEnded ? nil : $0.observer }
      do { try observer?.photoLibraryDidChange(change) } catch { self.failure?(error) }
      self.state.withLock { $0.pending -= 1 }
    }
  }

  /// Runs a body when everything up to now has been told.
  func afterTelling(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  func end() { state.withLock { $0.isEnded = true } }
}
