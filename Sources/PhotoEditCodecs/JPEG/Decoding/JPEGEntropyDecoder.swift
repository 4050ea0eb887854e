// SPDX-License-Identifier: Apache-2.0
import CPhotoEditJPEG
import PhotoEditPixels
import PhotoEditPlatform
package import PhotoEditStorage

/// The first stage of split decoding: reads quantized coefficients from a file, one MCU row at a
/// time.
///
/// Entropy decoding is two thirds of the work and must proceed from top to bottom; the second stage
/// is `JPEGPixelReconstructor` or `JPEGPlaneReconstructor`, which may run on another thread at the
/// same time. Files with several scans are read at once. Calls `jpeg_consume_input` or
/// `jpeg_read_coefficients`.
package final class JPEGEntropyDecoder {
  /// The layout of the rows.
  package let layout: JPEGCoefficientLayout
  /// Slices that several threads may read in any order, if restart markers allow it.
  package let intervals: JPEGRestartIntervals?
  private let decoder: JPEGDecoder
  private var next = 0

  /// Indicates whether one call must read all rows.
  package var isReadAtOnce: Bool { !frame.usesSplitDecoding }
  /// Upper bound of the memory used by this stage, in bytes.
  package var workingBytes: Int { decoder.workingBytes }
  /// The properties of the image, as stored in the file.
  package var header: ImageHeader { decoder.header }
  /// Components, tables and coding process.
  package var frame: JPEGFrame { decoder.frame }

  /// Opens an image.
  ///
  /// - Parameter rowsPerInterval: Returns the desired number of MCU rows per group of restart
  ///   intervals; nil to read the image as a whole.
  package init(
    _ bytes: FileBytes, options: DecoderOptions,
    rowsPerInterval: ((JPEGCoefficientLayout) -> Int)? = nil
  ) throws(CodecError) {
    decoder = try JPEGDecoder(bytes, options: options)
    layout = try decoder.startStream(PE_JPEG_COEFFICIENTS)
    intervals = rowsPerInterval.flatMap { [decoder, layout] in
      JPEGRestartIntervals(decoder, layout: layout, rowsPerInterval: $0(layout))
    }
  }

  /// Notices so far; complete once the last row is read.
  package var notices: [DecoderWarning] { decoder.notices }

  /// Reads rows, which must follow those already read.
  ///
  /// - Parameters:
  ///   - base: Address of the first row; rows are `layout.bytesPerRow` bytes apart.
  package func readRows(_ rows: Range<Int>, into base: UnsafeMutableRawPointer) throws(CodecError) {
    precondition(rows.lowerBound == next && rows.upperBound <= layout.mcuRows, "rows out of order")
    if isReadAtOnce {
      precondition(rows.count == layout.mcuRows, "all rows are read at once")
      memset(base, 0, rows.count * layout.bytesPerRow)
    }
    let memory = rows.map { base + ($0 - rows.lowerBound) * layout.bytesPerRow }
    try decoder.withRows(memory, first: rows.lowerBound) { pe_jpeg_read_mcu_rows($0) }
    next = rows.upperBound
  }

  /// Returns the position of a component in an MCU row: offset of the first byte, blocks per block
  /// row.
  func plane(_ index: Int) -> (offset: Int, blocksAcross: Int) {
    (
      pe_jpeg_plane_offset(decoder.handle.pointer, Int32(index)),
      Int(pe_jpeg_plane_blocks_across(decoder.handle.pointer, Int32(index)))
    )
  }

  /// Returns the quantization tables of the components, known once their first row is read.
  func tables() throws(CodecError) -> [QuantizationTable] {
    var tables: [QuantizationTable] = []
    for (index, table) in frame.tables.enumerated() {
      var values = table.values
      // Only a file with several scans may define tables later, and only then are they still
      // available.
      if isReadAtOnce && pe_jpeg_copy_table(decoder.handle.pointer, Int32(index), &values) == 0 {
        throw .damaged(
          message: "a color component is missing", recoveredRows: 0, rows: frame.size.height)
      }
      // libjpeg would silently substitute another value.
      guard values.allSatisfy({ $0 > 0 && $0 <= Int16.max }) else {
        throw .unsupported("a JPEG with an invalid quantization table element")
      }
      tables.append(QuantizationTable(values))
    }
    return tables
  }
}
