// SPDX-License-Identifier: Apache-2.0
import CPhotoEditPNG
package import PhotoEditPixels
import PhotoEditPlatform

/// Writes an image as PNG: gray or RGB, with or without alpha, 8 or 16 bits.
package struct PNGEncoder {
  /// Encodes an entire image.
  ///
  /// - Parameters:
  ///   - profile: The ICC profile of the samples; nil for sRGB.
  ///   - isFast: Whether speed is more important than the size of the file.
  package static func encode(
    _ image: ImageBuffer, profile: [UInt8]? = nil, isFast: Bool = false
  ) throws(CodecError) -> [UInt8] {
    let rows = try PNGRows(
      size: image.size, layout: image.layout, profile: profile, isFast: isFast)
    try rows.write(image.bytes, rows: image.size.height)
    try rows.finish()
    return rows.readBytes()
  }
}

/// Writes a PNG row by row: gray or RGB, with or without alpha, 8 or 16 bits.
///
/// Calls `png_write_row` with the library's default filters and compression. Not thread-safe.
package final class PNGRows: @unchecked Sendable {
  // Safe: callers ensure that only one thread at a time uses it.
  private let pointer: OpaquePointer
  private let bytesPerRow: Int

  /// Starts an image of at least one pixel.
  package init(
    size: PixelSize, layout: RowLayout, profile: [UInt8]? = nil, isFast: Bool = false
  ) throws(CodecError) {
    guard (1...0x7FFF_FFFF).contains(size.width), (1...0x7FFF_FFFF).contains(size.height) else {
      throw .encoding("a PNG must have at least one pixel (found \(size))")
    }
    var image = pe_png_image()
    image.width = UInt32(size.width)
    image.height = UInt32(size.height)
    image.channels = Int32(layout.channels.count)
    image.bytes_per_sample = Int32(layout.bytesPerSample)
    image.is_fast = isFast ? 1 : 0
    guard let pointer = pe_png_writer_create() else { throw .outOfMemory }
    self.pointer = pointer
    bytesPerRow = layout.bytesPerRow(width: size.width)
    let code = (profile ?? []).withUnsafeBufferPointer { profile in
      image.profile = profile.isEmpty ? nil : profile.baseAddress
      image.profile_size = UInt32(clamping: profile.count)
      return pe_png_writer_begin(pointer, &image)
    }
    try check(code)
  }

  deinit { pe_png_writer_destroy(pointer) }

  /// Writes consecutive rows.
  package func write(_ bytes: [UInt8], rows: Int) throws(CodecError) {
    precondition(bytes.count >= rows * bytesPerRow, "the rows are longer than the bytes")
    let code = bytes.withUnsafeBufferPointer {
      pe_png_writer_rows(pointer, $0.baseAddress, UInt32(rows), bytesPerRow)
    }
    try check(code)
  }

  /// Ends the file after all rows are written.
  package func finish() throws(CodecError) { try check(pe_png_writer_end(pointer)) }

  /// Returns the bytes produced since the last call.
  package func readBytes() -> [UInt8] {
    var count = 0
    let bytes = pe_png_writer_take(pointer, &count)
    return [UInt8](UnsafeBufferPointer(start: bytes, count: count))
  }

  private func check(_ code: pe_png_code) throws(CodecError) {
    switch code {
    case .PE_PNG_OK: return
    case .PE_PNG_OUT_OF_MEMORY: throw .outOfMemory
    default: throw .encoding(String(cString: pe_png_writer_message(pointer)))
    }
  }
}
