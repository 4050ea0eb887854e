// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditStorage

/// The lines of a file with their positions; only part of the file is in memory.
struct FileLines: ~Copyable {
  /// A line and its position.
  struct Line {
    /// The bytes without the line feed.
    let bytes: [UInt8]
    /// The offset of the first byte.
    let offset: Int
    /// The number of the line, from 1.
    let number: Int
  }

  private let file: OpenFile
  private let version: FileVersion
  private var digest = DigestBuilder()
  private var buffer: [UInt8] = []
  private var start = 0
  /// The offset of the buffer in the file.
  private var offset = 0
  private var number = 0
  private var isAtEnd = false

  private static let chunkBytes = 1 << 20

  /// Opens a file.
  init(_ path: String) throws(CommandFailure) {
    let opened = try mapFileErrors(OpenFile(reading: path))
    _ = try mapFileErrors(opened.regularSize())
    version = try mapFileErrors(FileVersion(of: opened))
    file = opened
  }

  /// Returns the next line that is not empty; nil at the end of the file.
  ///
  /// - Throws: The failure for a line that is too long, with its number.
  mutating func next() throws(CommandFailure) -> Line? {
    while true {
      let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n"))
      if end == nil, !isAtEnd {
        guard buffer.count - start <= LineFields.maximumBytes else { throw tooLong(number + 1) }
        try fill()
        continue
      }
      guard start < buffer.count else { return nil }
      number += 1
      let range = start..<(end ?? buffer.count)
      start = min(range.upperBound + 1, buffer.count)
      guard range.count <= LineFields.maximumBytes else { throw tooLong(number) }
      if !range.isEmpty {
        return Line(
          bytes: Array(buffer[range]), offset: offset + range.lowerBound, number: number)
      }
    }
  }

  /// Returns the digest and the size of the file after its last line was read.
  ///
  /// - Throws: The failure for a file that changed in the meantime.
  consuming func finish() throws(CommandFailure) -> (digest: SHA256Digest, byteCount: Int) {
    guard try mapFileErrors(FileVersion(of: file)) == version else {
      throw CommandFailure(.busy, "\(file.path): changed while being read", hint: "try again")
    }
    return (digest.finish(), version.size)
  }

  private mutating func fill() throws(CommandFailure) {
    buffer.removeSubrange(..<start)
    offset += start
    start = 0
    let before = buffer.count
    let capacity = min(Self.chunkBytes, version.size + 1)
    var chunk = [UInt8](repeating: 0, count: capacity)
    let count = try mapFileErrors(
      chunk.withUnsafeMutableBufferPointer { buffer throws(FileError) in
        let memory = UnsafeMutableRawBufferPointer(buffer)
        let count = try file.read(into: memory)
        digest.update(UnsafeRawBufferPointer(rebasing: memory[..<count]))
        return count
      })
    buffer += chunk[..<count]
    isAtEnd = buffer.count - before < capacity
  }

  private func tooLong(_ number: Int) -> CommandFailure {
    .badLine("\(file.path):\(number): the line is longer than \(LineFields.maximumBytes) bytes")
  }
}

extension CommandFailure {
  /// The failure with the position of a line in a file.
  func at(_ path: String, _ line: Int) -> CommandFailure {
    var failure = self
    failure.message = "\(path):\(line): \(message)"
    return failure
  }
}
