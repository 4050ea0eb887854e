// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

extension CommandEnvironment {
  /// The process: its arguments, variables and standard streams.
  ///
  /// Makes SIGPIPE and SIGXFSZ harmless, so that a reader who leaves and a file that may not grow
  /// are seen as failed writes, and work on files ends in good order; and fills closed standard descriptors, so that no picture opened
  /// later takes their numbers and receives messages.
  package static func live() -> CommandEnvironment {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    MemoryWatch.start()
    for descriptor in 0...2 as ClosedRange<Int32> where fcntl(descriptor, F_GETFD) < 0 {
      // The wrong direction, so that using the stream still fails as it does when closed.
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
    var environment = CommandEnvironment(
      arguments: Array(CommandLine.arguments.dropFirst()),
      variable: { getenv($0).map { String(cString: $0) } },
      input: InputStream(descriptor: 0),
      output: OutputStream(descriptor: 1, capacity: 65536),
      error: OutputStream(descriptor: 2, capacity: 0))
    environment.watchesSignals = true
    environment.damagedArgument = firstDamagedArgument()
    return environment
  }

  /// Finds an argument that is not UTF-8; as a String it would name another file.
  private static func firstDamagedArgument() -> Int? {
    (0..<Int(CommandLine.argc)).first { index in
      guard let argument = CommandLine.unsafeArgv[index] else { return false }
      return String(validatingCString: argument) == nil
    }
  }

  /// An environment in memory, for tests.
  ///
  /// - Parameters:
  ///   - input: What standard input holds.
  ///   - terminals: The streams a person sits at.
  package static func memory(
    arguments: [String] = [], variables: [String: String] = [:], input: [UInt8] = [],
    terminals: Set<Stream> = []
  ) -> CommandEnvironment {
    CommandEnvironment(
      arguments: arguments, variable: { variables[$0] },
      input: InputStream(bytes: input, isTerminal: terminals.contains(.input)),
      output: OutputStream(isTerminal: terminals.contains(.output)),
      error: OutputStream(isTerminal: terminals.contains(.error)))
  }

  /// One of the three standard streams.
  package enum Stream: Sendable { case input, output, error }
}
