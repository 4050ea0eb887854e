// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

extension OpenFile {
  // Glibc keeps both names to programs that ask for more than POSIX.
  private static let setSignal: Int32 = 10
  private static let setLease: Int32 = 1024

  /// Whether the file is open a second time, in this program or in another.
  ///
  /// The kernel gives the lease of a writer to whoever has a file open alone; it is given back at
  /// once. A file that is closed within a tenth of a second does not count: a process that this one
  /// starts has all of its files open until its own program begins.
  ///
  /// - Returns: Nil where nobody can tell: leases are given to the owner of a file, and by some file
  ///   systems alone.
  package func isOpenElsewhere() -> Bool? {
    // Who holds a lease is signalled when another opens the file; SIGIO would end the program.
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
