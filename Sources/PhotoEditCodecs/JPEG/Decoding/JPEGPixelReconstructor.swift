// SPDX-License-Identifier: Apache-2.0
import CPhotoEditJPEG
package import PhotoEditStorage

/// The second stage of split decoding: reconstructs pixels from the coefficients of a
/// `JPEGEntropyDecoder`.
///
/// The pixels equal those of `JPEGDecoder`. Calls `jpeg_read_scanlines` with the supplied
/// coefficients.
package final class JPEGPixelReconstructor {
  /// The layout of the MCU rows.
  package let layout: JPEGCoefficientLayout
  /// The properties of the image, as stored in the file.
  package var header: ImageHeader { decoder.header }
  private let decoder: JPEGDecoder

  /// Opens an image whose `frame.usesSplitDecoding` is true; only its header is read.
  package init(_ bytes: FileBytes, options: DecoderOptions) throws(CodecError) {
    decoder = try JPEGDecoder(bytes, options: options)
    layout = try decoder.startStream(PE_JPEG_PIXELS)
  }

  /// Reconstructs the next rows.
  ///
  /// - Parameters:
  ///   - count: Number of rows; at most the number of remaining rows.
  ///   - base: Address of the first row.
  ///   - coefficients: A pointer for each of `layout.rows(forPixelRows:)`.
  ///   - first: The index of the MCU row at the first pointer.
  package func readRows(
    _ count: Int, into base: UnsafeMutableRawPointer, bytesPerRow: Int,
    coefficients: [UnsafeMutableRawPointer], first: Int
  ) throws(CodecError) {
    let requested = decoder.checkRows(count, bytesPerRow: bytesPerRow)
    var written: Int32 = 0
    try decoder.withRows(coefficients, first: first) {
      pe_jpeg_read_rows(
        $0, base.assumingMemoryBound(to: UInt8.self), bytesPerRow, requested, &written)
    }
  }
}
