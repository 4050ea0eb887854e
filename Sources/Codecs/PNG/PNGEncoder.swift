// SPDX-License-Identifier: Apache-2.0
import CPNG
import Glibc
package import Pixels

/// Writes a picture as PNG: gray or RGB, with or without alpha, 8 or 16 bits.
///
/// Calls `png_write_row` with the library's default filters and compression.
package struct PNGEncoder {
  /// Encodes a whole picture.
  package static func encode(_ image: SampleImage) throws(CodecError) -> [UInt8] {
    guard (1...0x7FFF_FFFF).contains(image.size.width),
      (1...0x7FFF_FFFF).contains(image.size.height)
    else {
      throw .encoding("a PNG has at least one pixel, not \(image.size)")
    }
    var picture = pe_png_picture()
    picture.width = UInt32(image.size.width)
    picture.height = UInt32(image.size.height)
    picture.channels = Int32(image.layout.channels.count)
    picture.bytes_per_sample = Int32(image.layout.bytesPerSample)
    var message = [CChar](repeating: 0, count: Int(PE_PNG_MESSAGE_CAPACITY))
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    let code = image.bytes.withUnsafeBufferPointer { rows in
      pe_png_encode(
        &picture, rows.baseAddress, image.layout.bytesPerRow(width: image.size.width), &bytes,
        &count, &message)
    }
    defer { free(bytes) }
    switch code {
    case .PE_PNG_OK: return [UInt8](UnsafeBufferPointer(start: bytes, count: count))
    case .PE_PNG_OUT_OF_MEMORY: throw .outOfMemory
    default:
      let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw .encoding(String(decoding: text, as: UTF8.self))
    }
  }
}
