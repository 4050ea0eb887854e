// SPDX-License-Identifier: Apache-2.0
import Dispatch
import PhotoEditStorage

/// Blocks one thread until any process may have committed to a library.
package final class CommitWaiter: Sendable {
  /// The state shared by the watcher and the waiting thread; the watcher retains nothing else.
  private final class Signal: Sendable {
    let semaphore = DispatchSemaphore(value: 0)
    let isUnavailable = LockedValue(false)
  }

  private let library: PhotoLibrary
  private let signal: Signal
  private let watcher: LibraryWatcher

  /// Starts watching: any commit from now on ends the next wait.
  package init(_ library: PhotoLibrary) {
    let signal = Signal()
    self.library = library
    self.signal = signal
    watcher = LibraryWatcher(library.layout) { event in
      if event == .unavailable { signal.isUnavailable.withLock { $0 = true } }
      signal.semaphore.signal()
    }
  }

  /// Waits for a commit or for `wake()`; returns false after a timeout.
  package func wait(seconds: Double) -> Bool {
    guard signal.semaphore.wait(timeout: .now() + seconds) == .success else { return false }
    // Simultaneous events are merged.
    while signal.semaphore.wait(timeout: .now()) == .success {}
    return true
  }

  /// Ends the current or the next wait; can be called from any thread.
  package func wake() { signal.semaphore.signal() }

  /// Throws if the folder of the library is no longer at its path.
  package func checkLibrary() throws(LibraryError) {
    guard signal.isUnavailable.withLock({ $0 }) else { return }
    throw library.unavailabilityReason ?? .replaced(library.layout.root)
  }
}
