// SPDX-License-Identifier: Apache-2.0

/// The lines of a file with their positions; only part of the file is in memory.
struct FileLines: ~Copyable {
  struct Line {
    /// The bytes without the line feed.
    let bytes: [UInt8]
    /// The offset of the first byte.
    let offset: Int
    /// The number of the line, from 1.
    let number: Int
    /// Indicates whether the file ends without the line feed of this line.
    let isUnterminated: Bool
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

  init(_ path: String) throws(CommandFailure) {
    try self.init(try mapFileErrors(OpenFile(reading: path)))
  }

  init(_ opened: consuming OpenFile) throws(CommandFailure) {
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
          bytes: Array(buffer[range]), offset: offset + range.lowerBound, number: number,
          isUnterminated: end == nil)
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

  /// Returns the failure of a line that does not have the expected form.
  static func badLine(_ reason: String) -> CommandFailure {
    CommandFailure(.badData, reason, code: "badLine")
  }
}

/// The fields of a JSON object on one line, each of which is taken once.
struct LineFields {
  /// The maximum number of bytes of a line.
  static let maximumBytes = 64 << 10

  /// The object as it was read.
  let all: [String: JSONValue]
  private var rest: [String: JSONValue]

  init(_ bytes: [UInt8]) throws(CommandFailure) {
    let value = try translating(
      { CommandFailure.badLine("\($0 as JSONError)") }, JSONValue(parsing: bytes))
    guard let fields = value.objectValue else {
      throw .badLine("found \(value.kind), expected an object")
    }
    (all, rest) = (fields, fields)
  }

  /// Takes a text; nil if there is no such field.
  mutating func text(_ name: String) throws(CommandFailure) -> String? {
    guard let value = rest.removeValue(forKey: name) else { return nil }
    guard let text = value.stringValue, !text.isEmpty, !text.utf8.contains(0) else {
      throw .badLine("\(name): expected a nonempty string")
    }
    return text
  }

  /// Takes a value of any kind; nil if there is no such field.
  mutating func optional(_ name: String) -> JSONValue? { rest.removeValue(forKey: name) }

  /// Takes a value of any kind that must be present; a text must not be empty.
  mutating func value(_ name: String) throws(CommandFailure) -> JSONValue {
    if rest[name]?.stringValue != nil { return .string(try required(name)) }
    guard let value = optional(name) else { throw .badLine("\(name) is missing") }
    return value
  }

  /// Takes a text that must be present.
  mutating func required(_ name: String) throws(CommandFailure) -> String {
    guard let text = try text(name) else { throw .badLine("\(name) is missing") }
    return text
  }

  /// Takes a SHA-256 digest; nil if there is no such field.
  mutating func digest(_ name: String) throws(CommandFailure) -> SHA256Digest? {
    guard let text = try text(name) else { return nil }
    guard let digest = SHA256Digest(text), digest.hex == text else {
      throw .badLine("\(name): expected 64 lowercase hexadecimal digits")
    }
    return digest
  }

  /// Takes a whole number from 0; nil if there is no such field.
  mutating func count(_ name: String) throws(CommandFailure) -> Int? {
    guard let value = rest.removeValue(forKey: name) else { return nil }
    guard let count = value.integerValue, count >= 0 else {
      throw .badLine("\(name): expected a whole number, 0 or more")
    }
    return count
  }

  /// Refuses fields that were not taken, except for those whose names begin with "x-".
  func finish() throws(CommandFailure) {
    if let name = rest.keys.filter({ !$0.hasPrefix("x-") }).min() {
      throw .badLine("unknown field '\(name)'; names of additional fields begin with 'x-'")
    }
  }
}
