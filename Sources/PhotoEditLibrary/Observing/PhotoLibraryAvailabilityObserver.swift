// SPDX-License-Identifier: Apache-2.0

/// Is told when a library cannot be used any more.
public protocol PhotoLibraryAvailabilityObserver: AnyObject, Sendable {
  /// The folder of the library is gone, such as with its disk, or another library is in its place.
  ///
  /// Called once, on a queue of the library; `PhotoLibrary.unavailabilityReason` says why. Everything
  /// that reads or changes the library fails from now on, and sequences of changes have ended.
  func photoLibraryDidBecomeUnavailable(_ library: PhotoLibrary)
}

/// An observer that nobody is kept alive by.
struct WeakAvailabilityObserver: Sendable {
  weak let observer: (any PhotoLibraryAvailabilityObserver)?
}

extension PhotoLibrary {
  /// Begins to tell an observer when the library becomes unavailable; it is held weakly.
  ///
  /// - Throws: `LibraryError` when the library cannot be read already.
  public func register(
    _ observer: any PhotoLibraryAvailabilityObserver
  ) throws(LibraryError) {
    _ = try feed.start(self)
    feed.state.withLock { state in
      state.availability.removeAll { $0.observer == nil || $0.observer === observer }
      state.availability.append(WeakAvailabilityObserver(observer: observer))
    }
  }

  /// Ends telling an observer of the library's availability.
  public func unregister(_ observer: any PhotoLibraryAvailabilityObserver) {
    feed.state.withLock { $0.availability.removeAll { $0.observer === observer } }
  }
}
