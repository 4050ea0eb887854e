// SPDX-License-Identifier: Apache-2.0
import Dispatch
import PhotoEditStorage
import PhotoEditTestSupport

/// A shell that runs in the background.
final class BackgroundShell: Sendable {
  private let exitCode = LockedValue<Int32?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  /// Starts a script and writes its output to a file.
  init(_ script: String, output: String) {
    DispatchQueue.global().async {
      let code = Program.run("/bin/sh", ["-c", script], output: output)
      self.exitCode.withLock { $0 = code }
      self.isDone.signal()
    }
  }

  /// Waits for the shell to exit; returns its exit code, or nil on a timeout.
  func wait(seconds: Double = TestWait.seconds) -> Int32? {
    guard isDone.wait(timeout: .now() + seconds) == .success else { return nil }
    return exitCode.withLock { $0 }
  }
}
