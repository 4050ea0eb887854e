// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage

/// A program that runs next to the tests, with a pipe for each of its standard streams.
final class ChildProcess {
  private let identifier: pid_t
  /// The state of the process as `wait` found it.
  private var exitCode: Int32?
  private let input: Int32
  private let output: Int32
  private let error: Int32

  /// Held from creating the pipes to the start; a child started in between would keep them open.
  ///
  /// The value is unused; ThreadSanitizer confuses a state without bytes with its neighbor.
  private static let starting = LockedValue(0)

  /// Starts a program.
  convenience init(
    _ path: String, _ arguments: [String], folder: String, variables: [String: String]
  ) throws {
    // Writing to an exited child must fail, not end the tests.
    signal(SIGPIPE, SIG_IGN)
    // Spawning has no portable way to set the working directory; the shell execs the program.
    let words = ["/bin/sh", "-c", "cd -- \"$0\" && exec \"$@\"", folder, path] + arguments
    let (started, streams) = try Self.starting.withLock { _ in try Self.start(words, variables) }
    self.init(started, streams)
  }

  private init(_ identifier: pid_t, _ streams: [Int32]) {
    self.identifier = identifier
    (input, output, error) = (streams[0], streams[1], streams[2])
  }

  /// Reaps the child: a test may fail before it waits, and exit tests hang while an unreaped
  /// child exists.
  deinit {
    if exitCode == nil { kill() }
    _ = wait()
  }

  /// The process identifier and the test's ends of its standard streams.
  private static func start(
    _ words: [String], _ variables: [String: String]
  ) throws -> (pid_t, [Int32]) {
    let pipes = try (0..<3).map { _ in try Self.pipe() }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipes[0].read, 0)
    posix_spawn_file_actions_adddup2(&actions, pipes[1].write, 1)
    posix_spawn_file_actions_adddup2(&actions, pipes[2].write, 2)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in [SIGPIPE, SIGINT, SIGTERM, SIGHUP] { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    // Threads that run tests may block signals, and a child inherits the mask.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))

    let copies = words.map { strdup($0) }
    let settings = variables.map { strdup("\($0.key)=\($0.value)") }
    defer { (copies + settings).forEach { free($0) } }
    var started: pid_t = 0
    let code = posix_spawn(
      &started, words[0], &actions, &attributes, copies + [nil], settings + [nil])
    for end in [pipes[0].read, pipes[1].write, pipes[2].write] { close(end) }
    let streams = [pipes[0].write, pipes[1].read, pipes[2].read]
    guard code == 0 else {
      for end in streams { close(end) }
      throw Tool.Failure(description: "no process: \(String(cString: strerror(code)))")
    }
    return (started, streams)
  }

  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard PhotoEditPlatform.pipe(&ends) == 0 else {
      throw Tool.Failure(description: "no pipe: \(String(cString: strerror(errno)))")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Kills the process.
  func kill() { _ = PhotoEditPlatform.kill(identifier, SIGKILL) }

  /// Sends a signal to the process.
  func send(_ signal: Int32) { _ = PhotoEditPlatform.kill(identifier, signal) }

  /// Waits for the exit; returns the exit code, or 128 plus the signal number.
  func wait() -> Int32 {
    if let exitCode { return exitCode }
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    let signal = status & 0x7f
    let code = signal == 0 ? (status >> 8) & 0xff : 128 + signal
    exitCode = code
    return code
  }

  /// Reads the next line of the output without its terminator; nil at the deadline or the end.
  ///
  /// - Parameter rest: Bytes read after the last line; kept by the caller, empty at first.
  func line(_ rest: inout [UInt8], until deadline: ContinuousClock.Instant) -> String? {
    var polled = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    while true {
      if let end = rest.firstIndex(of: 10) {
        defer { rest.removeSubrange(...end) }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { return nil }
      guard poll(&polled, 1, Int32(left.components.seconds) * 1000 + 999) > 0 else { continue }
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(output, &chunk, chunk.count)
      if count == 0 || (count < 0 && errno != EINTR) { return nil }
      rest += chunk[..<max(0, count)]
    }
  }

  /// Writes a line to the input.
  func writeLine(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = PhotoEditPlatform.write(input, bytes, bytes.count)
  }

  /// Closes the output like a reader that stops early; nothing else may be read afterwards.
  func closeOutput() { close(output) }

  /// Writes the input and reads both outputs, whichever is ready, until both have ended.
  func exchange(
    _ bytes: [UInt8], until deadline: ContinuousClock.Instant
  ) -> (output: [UInt8], error: [UInt8]) {
    var rest = bytes[...]
    var received: [[UInt8]] = [[], []]
    var polled = [
      pollfd(fd: output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: error, events: Int16(POLLIN), revents: 0),
      pollfd(fd: input, events: Int16(POLLOUT), revents: 0),
    ]
    _ = fcntl(input, F_SETFL, O_NONBLOCK)
    func finish(_ index: Int) {
      close(polled[index].fd)
      polled[index].fd = -1
    }
    if rest.isEmpty { finish(2) }
    while polled[0].fd >= 0 || polled[1].fd >= 0 {
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero, poll(&polled, 3, Int32(left.components.seconds) * 1000 + 999) >= 0 else {
        if left > .zero && errno == EINTR { continue }
        break
      }
      if polled[2].fd >= 0, polled[2].revents != 0 {
        let count = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
        if count > 0 { rest = rest.dropFirst(count) }
        if rest.isEmpty || (count < 0 && errno != EAGAIN && errno != EINTR) { finish(2) }
      }
      for index in 0..<2 where polled[index].fd >= 0 && polled[index].revents != 0 {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(polled[index].fd, &chunk, chunk.count)
        if count > 0 {
          received[index] += chunk[..<count]
        } else if count == 0 || errno != EINTR {
          finish(index)
        }
      }
    }
    for index in polled.indices where polled[index].fd >= 0 { finish(index) }
    return (received[0], received[1])
  }
}
