// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditStorage

/// The fields of a JSON object on one line, each of which is taken once.
struct LineFields {
  /// The maximum number of bytes of a line.
  static let maximumBytes = 64 << 10

  /// The object as it was read.
  let all: [String: JSONValue]
  private var rest: [String: JSONValue]

  /// Parses a line.
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

extension CommandFailure {
  /// Returns the failure of a line that does not have the expected form.
  static func badLine(_ reason: String) -> CommandFailure {
    CommandFailure(.badData, reason, code: "badLine")
  }
}
