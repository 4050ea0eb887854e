// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials

/// A property list value of any type, so that unknown keys are preserved when a list is rewritten.
package enum PropertyListValue: Hashable, Sendable, Codable {
  case string(String)
  case integer(Int64)
  case real(Double)
  case bool(Bool)
  case date(Date)
  case data(Data)
  case array([PropertyListValue])
  case dictionary([String: PropertyListValue])

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // Each decode fails for values of another type, and failures are slow: frequent types come
    // first, and the order of the number types resolves the lenient cases.
    if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Data.self) {
      self = .data(value)
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .real(value)
    } else if let value = try? container.decode(Date.self) {
      self = .date(value)
    } else if let value = try? container.decode([PropertyListValue].self) {
      self = .array(value)
    } else {
      self = .dictionary(try container.decode([String: PropertyListValue].self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .string(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .real(let value): try container.encode(value)
    case .bool(let value): try container.encode(value)
    case .date(let value): try container.encode(value)
    case .data(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .dictionary(let value): try container.encode(value)
    }
  }

  /// Indicates whether XML can represent every value without change: it cannot express most control
  /// characters.
  package var isWritable: Bool {
    switch self {
    case .string(let text): Self.isWritable(text)
    case .array(let items): items.allSatisfy(\.isWritable)
    case .dictionary(let values):
      !isArchiverIdentifier && values.allSatisfy { Self.isWritable($0.key) && $0.value.isWritable }
    case .integer, .real, .bool, .date, .data: true
    }
  }

  /// Indicates whether Foundation would read the dictionary as a reference of a keyed archive.
  private var isArchiverIdentifier: Bool {
    guard case .dictionary(let values) = self else { return false }
    return values.count == 1 && values["CF$UID"] != nil
  }

  private static func isWritable(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0.value != 0xFFFE && $0.value != 0xFFFF || $0 == "\t" || $0 == "\n"
    }
  }
}

/// A property list file whose root is a dictionary.
package struct PropertyList: Hashable, Sendable {
  package var values: [String: PropertyListValue]

  /// The error for bytes that are not a property list, or one nested too deeply.
  package struct NotReadable: Error {}

  package init(_ values: [String: PropertyListValue] = [:]) { self.values = values }

  /// Reads XML or binary property lists.
  package init(bytes: [UInt8]) throws {
    if BinaryPropertyList.hasSignature(bytes) {
      guard case .dictionary(let entries) = try BinaryPropertyList.value(of: bytes) else {
        throw NotReadable()
      }
      values = entries
      return
    }
    // The decoder below terminates the process on numbers that are not valid UTF-8.
    guard PropertyListNesting.isAcceptable(bytes), String(validating: bytes, as: UTF8.self) != nil
    else { throw NotReadable() }
    values = try PropertyListDecoder().decode([String: PropertyListValue].self, from: Data(bytes))
  }

  /// Returns the XML form, with keys in alphabetical order.
  package func xml() throws -> [UInt8] {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .xml
    return Array(try encoder.encode(values))
  }

  package func string(_ key: String) -> String? {
    if case .string(let value)? = values[key] { value } else { nil }
  }

  package func integer(_ key: String) -> Int? {
    if case .integer(let value)? = values[key] { Int(exactly: value) } else { nil }
  }

  package func bool(_ key: String) -> Bool? {
    if case .bool(let value)? = values[key] { value } else { nil }
  }

  package func date(_ key: String) -> Date? {
    if case .date(let value)? = values[key] { value } else { nil }
  }

  package func data(_ key: String) -> Data? {
    if case .data(let value)? = values[key] { value } else { nil }
  }

  package func lists(_ key: String) -> [PropertyList]? {
    guard case .array(let items)? = values[key] else { return nil }
    var lists: [PropertyList] = []
    for item in items {
      guard case .dictionary(let values) = item else { return nil }
      lists.append(PropertyList(values))
    }
    return lists
  }
}

/// Checks the nesting depth of an XML property list before a recursive reader processes it.
///
/// Property list readers recurse once per level, so a small file of nothing but opening tags would
/// crash the process.
package enum PropertyListNesting {
  /// The maximum depth; adjustment data needs four levels.
  package static let limit = 64

  /// Returns whether bytes are an XML property list that is not nested too deeply.
  ///
  /// Other encodings and the old text format are rejected: no photo program writes them.
  static func isAcceptable(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var scanner = Scanner(bytes: buffer)
      _ = scanner.skip("\u{FEFF}")
      while scanner.skip(" ") || scanner.skip("\t") || scanner.skip("\r") || scanner.skip("\n") {}
      return scanner.isAtTag && !buffer.contains(0) && scanner.isShallow(limit)
    }
  }

  /// Examines the tags of an XML text; every access is bounds-checked.
  private struct Scanner {
    let bytes: UnsafeRawBufferPointer
    var position = 0

    var isAtTag: Bool { position < bytes.count && bytes[position] == UInt8(ascii: "<") }

    /// Skips a text if it comes next; returns whether it did.
    mutating func skip(_ text: StaticString) -> Bool {
      let count = text.utf8CodeUnitCount
      guard bytes.count - position >= count else { return false }
      for offset in 0..<count where bytes[position + offset] != text.utf8Start[offset] {
        return false
      }
      position += count
      return true
    }

    /// Moves to the next byte of a value, or to the end.
    mutating func find(_ byte: UInt8) {
      while position < bytes.count, bytes[position] != byte { position += 1 }
    }

    mutating func skipPast(_ end: StaticString) {
      while position < bytes.count, !skip(end) { position += 1 }
    }

    /// Returns whether containers are nested no deeper than a limit.
    mutating func isShallow(_ limit: Int) -> Bool {
      var depth = 0
      while position < bytes.count, depth <= limit {
        find(UInt8(ascii: "<"))
        if skip("<!--") {
          skipPast("-->")
        } else if skip("<![CDATA[") {
          skipPast("]]>")
        } else if skip("</array") || skip("</dict") {
          depth -= 1
        } else if skip("<array") || skip("<dict") {
          find(UInt8(ascii: ">"))
          if bytes[position - 1] != UInt8(ascii: "/") { depth += 1 }
        } else {
          position += 1
        }
      }
      return depth <= limit
    }
  }
}
