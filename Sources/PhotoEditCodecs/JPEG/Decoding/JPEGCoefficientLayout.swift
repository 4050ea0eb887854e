// SPDX-License-Identifier: Apache-2.0
import CPhotoEditJPEG
import PhotoEditPixels

/// The layout of a JPEG's MCU rows in memory.
package struct JPEGCoefficientLayout: Hashable, Sendable {
  /// Number of MCU rows in the image.
  package let mcuRows: Int
  /// Pixel rows per MCU row, at the decoder's scale.
  package let mcuHeight: Int
  /// Bytes per MCU row: the blocks of one component after those of another.
  package let bytesPerRow: Int

  /// Returns the MCU rows needed to reconstruct rows of pixels.
  ///
  /// Smooth upsampling of chroma uses the first row of the MCUs below.
  package func rows(forPixelRows rows: Range<Int>) -> Range<Int> {
    let end = (rows.upperBound + mcuHeight - 1) / mcuHeight + 1
    return rows.lowerBound / mcuHeight..<min(mcuRows, end)
  }
}

extension JPEGDecoder {
  func startStream(_ delivery: pe_jpeg_delivery) throws(CodecError) -> JPEGCoefficientLayout {
    precondition(
      delivery == PE_JPEG_COEFFICIENTS || frame.usesSplitDecoding,
      "only single-scan images are read in halves")
    try checkBytes()
    var stream = pe_jpeg_stream()
    try handle.check(
      pe_jpeg_start_stream(handle.pointer, delivery, &stream), rows: header.size.height)
    return JPEGCoefficientLayout(
      mcuRows: Int(stream.mcu_rows), mcuHeight: Int(stream.mcu_height),
      bytesPerRow: stream.bytes_per_mcu_row)
  }

  /// Makes MCU rows available to one call.
  func withRows(
    _ rows: [UnsafeMutableRawPointer], first: Int, _ call: (OpaquePointer) -> pe_jpeg_code
  ) throws(CodecError) {
    var memory = rows.map { Optional($0.assumingMemoryBound(to: UInt8.self)) }
    let code = memory.withUnsafeMutableBufferPointer { pointers in
      pe_jpeg_set_rows(
        handle.pointer, pointers.baseAddress, Int32(first), Int32(pointers.count))
      defer { pe_jpeg_set_rows(handle.pointer, nil, 0, 0) }
      return call(handle.pointer)
    }
    try handle.check(code, rows: header.size.height)
  }
}
