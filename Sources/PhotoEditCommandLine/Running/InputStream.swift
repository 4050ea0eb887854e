// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

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
