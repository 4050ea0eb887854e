// SPDX-License-Identifier: Apache-2.0
import CPhotoEditJPEG
package import PhotoEditStorage

/// The second half of a decoder: makes pixels of the coefficients that a reader has read.
///
/// The pixels are those that `JPEGDecoder` gives. Calls `jpeg_read_scanlines` with coefficients that
/// come from elsewhere.
package final class JPEGReconstructor {
  /// How the rows of MCUs lie.
  package let layout: JPEGCoefficientLayout
  /// Bytes that this half keeps for itself, at most.
  package var workingBytes: Int { decoder.workingBytes }
  /// What the file says of its picture.
  package var header: ImageHeader { decoder.header }
  private let decoder: JPEGDecoder

  /// Opens a picture whose `frame.isReadInHalves`; only its header is read.
  package init(_ bytes: FileBytes, options: DecoderOptions) throws(CodecError) {
    decoder = try JPEGDecoder(bytes, options: options)
    layout = try decoder.startStream(makesPixels: true)
  }

  /// Makes the next rows.
  ///
  /// - Parameters:
  ///   - count: How many; no more than are left.
  ///   - base: Where the first row goes.
  ///   - coefficients: A pointer for each of `layout.rows(forPixelRows:)`.
  ///   - first: The row of MCUs at the first pointer.
  package func readRows(
    _ count: Int, into base: UnsafeMutableRawPointer, bytesPerRow: Int,
    coefficients: [UnsafeMutableRawPointer], first: Int
  ) throws(CodecError) {
    let wanted = decoder.checkRows(count, bytesPerRow: bytesPerRow)
    var written: Int32 = 0
    try decoder.withRows(coefficients, first: first) {
      pe_jpeg_read_rows(
        $0, base.assumingMemoryBound(to: UInt8.self), bytesPerRow, wanted, &written)
    }
  }
}
