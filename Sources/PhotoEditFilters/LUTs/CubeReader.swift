// SPDX-License-Identifier: Apache-2.0

/// Reads a `.cube` file line by line: keywords first, then one row of three numbers per entry.
struct CubeReader {
  /// The maximum number of bytes of a line; the specification allows 250.
  static let longestLine = 4096

  private var lines: TextLines
  private var header = CubeHeader()

  init(_ bytes: [UInt8]) { lines = TextLines(bytes) }

  mutating func read() throws(LUTFileError) -> CubeFile {
    guard !lines.isEmpty else { throw .empty }
    if lines.isUTF16 {
      throw .line(1, found: "text in UTF-16", allowed: "UTF-8 or ASCII")
    }
    var first: ArraySlice<UInt8>?
    while first == nil, let line = try next() {
      if Self.startsWithNumber(line) {
        first = line
      } else {
        try header.read(line, number: lines.number)
      }
    }
    guard let first else { throw try header.missingTable(line: lines.number) }
    let plan = try header.plan(line: lines.number)
    // A row has at least five bytes and a line ending, so a table that cannot be complete is
    // reported before memory for it is allocated.
    let maximumRows = (lines.remaining + first.count + 1) / 6 + 1
    guard plan.rows <= maximumRows else {
      var rows = 1
      while try next() != nil { rows += 1 }
      throw .incomplete(line: lines.number, rows: rows, needed: plan.rows)
    }
    var rows: [SIMD4<Float>] = []
    rows.reserveCapacity(plan.rows)
    rows.append(try row(first))
    while rows.count < plan.rows {
      guard let line = try next() else {
        throw .incomplete(line: lines.number, rows: rows.count, needed: plan.rows)
      }
      rows.append(try row(line))
    }
    if let line = try next() {
      throw .line(
        lines.number, found: LUTFileError.excerpt(line),
        allowed: "nothing after the \(plan.rows) rows of the table")
    }
    return try plan.file(of: rows, title: header.title)
  }

  /// Returns the next line with content, without surrounding spaces and without its comment.
  private mutating func next() throws(LUTFileError) -> ArraySlice<UInt8>? {
    while let line = lines.next() {
      guard line.count <= Self.longestLine else {
        throw .line(
          lines.number, found: "\(line.count) bytes",
          allowed: "at most \(Self.longestLine) bytes per line")
      }
      let mark = line.firstIndex(of: UInt8(ascii: "#"))
      let text = mark == nil || CubeHeader.isTitle(line) ? line : line[..<(mark ?? line.endIndex)]
      let trimmed = text.trimmed
      if !trimmed.isEmpty { return trimmed }
    }
    return nil
  }

  private static func startsWithNumber(_ line: ArraySlice<UInt8>) -> Bool {
    guard let first = line.first else { return false }
    return "+-.0123456789".utf8.contains(first)
  }

  private func row(_ line: ArraySlice<UInt8>) throws(LUTFileError) -> SIMD4<Float> {
    var color = SIMD4<Float>()
    var count = 0
    var start = line.startIndex
    var isValid = true
    for index in line.startIndex...line.endIndex {
      guard index == line.endIndex || line[index] == 0x20 || line[index] == 0x09 else { continue }
      if index > start {
        guard count < 3, let number = DecimalFloat.value(line[start..<index]) else {
          isValid = false
          break
        }
        color[count] = number
        count += 1
      }
      start = index + 1
    }
    guard isValid, count == 3 else {
      throw .line(
        lines.number, found: LUTFileError.excerpt(line),
        allowed: "three numbers, such as 0.25 0.5 1.0")
    }
    return color
  }
}

/// The lines of a text with any line endings, numbered from 1.
struct TextLines {
  private let bytes: [UInt8]
  private var position = 0
  /// The number of the line returned last.
  private(set) var number = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  var isEmpty: Bool { position == bytes.count }
  var isUTF16: Bool { bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) }
  var remaining: Int { bytes.count - position }

  mutating func next() -> ArraySlice<UInt8>? {
    guard position < bytes.count else { return nil }
    let start = position
    while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
    let line = bytes[start..<position]
    if position < bytes.count {
      let isCRLF =
        bytes[position] == 0x0D && position + 1 < bytes.count && bytes[position + 1] == 0x0A
      position += isCRLF ? 2 : 1
    }
    number += 1
    return line
  }
}

extension ArraySlice<UInt8> {
  /// The slice without spaces and tabs at either end.
  var trimmed: ArraySlice<UInt8> {
    var (start, end) = (startIndex, endIndex)
    while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
    while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
    return self[start..<end]
  }
}

/// Parses decimal numbers as the nearest 32-bit float, independent of the locale and of the number
/// of digits.
enum DecimalFloat {
  /// Powers of ten that a double represents exactly.
  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Reads `[+-]digits[.digits][e[+-]digits]`; nil for anything else, and for numbers that are too
  /// large.
  static func value(_ text: ArraySlice<UInt8>) -> Float? {
    // Slices incur reference counting at every step, and a cube has a million numbers.
    text.withUnsafeBufferPointer { value($0) }
  }

  private static func value(_ text: UnsafeBufferPointer<UInt8>) -> Float? {
    var index = 0
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative || text.first == UInt8(ascii: "+") { index = 1 }
    var digits: UInt64 = 0
    var (count, exponent, isLong) = (0, 0, false)
    var isFraction = false
    while index < text.count {
      let byte = text[index]
      if let digit = digit(byte) {
        count += 1
        if isFraction { exponent -= 1 }
        if digits < 1 << 53 / 16 { digits = digits * 10 + digit } else { isLong = true }
      } else if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else {
        break
      }
      index += 1
    }
    guard count > 0 else { return nil }
    if index < text.count {
      guard text[index] | 0x20 == UInt8(ascii: "e"),
        let power = wholeNumber(text[(index + 1)...])
      else { return nil }
      exponent += power
    }
    // One rounding to double and one to float: together they give the nearest float unless the
    // double is exactly halfway between two floats.
    if !isLong, powers.indices.contains(abs(exponent)) {
      let double =
        exponent < 0 ? Double(digits) / powers[-exponent] : Double(digits) * powers[exponent]
      if double.bitPattern & 0x1FFF_FFFF != 0x1000_0000 {
        return isNegative ? -Float(double) : Float(double)
      }
    }
    guard let value = Float(String(decoding: text, as: UTF8.self)), value.isFinite else {
      return nil
    }
    return value
  }

  private static func digit(_ byte: UInt8) -> UInt64? {
    let digit = byte &- UInt8(ascii: "0")
    return digit < 10 ? UInt64(digit) : nil
  }

  /// Reads an exponent; one that is out of range stays out of range.
  private static func wholeNumber(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    var text = text
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative || text.first == UInt8(ascii: "+") { text.removeFirst() }
    guard !text.isEmpty else { return nil }
    var number = 0
    for byte in text {
      guard let digit = digit(byte) else { return nil }
      number = min(number * 10 + Int(digit), 1_000_000)
    }
    return isNegative ? -number : number
  }
}
