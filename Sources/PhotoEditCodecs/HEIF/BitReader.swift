// SPDX-License-Identifier: Apache-2.0

/// A reader for numbers of any bit count in the header of a coded picture.
///
/// Reads past the end return zero and set `isExhausted`, so that callers check only once.
struct BitReader {
  private let bytes: [UInt8]
  private var position = 0
  /// Indicates whether a read went past the end, or a number was too long.
  private(set) var isExhausted = false

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a number of 0 to 32 bits, most significant first.
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

  /// Reads an Exp-Golomb number, `ue(v)` of HEVC and `uvlc()` of AV1; below 2³².
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
