// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem

/// Ends the process in good order when a limit of its address space leaves no memory.
///
/// Swift and C++ end a process that gets no memory by a trap, which no code can catch and which looks
/// like a fault of the program. Where there is such a limit (`ulimit -v`) and most of it is used up, the
/// trap means that: the process says so and ends with the code for "try again". What it was writing
/// is as after any other sudden end: not there, or whole. Other traps stay what they are.
enum MemoryWatch {
  private static let message: StaticString =
    "photoedit: error: out of memory: the address space is limited (ulimit -v)\n"

  /// Starts watching, once per process; nothing happens without a limit.
  static func start() {
    message.withUTF8Buffer { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        pe_exit_without_memory(ExitCode.busy.rawValue, $0.baseAddress)
      }
    }
  }
}
