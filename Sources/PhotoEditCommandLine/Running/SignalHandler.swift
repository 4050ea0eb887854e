// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
internal import PhotoEditStorage
internal import Synchronization

/// Converts SIGINT, SIGTERM and SIGHUP to a cancellation; a second signal ends the process at once.
///
/// The signal handler only writes the signal's number to a pipe. Everything else runs on threads
/// that wait at the other end, so no other code runs in the handler. A signal that was ignored at
/// the start of the process, as under `nohup`, remains ignored.
enum SignalHandler {
  /// Starts watching, once per process; until then the signals end the process as usual.
  static func start(_ cancellation: Cancellation) {
    var ends: [Int32] = [-1, -1]
    guard pipeEnd.load(ordering: .relaxed) < 0, pipe(&ends) == 0 else { return }
    let (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // The handler must never block, even if a thousand signals fill the pipe.
    _ = fcntl(writeEnd, F_SETFL, O_NONBLOCK)
    pipeEnd.store(writeEnd, ordering: .sequentiallyConsistent)

    let isStarted = ThreadGroup.detach {
      guard let first = nextSignal(readEnd) else { return }
      // The cancellation handlers may take long, so the second signal is awaited on another thread.
      _ = ThreadGroup.detach { endAtSecondSignal(after: first, readEnd) }
      cancellation.cancel(exitCode(first.number))
    }
    guard isStarted else { return }
    for number in [SIGINT, SIGTERM, SIGHUP] { install(number) }
  }

  private static func install(_ number: Int32) {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0,
      unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != ignored
    else { return }
    action.__sigaction_handler.sa_handler = { number in
      let saved = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(pipeEnd.load(ordering: .relaxed), &byte, 1)
      errno = saved
    }
    action.sa_flags = SA_RESTART
    sigemptyset(&action.sa_mask)
    sigaction(number, &action, nil)
  }

  /// Ends the process at the next signal that is a separate request.
  ///
  /// `timeout` sends its signal to the child and again to the child's process group: the same
  /// signal within 50 ms counts as one request.
  private static func endAtSecondSignal(after first: Signal, _ readEnd: Int32) {
    while let next = nextSignal(readEnd) {
      guard next.number != first.number || next.time &- first.time > 50_000_000 else { continue }
      _exit(exitCode(next.number).rawValue)
    }
  }

  private struct Signal: Sendable {
    var number: Int32
    /// The time in nanoseconds of the monotonic clock.
    var time: Int
  }

  private static func nextSignal(_ readEnd: Int32) -> Signal? {
    var byte: UInt8 = 0
    while read(readEnd, &byte, 1) != 1 {
      guard errno == EINTR else { return nil }
    }
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Signal(number: Int32(byte), time: now.tv_sec &* 1_000_000_000 &+ now.tv_nsec)
  }

  private static func exitCode(_ number: Int32) -> ExitCode {
    switch number {
    case SIGINT: .interrupted
    case SIGHUP: .hungUp
    default: .terminated
    }
  }
}

/// The write end of the pipe, -1 before watching; global because a handler can use only globals.
private let pipeEnd = Atomic<Int32>(-1)

/// The value of `SIG_IGN`, which is a macro.
private let ignored = 1
