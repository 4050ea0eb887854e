// SPDX-License-Identifier: Apache-2.0

/// Numbers at fixed offsets of a box that is kept as bytes.
extension BoxTree {
  /// Indicates whether times in this box have 64 bits.
  var isWide: Bool { bytes.first == 1 }

  /// Returns the unsigned 32-bit number at an offset from the beginning of the content.
  func u32(at offset: Int) throws(MovieError) -> UInt32 {
    guard offset >= 0, offset + 4 <= bytes.count else { throw .damaged("\(type) is truncated") }
    return bytes.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Returns the signed 32-bit number at an offset from the beginning of the content.
  func signed(at offset: Int) throws(MovieError) -> Int {
    Int(Int32(bitPattern: try u32(at: offset)))
  }

  /// Replaces 32 bits at an offset from the beginning of the content.
  mutating func set(_ value: UInt32, at offset: Int) throws(MovieError) {
    try set(value.bigEndianBytes, at: offset)
  }

  /// Replaces a signed 32-bit number.
  mutating func set(signed value: Int, at offset: Int) throws(MovieError) {
    guard let number = Int32(exactly: value) else {
      throw .tooLarge(what: "units in a field of \(type)", value: value, limit: Int(Int32.max))
    }
    try set(UInt32(bitPattern: number), at: offset)
  }

  /// Replaces a 32- or 64-bit time, depending on the box's version.
  mutating func set(time value: Int, at offset: Int) throws(MovieError) {
    if isWide { return try set(UInt64(max(value, 0)).bigEndianBytes, at: offset) }
    guard let number = UInt32(exactly: value) else {
      throw .tooLarge(what: "time units in \(type)", value: value, limit: Int(UInt32.max))
    }
    try set(number, at: offset)
  }

  /// Replaces bytes at an offset from the beginning of the content.
  mutating func set(_ new: [UInt8], at offset: Int) throws(MovieError) {
    guard offset >= 0, offset + new.count <= bytes.count else {
      throw .damaged("\(type) is truncated")
    }
    let start = bytes.startIndex + offset
    bytes.replaceSubrange(start..<(start + new.count), with: new)
  }
}

extension FixedWidthInteger {
  /// The bytes, most significant first.
  var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}

extension [UInt8] {
  mutating func append(u16 value: UInt16) { append(contentsOf: value.bigEndianBytes) }
  mutating func append(u32 value: UInt32) {
    append(UInt8(truncatingIfNeeded: value >> 24))
    append(UInt8(truncatingIfNeeded: value >> 16))
    append(UInt8(truncatingIfNeeded: value >> 8))
    append(UInt8(truncatingIfNeeded: value))
  }
  mutating func append(u64 value: UInt64) { append(contentsOf: value.bigEndianBytes) }

  /// Appends a number that must fit in 32 bits.
  mutating func append(count value: Int, of what: String) throws(MovieError) {
    guard let number = UInt32(exactly: value) else {
      throw .tooLarge(what: what, value: value, limit: Int(UInt32.max))
    }
    append(u32: number)
  }
}

/// Returns `value · numerator ÷ denominator`, rounded to the nearest integer and clamped to
/// `MovieLimits.maximumTime`.
func scaled(_ value: Int, by numerator: Int, over denominator: Int) -> Int {
  guard numerator > 0, denominator > 0 else { return 0 }
  let limit = MovieLimits.maximumTime
  let product = value.magnitude.multipliedFullWidth(by: numerator.magnitude)
  var magnitude = limit
  if product.high < denominator.magnitude {
    let (quotient, rest) = denominator.magnitude.dividingFullWidth(product)
    let isUp = rest >= denominator.magnitude - rest
    magnitude = min(Int(clamping: quotient), limit - 1) + (isUp ? 1 : 0)
  }
  return value < 0 ? -magnitude : magnitude
}
