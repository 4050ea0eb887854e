// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// An interactive program in a pseudo-terminal, operated by keystrokes.
final class Terminal {
  private let identifier: pid_t
  private let keyboard: Int32
  /// Everything that the program has printed, with the escape sequences of the terminal.
  private(set) var transcript = ""

  /// Starts a program, found by its path.
  init(_ words: [String], folder: String, variables: [String: String]) throws {
    keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (lock, number): (Int32, UInt32) = (0, 0)
    // The requests TIOCSPTLCK and TIOCGPTN of the kernel.
    guard keyboard >= 0, ioctl(keyboard, 0x4004_5431, &lock) == 0,
      ioctl(keyboard, 0x8004_5430, &number) == 0
    else { throw Tool.Failure(description: "no terminal: \(String(cString: strerror(errno)))") }
    let name = "/dev/pts/\(number)"
    var size = winsize(ws_row: 24, ws_col: 200, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(keyboard, UInt(TIOCSWINSZ), &size)

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The first terminal that the leader of a session opens becomes its controlling terminal.
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    let startsSession: Int16 = 0x80  // POSIX_SPAWN_SETSID
    posix_spawnattr_setflags(
      &attributes,
      startsSession | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))

    let line = ["/bin/sh", "-c", "cd -- \"$0\" && exec \"$@\"", folder] + words
    let copies = line.map { strdup($0) }
    let settings = variables.map { strdup("\($0.key)=\($0.value)") }
    defer { (copies + settings).forEach { free($0) } }
    var started: pid_t = 0
    let code = posix_spawn(
      &started, line[0], &actions, &attributes, copies + [nil], settings + [nil])
    guard code == 0 else {
      close(keyboard)
      throw Tool.Failure(description: "no process: \(String(cString: strerror(code)))")
    }
    identifier = started
  }

  deinit {
    kill(identifier, SIGKILL)
    close(keyboard)
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
  }

  /// Types text, then waits until texts appear in the output that follows, one after the other.
  ///
  /// - Throws: `Tool.Failure` with the output if they do not appear in time.
  func type(_ keys: String, until expected: String...) throws {
    var output = Array(transcript.utf8)
    let start = output.count
    var bytes = Array(keys.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(keyboard, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Tool.Failure(description: "the terminal is closed") }
      bytes = bytes.dropFirst(count)
    }
    let deadline = ContinuousClock.now.advanced(by: Tool.timeLimit)
    var polled = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
    while true {
      transcript = String(decoding: output, as: UTF8.self)
      let new = String(decoding: output[start...], as: UTF8.self)
      if Self.contains(new, expected) { return }
      guard ContinuousClock.now < deadline else {
        throw Tool.Failure(description: "no \(expected) in: \(new.debugDescription)")
      }
      guard poll(&polled, 1, 1000) > 0 else { continue }
      var chunk = [UInt8](repeating: 0, count: 4096)
      let count = read(keyboard, &chunk, chunk.count)
      guard count > 0 else {
        throw Tool.Failure(description: "the program ended: \(new.debugDescription)")
      }
      output += chunk[..<count]
    }
  }

  private static func contains(_ text: String, _ parts: [String]) -> Bool {
    var rest = text[...]
    for part in parts {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }
}
