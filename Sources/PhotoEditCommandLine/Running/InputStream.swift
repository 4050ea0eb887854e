// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage

/// Standard input, read as a whole up to a limit.
package struct InputStream: Sendable {
  private enum Source {
    case descriptor(Int32)
    case bytes([UInt8])
  }

  /// Indicates whether the stream is a terminal.
  package let isTerminal: Bool
  private let source: Source

  init(descriptor: Int32) {
    isTerminal = isatty(descriptor) == 1
    source = .descriptor(descriptor)
  }

  init(bytes: [UInt8], isTerminal: Bool) {
    self.isTerminal = isTerminal
    source = .bytes(bytes)
  }

  /// The descriptor of the stream, or all bytes of a stream in memory.
  var descriptorOrBytes: (descriptor: Int32?, bytes: [UInt8]) {
    switch source {
    case .descriptor(let descriptor): (descriptor, [])
    case .bytes(let bytes): (nil, bytes)
    }
  }

  /// Reads to the end.
  ///
  /// - Parameter limit: The maximum number of bytes; memory use does not exceed it.
  /// - Throws: A usage failure on a terminal instead of waiting for input, bad data over the limit,
  ///   an I/O failure if reading fails.
  package func readAll(limit: Int) throws(CommandFailure) -> [UInt8] {
    guard !isTerminal else {
      throw .usage(
        "standard input: is a terminal; expected data",
        hint: "redirect a file: '< FILE'")
    }
    let bytes: [UInt8]
    switch source {
    case .bytes(let all): bytes = all
    case .descriptor(let descriptor): bytes = try Self.read(descriptor, stoppingAfter: limit)
    }
    guard bytes.count <= limit else {
      throw CommandFailure(
        .badData, "standard input: exceeds the limit of \(limit) bytes",
        code: "tooLarge")
    }
    return bytes
  }

  /// Reads to the end or until more than `limit` bytes were read.
  private static func read(
    _ descriptor: Int32, stoppingAfter limit: Int
  ) throws(CommandFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while bytes.count <= limit {
      let count = PhotoEditPlatform.read(descriptor, &chunk, chunk.count)
      if count == 0 { break }
      if count > 0 {
        bytes += chunk[..<count]
      } else if errno == EAGAIN {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = PhotoEditPlatform.poll(&poll, 1, -1)
      } else if errno != EINTR {
        let reason = String(cString: strerror(errno))
        throw CommandFailure(.inputOutput, "standard input: cannot read: \(reason)")
      }
    }
    return bytes
  }
}

/// The lines of standard input, read one at a time as they arrive.
package struct LineReader: ~Copyable {
  /// One line of the input.
  package enum Line: Sendable, Hashable {
    /// The bytes of the line, without the line feed.
    case bytes([UInt8])
    /// A line that was skipped because it is longer than the limit.
    case tooLong
  }

  private let descriptor: Int32?
  private let output: OutputStream
  private let limit: Int
  private let cancellation: Cancellation
  /// The ends of a pipe to which a cancellation writes.
  private let wake: (read: Int32, write: Int32)
  private var buffer: [UInt8]
  private var start = 0
  private var isAtEnd: Bool
  private var isSkipping = false

  /// Reads the input of a command that ends when its output is closed or it is canceled.
  ///
  /// - Parameter limit: The maximum number of bytes of a line.
  package init(_ environment: CommandEnvironment, limit: Int) {
    (descriptor, buffer) = environment.input.descriptorOrBytes
    output = environment.output
    cancellation = environment.cancellation
    self.limit = limit
    isAtEnd = descriptor == nil
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) == 0 { for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) } }
    wake = (ends[0], ends[1])
  }

  deinit {
    if wake.read >= 0 { close(wake.read) }
    if wake.write >= 0 { close(wake.write) }
  }

  /// Returns the next line; nil at the end of the input, after a cancellation, or if the reader of
  /// the output has closed it.
  package mutating func next() throws(CommandFailure) -> Line? {
    while true {
      if let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        if take(isSkipping || end - start > limit) { return .tooLong }
        return .bytes(Array(buffer[start..<end]))
      }
      if isAtEnd {
        guard start < buffer.count || isSkipping else { return nil }
        defer { start = buffer.count }
        if take(isSkipping || buffer.count - start > limit) { return .tooLong }
        return .bytes(Array(buffer[start...]))
      }
      buffer.removeSubrange(..<start)
      start = 0
      if buffer.count > limit {
        isSkipping = true
        buffer = []
      }
      guard try fill() else { return nil }
    }
  }

  /// Returns the bytes that follow the last line; fewer if the input ends before.
  ///
  /// - Parameter isKept: Whether they are returned; otherwise they are only skipped.
  package mutating func bytes(_ count: Int, isKept: Bool) throws(CommandFailure) -> [UInt8] {
    var found: [UInt8] = []
    var rest = count
    while true {
      let next = buffer[start...].prefix(rest)
      if isKept { found += next }
      start = next.endIndex
      rest -= next.count
      guard rest > 0, !isAtEnd else { return found }
      buffer.removeAll(keepingCapacity: true)
      start = 0
      guard try fill() else { return found }
    }
  }

  /// Ends the skipping of a long line; returns its argument.
  private mutating func take(_ isLong: Bool) -> Bool {
    isSkipping = false
    return isLong
  }

  /// Waits for input and reads some of it; returns false if there is no reason to continue.
  private mutating func fill() throws(CommandFailure) -> Bool {
    guard let descriptor else { return false }
    let writeEnd = wake.write
    let isReady = cancellation.withHandler {
      var byte: UInt8 = 0
      _ = write(writeEnd, &byte, 1)
    } _: { [output, wake, cancellation] in
      while !cancellation.isCancelled, output.failure == nil {
        var polled = [
          pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
          pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0),
          output.watched,
        ]
        guard poll(&polled, 3, -1) > 0 else { continue }
        output.checkReader()
        if polled[0].revents != 0 { return output.failure == nil && !cancellation.isCancelled }
      }
      return false
    }
    guard isReady else { return false }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(descriptor, &chunk, chunk.count)
    if count > 0 {
      buffer += chunk[..<count]
    } else if count == 0 {
      isAtEnd = true
    } else if errno != EINTR && errno != EAGAIN {
      let reason = String(cString: strerror(errno))
      throw CommandFailure(.inputOutput, "standard input: cannot read: \(reason)")
    }
    return true
  }
}
