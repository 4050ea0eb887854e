// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FoundationEssentials
import PhotoEditStorage
import PhotoEditTestSupport

/// The `photoedit` program as another process that uses the library concurrently.
enum OtherProgram {
  /// The path of the program next to the test bundle.
  static let path: String = {
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let bundle = link ?? CommandLine.arguments[0]
    return bundle.prefix(upTo: bundle.lastIndex(of: "/") ?? bundle.startIndex) + "/photoedit"
  }()

  /// A shell that runs in the background.
  final class Shell: Sendable {
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
    func wait(seconds: Double = 300) -> Int32? {
      guard isDone.wait(timeout: .now() + seconds) == .success else { return nil }
      return exitCode.withLock { $0 }
    }
  }
}
