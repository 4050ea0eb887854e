// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
internal import Synchronization

/// Ends the process in good order when a limit of its address space leaves no memory.
///
/// Swift and C++ end a process that gets no memory by a trap, which no code can catch and which looks
/// like a fault of the program. Where there is such a limit (`ulimit -v`) and most of it is used up, the
/// trap means that: the process says so and ends with the code for "try again". What it was writing
/// is as after any other sudden end: not there, or whole. Other traps stay what they are.
enum MemoryWatch {
  /// Starts watching, once per process; nothing happens without a limit.
  static func start() {
    var limits = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limits) == 0,
      let bytes = Int(exactly: limits.rlim_cur)
    else { return }
    limit.store(bytes, ordering: .relaxed)
    pageSize.store(sysconf(Int32(_SC_PAGESIZE)), ordering: .relaxed)
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        if MemoryWatch.isUsedUp() {
          let words: StaticString =
            "photoedit: error: out of memory: the address space is limited (ulimit -v)\n"
          _ = write(2, words.utf8Start, words.utf8CodeUnitCount)
          _exit(ExitCode.busy.rawValue)
        }
        // The instruction is run again, or the signal raised again, and ends the process as usual.
        signal(number, SIG_DFL)
        if number == SIGABRT { raise(number) }
      }
      sigemptyset(&action.sa_mask)
      sigaction(number, &action, nil)
    }
  }

  /// Whether less than half of the address space is left, or less than a common allocation needs.
  ///
  /// Called in a signal handler: nothing here allocates.
  fileprivate static func isUsedUp() -> Bool {
    let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return true }
    let pages = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { buffer in
      let count = read(file, buffer.baseAddress, buffer.count)
      var pages = 0
      for index in 0..<max(0, count) {
        guard buffer[index] >= 48, buffer[index] <= 57 else { break }
        pages = pages &* 10 &+ Int(buffer[index] &- 48)
      }
      return pages
    }
    close(file)
    let limit = limit.load(ordering: .relaxed)
    let used = pages &* pageSize.load(ordering: .relaxed)
    return limit &- used < max(limit / 2, 64 << 20)
  }
}

private let limit = Atomic(0)
private let pageSize = Atomic(4096)
