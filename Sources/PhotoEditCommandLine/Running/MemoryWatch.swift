// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem

/// Ends the process in a controlled way when an address space limit leaves no memory.
///
/// When an allocation fails, Swift and C++ end the process by a trap, which no code can catch and
/// which looks like an internal error. If there is such a limit (`ulimit -v`) and most of it is
/// used up, the trap is assumed to have that cause: the process reports it and ends with the exit
/// code for "try again". As after any other sudden end, files being written are either absent or
/// complete. Other traps are not affected.
enum MemoryWatch {
  private static let message: StaticString =
    "photoedit: error: out of memory: the address space is limited (ulimit -v)\n"

  /// Starts watching, once per process; has no effect without a limit.
  static func start() {
    message.withUTF8Buffer { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        pe_exit_without_memory(ExitCode.busy.rawValue, $0.baseAddress)
      }
    }
  }
}
