// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// The open connections, each with a deadline, and with a budget for those of strangers.
///
/// The timeout of libmicrohttpd is for idle connections only: a client that sends one byte at a
/// time would occupy a connection permanently. Every connection begins as one of a stranger, and
/// becomes one of a user with a request that has logged in. If there are too many strangers, the
/// oldest is disconnected, so that there is always room for a new connection.
final class Connections: Sendable {
  /// The number of connections without a login, and of those with one.
  static let maximumStrangers = 64
  static let maximumUsers = 64
  /// The number of connections that libmicrohttpd accepts, divided among its threads; one of them
  /// may accept nearly all.
  static let maximum = 2 * (maximumStrangers + maximumUsers + 32)

  /// The part of a request that a connection is in.
  enum Phase {
    /// The header fields of the first request.
    case head
    /// A body of some bytes.
    case body(Int)
    /// The computation of a response, and its transmission.
    case response
    /// A refusal, after which the connection is closed.
    case refusal
    /// The time until the next request.
    case idle

    /// The milliseconds after which a connection is disconnected; nil for no limit.
    fileprivate func limit(isUser: Bool) -> Int? {
      switch self {
      case .head, .refusal: 10_000
      // 30 seconds for each MiB, at least one.
      case .body(let count): isUser ? 30_000 * (1 + count >> 20) : 10_000
      case .response: isUser ? nil : 30_000
      case .idle: isUser ? 60_000 : 10_000
      }
    }
  }

  private struct Connection {
    /// The position in the order in which connections were accepted.
    let number: Int
    /// The time in milliseconds; nil for none.
    var deadline: Int?
    var isUser = false
    /// Indicates that it was shut down, but not closed yet.
    var isEnding = false
  }

  private struct State {
    var count = 0
    /// The connections by socket.
    var all: [Int32: Connection] = [:]

    var earliest: Int? { all.values.compactMap(\.deadline).min() }

    /// Shuts a connection down; under the lock, so that the number is still that of its socket.
    mutating func end(_ socket: Int32) {
      shutdown(socket, Int32(SHUT_RDWR))
      all[socket]?.deadline = nil
      all[socket]?.isEnding = true
    }

    /// Shuts down the oldest connections of strangers until there are few enough.
    mutating func endStrangers() {
      let strangers = all.filter { !$0.value.isUser && !$0.value.isEnding }
        .sorted { $0.value.number < $1.value.number }
      for (socket, _) in strangers.dropLast(Connections.maximumStrangers) { end(socket) }
    }
  }

  private let state = LockedValue(State())
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

  /// Adds a connection that was accepted.
  func open(_ socket: Int32) {
    state.withLock { state in
      state.count += 1
      state.all[socket] = Connection(number: state.count)
      state.endStrangers()
    }
    begin(.head, on: socket)
  }

  /// Removes a connection that is about to be closed.
  func close(_ socket: Int32) { state.withLock { $0.all[socket] = nil } }

  /// Notes whether the latest request of a connection has logged in.
  ///
  /// - Returns: False if there are too many connections of users.
  func identify(_ socket: Int32, isUser: Bool) -> Bool {
    state.withLock { state in
      guard let connection = state.all[socket], connection.isUser != isUser else { return true }
      guard !isUser || state.all.values.count(where: \.isUser) < Self.maximumUsers else {
        return false
      }
      state.all[socket]?.isUser = isUser
      state.endStrangers()
      return true
    }
  }

  /// Begins a part of a request, with its deadline.
  func begin(_ phase: Phase, on socket: Int32) {
    let isEarliest = state.withLock { state in
      guard let connection = state.all[socket], !connection.isEnding else { return false }
      let earliest = state.earliest
      let deadline = phase.limit(isUser: connection.isUser).map {
        MonotonicClock.milliseconds + $0
      }
      state.all[socket]?.deadline = deadline
      guard let deadline else { return false }
      return earliest.map { deadline < $0 } ?? true
    }
    guard isEarliest else { return }
    var byte: UInt8 = 0
    _ = write(writeEnd, &byte, 1)
  }

  /// The number of connections of strangers and of users that are not being closed.
  var counts: (strangers: Int, users: Int) {
    state.withLock { state in
      let open = state.all.values.filter { !$0.isEnding }
      return (open.count { !$0.isUser }, open.count(where: \.isUser))
    }
  }

  private func watch() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while true {
      let wait = state.withLock { state in
        let now = MonotonicClock.milliseconds
        for (socket, connection) in state.all where connection.deadline.map({ $0 <= now }) == true {
          state.end(socket)
        }
        return state.earliest.map { max(1, $0 - now) } ?? -1
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
