// SPDX-License-Identifier: Apache-2.0

/// Small WebP files of any size in pixels.
package enum LosslessWebP {
  /// A lossless image of a single color: five codes of one symbol each.
  package static func flat(width: Int, height: Int) -> [UInt8] {
    var bits: [Int] = []
    func put(_ value: Int, _ count: Int) { bits += (0..<count).map { value >> $0 & 1 } }
    put(width - 1, 14)
    put(height - 1, 14)
    put(1, 1)
    put(0, 6)
    for symbol in [100, 50, 20, 255, 0] {
      for bit in [1, 0, 1] { put(bit, 1) }
      put(symbol, 8)
    }
    bits += [Int](repeating: 0, count: (8 - bits.count % 8) % 8)
    var data: [UInt8] = [0x2F]
    for start in stride(from: 0, to: bits.count, by: 8) {
      data.append(UInt8((0..<8).reduce(0) { $0 | bits[start + $1] << $1 }))
    }
    let padding: [UInt8] = data.count % 2 == 0 ? [] : [0]
    func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 255) } }
    let chunk = Array("VP8L".utf8) + little(data.count) + data + padding
    return Array("RIFF".utf8) + little(chunk.count + 4) + Array("WEBP".utf8) + chunk
  }
}
