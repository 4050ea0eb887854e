// SPDX-License-Identifier: Apache-2.0

/// A token of a predicate format string and its position in characters, counted from 1.
struct PredicateToken: Hashable {
  enum Kind: Hashable {
    case word(String)
    case number(String)
    case string(String)
    case symbol(String)
    /// The letters after a percent sign.
    case placeholder(String)
    case end
  }

  let kind: Kind
  let position: Int

  var shown: String {
    switch kind {
    case .word(let text), .number(let text), .symbol(let text): "\"\(text.prefix(40))\""
    case .string(let text): "string \"\(text.prefix(40))\""
    case .placeholder(let letter): "\"%\(letter)\""
    case .end: "end"
    }
  }
}

/// Splits a predicate format string into tokens.
struct PredicateScanner {
  private let bytes: [UInt8]
  private var at = 0
  /// The byte offset up to which characters have been counted, and their number.
  private var counted = (bytes: 0, characters: 0)

  init(_ text: String) { bytes = Array(text.utf8) }

  /// The symbols by their bytes, the first one in the low byte of the key.
  private static let symbols: [UInt16: String] = Dictionary(
    uniqueKeysWithValues: [
      "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "=", "<", ">", "!", "&", "(", ")", "{",
      "}", "[", "]", ",", "-",
    ].map { symbol in (symbol.utf8.reversed().reduce(0) { $0 << 8 | UInt16($1) }, symbol) })
  private static let placeholders = [
    "lld", "llu", "lli", "llx", "ld", "lu", "li", "lx", "lf", "zd", "zu", "hd", "hu", "d", "i", "u",
    "x", "f", "g", "e", "@", "K",
  ]

  /// Returns the character position of a byte, counted from 1; offsets must be ascending.
  private mutating func position(_ offset: Int) -> Int {
    if offset > counted.bytes {
      counted.characters += bytes[counted.bytes..<offset].count { $0 & 0xC0 != 0x80 }
      counted.bytes = offset
    }
    return counted.characters + 1
  }

  mutating func tokens() throws(LibraryError) -> [PredicateToken] {
    var tokens: [PredicateToken] = []
    while true {
      while at < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) { at += 1 }
      let position = position(at)
      let kind = try next()
      tokens.append(PredicateToken(kind: kind, position: position))
      if kind == .end { return tokens }
    }
  }

  private mutating func next() throws(LibraryError) -> PredicateToken.Kind {
    guard at < bytes.count else { return .end }
    let byte = bytes[at]
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return .string(try string(byte)) }
    if Self.isDigit(byte) || (byte == UInt8(ascii: ".") && digit(after: at)) { return number() }
    if Self.isLetter(byte) {
      return .word(scan { Self.isLetter($0) || Self.isDigit($0) || $0 == 46 || $0 == 64 })
    }
    if byte == UInt8(ascii: "%") {
      for letters in Self.placeholders where bytes[(at + 1)...].starts(with: letters.utf8) {
        at += 1 + letters.utf8.count
        return .placeholder(letters)
      }
    }
    let following = at + 1 < bytes.count ? UInt16(bytes[at + 1]) : 0
    if let symbol = Self.symbols[following << 8 | UInt16(byte)] ?? Self.symbols[UInt16(byte)] {
      at += symbol.utf8.count
      return .symbol(symbol)
    }
    let rest = String(decoding: bytes[at...].prefix(8), as: UTF8.self)
    throw .unexpected(
      "unexpected \"\(rest.prefix(1))\"", expected: "a key, a value or an operator",
      position: position(at))
  }

  private mutating func string(_ quote: UInt8) throws(LibraryError) -> String {
    let start = at
    var text: [UInt8] = []
    at += 1
    while at < bytes.count, bytes[at] != quote {
      if bytes[at] == UInt8(ascii: "\\") {
        at += 1
        guard at < bytes.count else { break }
      }
      text.append(bytes[at])
      at += 1
    }
    guard at < bytes.count else {
      throw .unexpected(
        "unterminated string", expected: "a closing quote", position: position(start))
    }
    at += 1
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func number() -> PredicateToken.Kind {
    let start = at
    _ = scan { Self.isDigit($0) || $0 == UInt8(ascii: ".") }
    if at < bytes.count, bytes[at] | 0x20 == UInt8(ascii: "e") {
      let sign = at + 1 < bytes.count && [43, 45].contains(bytes[at + 1]) ? 1 : 0
      if digit(after: at + sign) {
        at += 1 + sign
        _ = scan(Self.isDigit)
      }
    }
    return .number(String(decoding: bytes[start..<at], as: UTF8.self))
  }

  private func digit(after index: Int) -> Bool {
    index + 1 < bytes.count && Self.isDigit(bytes[index + 1])
  }

  private mutating func scan(_ isPart: (UInt8) -> Bool) -> String {
    let start = at
    while at < bytes.count, isPart(bytes[at]) { at += 1 }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (65...90).contains(byte) || (97...122).contains(byte) || byte == 95
  }
}
