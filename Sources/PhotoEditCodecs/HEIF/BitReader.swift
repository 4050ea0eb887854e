// SPDX-License-Identifier: Apache-2.0

/// Reads numbers of any number of bits from the header of a coded picture.
///
/// Behind the end everything is zero and `isExhausted` is set, so that callers check once.
struct BitReader {
  private let bytes: [UInt8]
  private var position = 0
  /// Whether more was read than is there, or a number was too long.
  private(set) var isExhausted = false

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A number of 0 to 32 bits, most significant first.
  mutating func bits(_ count: Int) -> Int {
    var value = 0
    for _ in 0..<count {
      value <<= 1
      guard position < 8 * bytes.count else {
        isExhausted = true
        continue
      }
      value |= Int(bytes[position / 8] >> UInt8(7 - position % 8) & 1)
      position += 1
    }
    return value
  }

  mutating func flag() -> Bool { bits(1) == 1 }

  mutating func skip(_ count: Int) {
    guard count <= 8 * bytes.count - position else {
      isExhausted = true
      position = 8 * bytes.count
      return
    }
    position += count
  }

  /// An Exp-Golomb number, `ue(v)` of HEVC, which is `uvlc()` of AV1 too; below 2³².
  mutating func exponential() -> Int {
    var zeros = 0
    while !isExhausted, !flag() { zeros += 1 }
    guard zeros <= 31, !isExhausted else {
      isExhausted = true
      return 0
    }
    return (1 << zeros) - 1 + bits(zeros)
  }
}
