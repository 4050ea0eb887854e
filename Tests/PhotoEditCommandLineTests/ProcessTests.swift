// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
internal import PhotoEditStorage
import Testing

@testable import PhotoEditCommandLine

/// Uses child processes, because signals and descriptors belong to a whole process.
@Suite("Process environment")
struct ProcessTests {
  @Test func `the first signal cancels the work and calls its handlers`() async {
    await #expect(processExitsWith: .exitCode(130)) { runWatched(StopsCommand.self, [SIGINT]) }
    await #expect(processExitsWith: .exitCode(143)) { runWatched(StopsCommand.self, [SIGTERM]) }
    await #expect(processExitsWith: .exitCode(129)) { runWatched(StopsCommand.self, [SIGHUP]) }
  }

  @Test func `a second signal exits immediately, even while a handler hangs`() async {
    await #expect(processExitsWith: .exitCode(143)) {
      runWatched(HangsCommand.self, [SIGINT, SIGTERM])
    }
  }

  @Test func `a repeated signal also exits immediately`() async {
    await #expect(processExitsWith: .exitCode(130)) { runWatched(HangsCommand.self, [SIGINT]) }
  }

  @Test func `two identical signals in quick succession are one request`() async {
    // timeout(1) sends signals this way.
    await #expect(processExitsWith: .exitCode(7)) {
      SignalHandler.start(Cancellation())
      // Sent to this thread they arrive one by one; sent to the process they may be merged.
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_UNBLOCK, &all, nil)
      raise(SIGTERM)
      raise(SIGTERM)
      // Long enough for the watcher to have ended the process if it did so.
      poll(nil, 0, 300)
      exit(7)
    }
  }

  @Test func `a signal ignored at the start stays ignored`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      signal(SIGHUP, SIG_IGN)
      let cancellation = Cancellation()
      SignalHandler.start(cancellation)
      kill(getpid(), SIGHUP)
      poll(nil, 0, 100)
      exit(cancellation.isCancelled ? 1 : 7)
    }
  }

  @Test func `a command that does not cancel cleanly is ended by the signal`() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      runWatched(PlainCommand.self, [SIGTERM])
    }
  }

  @Test func `a closed output pipe ends the program silently`() async {
    await #expect(processExitsWith: .exitCode(141)) {
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { exit(99) }
      close(ends[0])
      dup2(ends[1], 1)
      // The first lines fill the buffer, and then the loop notices the closed pipe.
      let environment = live(["chatter"])
      let code = program(ChattersCommand.self).run(in: environment)
      exit(environment.error.text.isEmpty ? code.rawValue : 98)
    }
  }

  @Test func `a full disk on standard output is a failure`() async {
    await #expect(processExitsWith: .exitCode(74)) {
      dup2(open("/dev/full", O_WRONLY), 1)
      let environment = live(["chatter"])
      let code = program(ChattersCommand.self).run(in: environment)
      let text = environment.error.text
      exit(text.contains("standard output: cannot write: No space left") ? code.rawValue : 98)
    }
  }

  @Test func `a full disk is noticed even if only the last flush fails`() async {
    await #expect(processExitsWith: .exitCode(74)) {
      dup2(open("/dev/full", O_WRONLY), 1)
      exit(sample.run(in: live(["brush", "a"])).rawValue)
    }
  }

  @Test func `descriptors are read and written completely`() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    let stream = OutputStream(descriptor: ends[1], capacity: 8)
    stream.write("1234")
    stream.write(bytes: [0x35, 0x36])
    var ready = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
    #expect(poll(&ready, 1, 0) == 0)
    stream.write("789")
    #expect(poll(&ready, 1, 0) == 1)
    stream.write("!")
    stream.flush()
    close(ends[1])
    let bytes = try InputStream(descriptor: ends[0]).readAll(limit: 10)
    #expect(String(decoding: bytes, as: UTF8.self) == "123456789!")
    #expect(stream.failure == nil)
  }

  @Test func `endless input is rejected without being buffered`() throws {
    let zero = open("/dev/zero", O_RDONLY)
    defer { close(zero) }
    let failure = #expect(throws: CommandFailure.self) {
      try InputStream(descriptor: zero).readAll(limit: 100_000)
    }
    #expect(failure?.code == "tooLarge")
  }
}

/// Exits with a distinct code if cancellation does not reach the handler.
private struct StopsCommand: Command {
  static let configuration = CommandConfiguration<Self>("x", "X.", stopsCleanly: true)
  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let pipe = makePipe()
    environment.cancellation.withHandler({ _ = write(pipe.write, "x", 1) }) {
      sendSignals()
      var byte: UInt8 = 0
      while read(pipe.read, &byte, 1) != 1 {}
    }
    guard environment.isCancelled else { exit(96) }
    try environment.checkCancellation()
  }
}

/// Runs forever, and so does its handler.
private struct HangsCommand: Command {
  static let configuration = CommandConfiguration<Self>("x", "X.", stopsCleanly: true)
  func run(in environment: CommandEnvironment) {
    let pipe = makePipe()
    environment.cancellation.withHandler({
      _ = write(pipe.write, "x", 1)
      while true { pause() }
    }) {
      kill(getpid(), signals[0])
      var byte: UInt8 = 0
      while read(pipe.read, &byte, 1) != 1 {}
      while true {
        kill(getpid(), signals.last ?? 0)
        poll(nil, 0, 20)
      }
    }
  }
}

private struct PlainCommand: Command {
  static let configuration = CommandConfiguration<Self>("x", "X.")
  func run(in environment: CommandEnvironment) {
    sendSignals()
    while true { pause() }
  }
}

private struct ChattersCommand: Command {
  static let configuration = CommandConfiguration<Self>("chatter", "Talks.")
  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    while true {
      environment.print("again and again")
      try environment.checkCancellation()
    }
  }
}

// Set once in a child process before the command runs on the same thread.
nonisolated(unsafe) private var signals: [Int32] = []

private func sendSignals() {
  for signal in signals { kill(getpid(), signal) }
}

private func makePipe() -> (read: Int32, write: Int32) {
  var ends: [Int32] = [0, 0]
  guard pipe(&ends) == 0 else { exit(99) }
  return (ends[0], ends[1])
}

private func program(_ command: any Command.Type) -> ProgramDescription {
  ProgramDescription(
    name: "test", abstract: "Tests.", version: "1", groups: [.init("Commands", [command])])
}

private func runWatched(_ command: any Command.Type, _ numbers: [Int32]) {
  signals = numbers
  var environment = CommandEnvironment.memory(arguments: ["x"])
  environment.watchesSignals = true
  exit(program(command).run(in: environment).rawValue)
}

/// The process's own standard output, with everything else in memory.
private func live(_ words: [String]) -> CommandEnvironment {
  let process = CommandEnvironment.live()
  return CommandEnvironment(
    arguments: words, variable: { _ in nil }, input: process.input, output: process.output,
    error: OutputStream(isTerminal: false))
}
