// SPDX-License-Identifier: Apache-2.0
import Pixels

/// Looks for the frame header of a JPEG without the codec, to refuse by name what it cannot read.
enum JPEGFrameScan {
  private static let kinds: [UInt8: String] = [
    0xC3: "a lossless JPEG", 0xC5: "a hierarchical JPEG", 0xC6: "a hierarchical JPEG",
    0xC7: "a lossless hierarchical JPEG", 0xCB: "a lossless arithmetic JPEG",
    0xCD: "a hierarchical arithmetic JPEG", 0xCE: "a hierarchical arithmetic JPEG",
    0xCF: "a lossless hierarchical JPEG", 0xF7: "a JPEG-LS picture",
  ]

  /// Checks kind, sample depth and size of the first frame; linear in the header's length.
  static func check(
    _ bytes: UnsafeRawBufferPointer, limits: ImageLimits
  ) throws(CodecError) {
    var position = 2
    while let marker = nextMarker(in: bytes, from: &position) {
      // Markers without a length.
      if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
      if marker == 0xD9 {
        throw .damaged(message: "no picture before the end", realRows: 0, rows: 0)
      }
      guard position + 2 <= bytes.count else { break }
      let length = Int(bytes[position]) << 8 | Int(bytes[position + 1])
      if let kind = kinds[marker] { throw .unsupported(kind) }
      if isFrame(marker) {
        guard position + 8 <= bytes.count else { break }
        let depth = Int(bytes[position + 2])
        guard depth == 8 else { throw .unsupported("a JPEG of \(depth) bits a sample") }
        let height = Int(bytes[position + 3]) << 8 | Int(bytes[position + 4])
        let width = Int(bytes[position + 5]) << 8 | Int(bytes[position + 6])
        return try limits.check(width: width, height: height)
      }
      if marker == 0xDA { break }
      position += max(length, 2)
    }
    // The codec says more about what is wrong with a file that has no frame.
  }

  private static func isFrame(_ marker: UInt8) -> Bool {
    (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
  }

  /// Skips stray bytes as the codec does; leaves the position behind the marker.
  private static func nextMarker(
    in bytes: UnsafeRawBufferPointer, from position: inout Int
  ) -> UInt8? {
    while position + 1 < bytes.count {
      if bytes[position] == 0xFF, bytes[position + 1] != 0xFF, bytes[position + 1] != 0 {
        position += 2
        return bytes[position - 1]
      }
      position += 1
    }
    return nil
  }
}
