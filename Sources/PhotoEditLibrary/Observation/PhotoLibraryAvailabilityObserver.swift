// SPDX-License-Identifier: Apache-2.0

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

extension PhotoLibrary {
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
}

extension PhotoLibrary {
  /// The reason why the library can no longer be used; nil if it can.
  ///
  /// The code is `libraryVolumeOffline` if its folder was removed, for example with its disk, and
  /// `switchingSystemPhotoLibrary` if another library is at its path. Reading and changing fail
  /// with the same error, so nothing is ever written to a different folder of the same name.
  public var unavailabilityReason: LibraryError? { reader.unavailabilityReason }
}

extension LibraryError {
  static func replaced(_ path: String) -> LibraryError {
    LibraryError(
      .switchingSystemPhotoLibrary, path: path, "this library was replaced by another one",
      hint: "reopen the library")
  }
}
