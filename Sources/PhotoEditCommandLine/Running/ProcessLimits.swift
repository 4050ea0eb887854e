// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem

/// Limits of this process that the kernel enforces, for a process that another one restarts.
package enum ProcessLimits {
  /// The address space beside the memory of the work: stacks, and reservations of the C library.
  private static let overhead = 1 << 30

  private static let message: StaticString =
    "photoedit: error: out of memory: more than --max-memory is needed\n"

  /// Ends the process when the thread that started it ends.
  package static func endWithParent() { pe_end_with_parent() }

  /// Ends the process with the exit code of an internal error when its work needs more memory.
  ///
  /// A limit that the process was started with has precedence.
  package static func limitMemory(to bytes: Int) {
    let (sum, overflow) = bytes.addingReportingOverflow(overhead)
    guard !overflow, pe_limit_growth(Int64(sum)) == 0 else { return }
    message.withUTF8Buffer { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        pe_exit_without_memory(ExitCode.internalFault.rawValue, $0.baseAddress)
      }
    }
  }

  /// Ends the process by SIGXCPU after some processor time, counted from this call.
  package static func limitProcessorTime(toSeconds seconds: Int) {
    pe_limit_processor_time(Int64(seconds))
  }

  /// The processor time of the process, in microseconds, and its largest resident size, in KiB.
  package static var usage: (processorTime: Int, peakKiB: Int) {
    var (processorTime, peak): (Int64, Int64) = (0, 0)
    pe_usage(&processorTime, &peak)
    return (Int(processorTime), Int(peak))
  }
}

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
