// SPDX-License-Identifier: Apache-2.0

/// Writes GIF files, block by block.
struct GIFFixture {
  /// One image of an animation.
  struct Frame {
    var left = 0
    var top = 0
    var width: Int
    var height: Int
    /// Row by row from the top.
    var indices: [UInt8]
    var palette: [UInt8]?
    var isInterlaced = false
    var transparent: UInt8?
  }

  var width: Int
  var height: Int
  /// Red, green and blue of 2, 4, 8 … 256 colors; nil for none.
  var palette: [UInt8]?
  var frames: [Frame]
  /// Extensions before the first image.
  var extensions: [UInt8] = []

  func build() -> [UInt8] {
    var bytes = Array("GIF89a".utf8) + little(width, 2) + little(height, 2)
    bytes += [palette.map { 0x80 | Self.bits($0) - 1 } ?? 0, 0, 0] + (palette ?? []) + extensions
    for frame in frames {
      if let index = frame.transparent { bytes += [0x21, 0xF9, 4, 1, 0, 0, index, 0] }
      bytes += [0x2C] + little(frame.left, 2) + little(frame.top, 2)
      bytes += little(frame.width, 2) + little(frame.height, 2)
      let local = frame.palette.map { 0x80 | Self.bits($0) - 1 } ?? 0
      bytes += [local | (frame.isInterlaced ? 0x40 : 0)] + (frame.palette ?? [])
      let depth = max(2, Int(Self.bits(frame.palette ?? palette ?? [0, 0, 0, 0, 0, 0])))
      bytes += [UInt8(depth)] + Self.blocks(codes(of: frame, depth: depth))
    }
    return bytes + [0x3B]
  }

  /// An extension: a label, and data divided into sub-blocks.
  static func block(_ label: UInt8, _ data: [UInt8]) -> [UInt8] { [0x21, label] + blocks(data) }

  /// An application extension with data in sub-blocks.
  static func application(_ name: String, _ data: [UInt8]) -> [UInt8] {
    [0x21, 0xFF, 11] + Array(name.utf8) + blocks(data)
  }

  /// An XMP packet, followed by the bytes that lead readers of sub-blocks to its end.
  static func xmp(_ packet: String) -> [UInt8] {
    let trailer = [1] + (0...255).reversed().map { UInt8($0) } + [0]
    return [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + Array(packet.utf8) + trailer
  }

  private static func bits(_ palette: [UInt8]) -> UInt8 {
    UInt8((palette.count / 3).trailingZeroBitCount)
  }

  private static func blocks(_ data: [UInt8]) -> [UInt8] {
    stride(from: 0, to: data.count, by: 255).flatMap { start in
      let part = data[start..<min(start + 255, data.count)]
      return [UInt8(part.count)] + part
    } + [0]
  }

  /// Codes of one width: the table is cleared before it would need more bits.
  private func codes(of frame: Frame, depth: Int) -> [UInt8] {
    var order = Array(0..<frame.height)
    if frame.isInterlaced {
      order = [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { first, step in
        Array(stride(from: first, to: frame.height, by: step))
      }
    }
    let clear = 1 << depth
    var bits = 0
    var space = 0
    var bytes: [UInt8] = []
    func put(_ code: Int) {
      bits |= code << space
      space += depth + 1
      while space >= 8 {
        bytes.append(UInt8(bits & 255))
        bits >>= 8
        space -= 8
      }
    }
    var written = 0
    for row in order {
      for index in frame.indices[(row * frame.width)..<((row + 1) * frame.width)] {
        if written % (clear - 2) == 0 { put(clear) }
        put(Int(index))
        written += 1
      }
    }
    put(clear + 1)
    if space > 0 { bytes.append(UInt8(bits & 255)) }
    return bytes
  }
}
