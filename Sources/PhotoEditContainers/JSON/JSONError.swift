// SPDX-License-Identifier: Apache-2.0

/// A position in a JSON text, for display: both numbers start at 1.
package struct JSONPosition: Hashable, Sendable, CustomStringConvertible {
  /// The line; lines end at a line feed.
  package let line: Int
  /// The column, counted in Unicode scalars.
  package let column: Int

  /// The position in the form "line 3, column 14".
  package var description: String { "line \(line), column \(column)" }
}

/// A violation of the JSON rules or limits, and its position.
package enum JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Nothing but white space.
  case empty
  /// More bytes than the limit.
  case tooLarge(bytes: Int, maximum: Int)
  /// UTF-16 or UTF-32, recognized by its byte order mark or its zero bytes.
  case wrongEncoding(name: String)
  /// A UTF-8 byte order mark.
  case byteOrderMark
  /// Bytes inside a string that are not UTF-8.
  case invalidUTF8(at: JSONPosition)
  /// Arrays and objects nested deeper than the limit.
  case tooDeep(maximum: Int, at: JSONPosition)
  /// A string or name longer than the limit.
  case stringTooLong(maximumBytes: Int, at: JSONPosition)
  /// An array with more elements than the limit.
  case tooManyElements(maximum: Int, at: JSONPosition)
  /// An object with more members than the limit.
  case tooManyMembers(maximum: Int, at: JSONPosition)
  /// A name that occurs twice in one object.
  case duplicateName(String, at: JSONPosition)
  /// A comma before a closing bracket or brace.
  case trailingComma(at: JSONPosition)
  /// A number such as `007`.
  case leadingZero(at: JSONPosition)
  /// `NaN`, `Infinity` and similar literals.
  case notFinite(literal: String, at: JSONPosition)
  /// A number whose magnitude a 64-bit float cannot represent.
  case outOfRange(literal: String, at: JSONPosition)
  /// An integer over 2^53 that the canonical form would change.
  case imprecise(literal: String, at: JSONPosition)
  /// An escape for half of a surrogate pair.
  case loneSurrogate(UInt16, at: JSONPosition)
  /// A control character that is not escaped.
  case controlCharacter(UInt8, at: JSONPosition)
  /// A token that the grammar does not allow at this position.
  case unexpected(found: String, expected: String, at: JSONPosition)
  /// The text ends before it is complete.
  case truncated(expected: String, at: JSONPosition)
  /// Something after the complete value.
  case trailingData(found: String, at: JSONPosition)

  /// One sentence that begins with the position, if there is one.
  package var description: String {
    switch self {
    case .empty: "JSON text is empty; expected a value"
    case .tooLarge(let bytes, let maximum):
      "JSON text has \(bytes) bytes (maximum: \(maximum))"
    case .wrongEncoding(let name): "JSON text is \(name); save it as UTF-8"
    case .byteOrderMark: "JSON text starts with a byte order mark; save it without one"
    case .invalidUTF8(let position): "\(position): invalid UTF-8"
    case .tooDeep(let maximum, let position):
      "\(position): arrays and objects are nested too deeply (maximum: \(maximum) levels)"
    case .stringTooLong(let maximum, let position):
      "\(position): string is too long (maximum: \(maximum) bytes)"
    case .tooManyElements(let maximum, let position):
      "\(position): array has too many elements (maximum: \(maximum))"
    case .tooManyMembers(let maximum, let position):
      "\(position): object has too many members (maximum: \(maximum))"
    case .duplicateName(let name, let position):
      "\(position): duplicate name \(quoted(name)) in an object; remove one of them"
    case .trailingComma(let position):
      "\(position): trailing comma before the closing bracket; remove it"
    case .leadingZero(let position): "\(position): leading zeros are not allowed"
    case .notFinite(let literal, let position):
      "\(position): \(quoted(literal)) is not a JSON number; only finite numbers are allowed"
    case .outOfRange(let literal, let position):
      "\(position): number \(quoted(literal)) is out of the range of a 64-bit float"
        + " (5e-324 to 1.7976931348623157e+308)"
    case .imprecise(let literal, let position):
      "\(position): a 64-bit float cannot represent \(quoted(literal)) exactly;"
        + " write it as a string or stay within ±9007199254740992"
    case .loneSurrogate(let unit, let position):
      "\(position): \\u\(String(unit, radix: 16)) is an unpaired surrogate"
    case .controlCharacter(let byte, let position):
      "\(position): control character U+\(hexadecimal(UInt32(byte))) must be escaped"
    case .unexpected(let found, let expected, let position):
      "\(position): found \(found), expected \(expected)"
    case .truncated(let expected, let position):
      "\(position): unexpected end of JSON text, expected \(expected)"
    case .trailingData(let found, let position):
      "\(position): found \(found) after the value; only one value is allowed"
    }
  }
}

/// The limits for a JSON text that is read or written; each bound is inclusive.
package struct JSONLimits: Hashable, Sendable {
  /// UTF-8 bytes of the entire text.
  package let maximumBytes: Int
  /// Nesting depth of arrays and objects; a single number has depth 0.
  package let maximumDepth: Int
  /// UTF-8 bytes of one string or name after its escapes are decoded.
  package let maximumStringBytes: Int
  /// Elements of one array.
  package let maximumArrayCount: Int
  /// Members of one object.
  package let maximumObjectCount: Int

  /// The upper bound for `maximumDepth`, because reading and writing recurse once per level.
  package static let deepest = 256

  /// Creates limits; the defaults are those of a filter graph.
  ///
  /// - Parameter maximumDepth: Values above ``deepest`` mean ``deepest``.
  package init(
    maximumBytes: Int = 2 << 20,
    maximumDepth: Int = 32,
    maximumStringBytes: Int = 64 << 10,
    maximumArrayCount: Int = 100_000,
    maximumObjectCount: Int = 10_000
  ) {
    self.maximumBytes = maximumBytes
    self.maximumDepth = min(maximumDepth, Self.deepest)
    (self.maximumStringBytes, self.maximumArrayCount) = (maximumStringBytes, maximumArrayCount)
    self.maximumObjectCount = maximumObjectCount
  }
}
