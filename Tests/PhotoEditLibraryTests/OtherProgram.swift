// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FoundationEssentials
import PhotoEditStorage
import PhotoEditTestSupport

/// The `photoedit` program, as another process that uses a library at the same time.
enum OtherProgram {
  /// The program beside the test bundle.
  static let path: String = {
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let bundle = link ?? CommandLine.arguments[0]
    return bundle.prefix(upTo: bundle.lastIndex(of: "/") ?? bundle.startIndex) + "/photoedit"
  }()

  /// A shell that runs in the background.
  final class Shell: Sendable {
    private let exitCode = Guarded<Int32?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    /// Starts a script; its output goes to a file.
    init(_ script: String, output: String) {
      DispatchQueue.global().async {
        let code = Program.run("/bin/sh", ["-c", script], output: output)
        self.exitCode.withLock { $0 = code }
        self.isDone.signal()
      }
    }

    /// Waits for its end; gives its exit code, or nil when it takes too long.
    func wait(seconds: Double = 300) -> Int32? {
      guard isDone.wait(timeout: .now() + seconds) == .success else { return nil }
      return exitCode.withLock { $0 }
    }
  }
}
