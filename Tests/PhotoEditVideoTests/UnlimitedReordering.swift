// SPDX-License-Identifier: Apache-2.0
import Testing

/// Removes reordering information from H.264 in MP4.
///
/// Source: ITU-T H.264, 7.3.2.1.1 (sequence parameter set) and 7.3.3 (slice header).
struct UnlimitedReordering {
  private var frameBits = 0
  private var orderBits = 0

  /// Removes the number of reordered frames, and counts the frame order by 1 instead of 2.
  ///
  /// The movie has one track, its header after its samples, and fields of its own in no frame.
  mutating func apply(to movie: [UInt8]) throws -> [UInt8] {
    var bytes = movie
    let setup = try #require(position(of: "avcC", in: bytes))
    let size = Int(bytes[setup + 10]) << 8 | Int(bytes[setup + 11])
    let parameters = (setup + 12)..<(setup + 12 + size)
    let shorter = withoutUsability(Array(bytes[parameters]))
    let change = shorter.count - size
    bytes.replaceSubrange((setup + 10)..<parameters.upperBound, with: u16(shorter.count) + shorter)
    var start = 0
    for name in ["moov", "trak", "mdia", "minf", "stbl", "stsd", "avc1", "avcC"] {
      // Each is inside the preceding one; brands have such names too.
      start = try #require(position(of: name, in: bytes, from: start)) - 4
      let old = bytes[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
      bytes.replaceSubrange(
        start..<(start + 4), with: u16((old + change) >> 16) + u16((old + change) & 0xffff))
    }
    let media = try #require(position(of: "mdat", in: bytes))
    let end = media - 4 + bytes[(media - 4)..<media].reduce(0) { $0 << 8 | Int($1) }
    try #require(end < (try #require(position(of: "moov", in: bytes))))
    halveOrder(in: &bytes, media + 4..<end)
    return bytes
  }

  private mutating func withoutUsability(_ parameters: [UInt8]) -> [UInt8] {
    var bits = Bits(unescaped(parameters))
    bits.skip(32)
    bits.skipNumber()
    frameBits = bits.number() + 4
    _ = bits.number()
    orderBits = bits.number() + 4
    bits.skipNumber()
    bits.skip(1)
    bits.skipNumber()
    bits.skipNumber()
    bits.skip(2)
    if bits.take(1) == 1 { for _ in 0..<4 { bits.skipNumber() } }
    // No usability information, and the bit that terminates it.
    return bits.bytes(upTo: bits.position) { $0 + [false, true] }
  }

  private func halveOrder(in bytes: inout [UInt8], _ media: Range<Int>) {
    var position = media.lowerBound
    while position + 4 < media.upperBound {
      let size = bytes[position..<(position + 4)].reduce(0) { $0 << 8 | Int($1) }
      let kind = bytes[position + 4] & 31
      if kind == 1 || kind == 5 {
        var bits = Bits(Array(bytes[(position + 4)..<(position + 16)]))
        bits.skip(8)
        for _ in 0..<3 { bits.skipNumber() }
        bits.skip(frameBits)
        if kind == 5 { bits.skipNumber() }
        let start = bits.position
        let order = bits.take(orderBits)
        bits.set(order / 2, at: start, count: orderBits)
        bytes.replaceSubrange((position + 4)..<(position + 16), with: bits.bytes(upTo: 96) { $0 })
      }
      position += 4 + size
    }
  }

  private func unescaped(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    for byte in bytes where !(byte == 3 && output.suffix(2) == [0, 0]) { output.append(byte) }
    return output
  }

  private func position(of name: String, in bytes: [UInt8], from start: Int = 0) -> Int? {
    let pattern = Array(name.utf8)
    return ((start + 4)..<(bytes.count - 4)).first { bytes[$0..<($0 + 4)].elementsEqual(pattern) }
  }

  private func u16(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
}

/// A bit sequence, the highest bit of each byte first.
private struct Bits {
  private var bits: [Bool]
  private(set) var position = 0

  init(_ bytes: [UInt8]) {
    bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 == 1 } }
  }

  mutating func skip(_ count: Int) { position += count }

  mutating func take(_ count: Int) -> Int {
    defer { position += count }
    return bits[position..<(position + count)].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
  }

  /// An Exp-Golomb coded number.
  mutating func number() -> Int {
    let zeros = bits[position...].prefix { !$0 }.count
    position += zeros
    return take(zeros + 1) - 1
  }

  mutating func skipNumber() { _ = number() }

  mutating func set(_ value: Int, at start: Int, count: Int) {
    for bit in 0..<count { bits[start + bit] = value >> (count - 1 - bit) & 1 == 1 }
  }

  /// The first bits, changed and padded to whole bytes.
  func bytes(upTo end: Int, _ change: ([Bool]) -> [Bool]) -> [UInt8] {
    var kept = change(Array(bits[..<end]))
    while kept.count % 8 != 0 { kept.append(false) }
    return stride(from: 0, to: kept.count, by: 8).map { first in
      kept[first..<(first + 8)].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
    }
  }
}
