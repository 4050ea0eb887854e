// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

extension OpenFile {
  // Glibc defines both names only for programs that request more than POSIX.
  private static let setSignal: Int32 = 10
  private static let setLease: Int32 = 1024

  /// Returns whether the file is also open elsewhere in this process or in another one.
  ///
  /// The kernel grants a write lease only if there is no other open descriptor of the file; the
  /// lease is released at once. A file that is closed within a tenth of a second does not count: a
  /// child process holds all descriptors of this process until it executes its own program.
  ///
  /// - Returns: Nil if it cannot be determined: leases are granted only to the owner of a file and
  ///   only by some file systems.
  package func isOpenInAnotherProcess() -> Bool? {
    // The lease holder gets a signal when the file is opened again; SIGIO would end the process.
    guard fcntl(descriptor, Self.setSignal, SIGURG) == 0 else { return nil }
    var attempts = 0
    while fcntl(descriptor, Self.setLease, Int32(F_WRLCK)) != 0 {
      let code = errno
      if code == EINTR { continue }
      guard code == EAGAIN else { return nil }
      attempts += 1
      if attempts > 20 { return true }
      usleep(5_000)
    }
    _ = fcntl(descriptor, Self.setLease, Int32(F_UNLCK))
    return false
  }
}
