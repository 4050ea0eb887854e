// SPDX-License-Identifier: Apache-2.0
import Dispatch
import PhotoEditStorage

/// Lets one thread wait until some program may have committed to a library.
package final class CommitWaiter: Sendable {
  /// What the watcher and the waiting thread share; the watcher holds nothing else.
  private final class Signal: Sendable {
    let semaphore = DispatchSemaphore(value: 0)
    let isGone = Guarded(false)
  }

  private let library: PhotoLibrary
  private let signal: Signal
  private let watcher: LibraryWatcher

  /// Begins to watch: what is committed from now on ends the next wait.
  package init(_ library: PhotoLibrary) {
    let signal = Signal()
    self.library = library
    self.signal = signal
    watcher = LibraryWatcher(library.layout) { event in
      if event == .gone { signal.isGone.withLock { $0 = true } }
      signal.semaphore.signal()
    }
  }

  /// Waits for a commit or for `wake()`; false when the time was over before.
  package func wait(seconds: Double) -> Bool {
    guard signal.semaphore.wait(timeout: .now() + seconds) == .success else { return false }
    // Several events that came together are one.
    while signal.semaphore.wait(timeout: .now()) == .success {}
    return true
  }

  /// Ends a wait, now or the next one; from any thread.
  package func wake() { signal.semaphore.signal() }

  /// Refuses to go on when the folder of the library is not where it was.
  package func checkLibrary() throws(LibraryError) {
    guard signal.isGone.withLock({ $0 }) else { return }
    throw library.unavailabilityReason ?? .replaced(library.layout.root)
  }
}
