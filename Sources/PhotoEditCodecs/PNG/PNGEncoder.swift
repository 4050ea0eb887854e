// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

/// Writes an image as PNG: gray or RGB, with or without alpha, 8 or 16 bits.
package struct PNGEncoder {
  /// Encodes an entire image.
  package static func encode(_ image: ImageBuffer) throws(CodecError) -> [UInt8] {
    let rows = try PNGRows(size: image.size, layout: image.layout)
    try rows.write(image.bytes, rows: image.size.height)
    try rows.finish()
    return rows.readBytes()
  }
}
