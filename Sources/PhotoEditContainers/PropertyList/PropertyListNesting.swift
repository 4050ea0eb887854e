// SPDX-License-Identifier: Apache-2.0

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
      var scanner = Scanner(buffer)
      _ = scanner.skip("\u{FEFF}")
      while scanner.skip(" ") || scanner.skip("\t") || scanner.skip("\r") || scanner.skip("\n") {}
      return scanner.isAtTag && !buffer.contains(0) && scanner.isShallow(limit)
    }
  }

  /// Examines the tags of an XML text; every access is bounds-checked.
  private struct Scanner {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

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
