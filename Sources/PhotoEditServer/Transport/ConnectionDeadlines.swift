// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// The deadlines of connections; an overdue one is shut down.
///
/// The timeout of libmicrohttpd is for idle connections only: a client that sends one byte at a
/// time would occupy a connection permanently.
final class ConnectionDeadlines: Sendable {
  /// The milliseconds for the first header, and for the next one on the same connection.
  static let head = 10_000
  static let nextHead = 60_000
  /// The milliseconds for a body: 30 seconds for each MiB, at least one.
  static func body(_ byteCount: Int) -> Int { 30_000 * (1 + byteCount >> 20) }

  /// The deadline of each connection in milliseconds, by socket; nil while its request is performed.
  private let deadlines = LockedValue<[Int32: Int]>([:])
  /// Both ends of a pipe that wakes the watching thread.
  private let readEnd: Int32
  private let writeEnd: Int32

  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
    guard ThreadGroup.detach({ self.watch() }) else { return nil }
  }

  /// Sets the deadline of a connection; nil for none.
  func set(_ milliseconds: Int?, for socket: Int32) {
    let deadline = milliseconds.map { MonotonicClock.milliseconds + $0 }
    let isEarliest = deadlines.withLock { deadlines in
      let earliest = deadlines.values.min()
      deadlines[socket] = deadline
      guard let deadline else { return false }
      return earliest.map { deadline < $0 } ?? true
    }
    guard isEarliest else { return }
    var byte: UInt8 = 0
    _ = write(writeEnd, &byte, 1)
  }

  private func watch() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while true {
      let wait = deadlines.withLock { deadlines in
        let now = MonotonicClock.milliseconds
        for (socket, deadline) in deadlines where deadline <= now {
          // Under the lock, so that the number is still the one of this connection.
          shutdown(socket, Int32(SHUT_RDWR))
          deadlines[socket] = nil
        }
        return deadlines.values.min().map { max(1, $0 - now) } ?? -1
      }
      var poll = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
      _ = PhotoEditPlatform.poll(&poll, 1, Int32(clamping: wait))
      while read(readEnd, &bytes, bytes.count) > 0 {}
    }
  }
}

/// The clock of deadlines, which is never set.
enum MonotonicClock {
  /// The milliseconds since the start of the machine.
  static var milliseconds: Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
  }

  /// The seconds since the start of the machine.
  static var seconds: Int { milliseconds / 1000 }
}
