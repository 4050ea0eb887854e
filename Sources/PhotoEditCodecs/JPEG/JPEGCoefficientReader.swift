// SPDX-License-Identifier: Apache-2.0
import CPhotoEditJPEG
import PhotoEditPixels
import PhotoEditPlatform
package import PhotoEditStorage

/// The first half of a decoder: reads quantised coefficients from a file, row of MCUs by row.
///
/// Entropy decoding is two thirds of the work and must go from the top to the bottom; the other
/// half is `JPEGReconstructor`, which may run on another thread at the same time. Files of several
/// scans are read all at once. Calls `jpeg_consume_input` or `jpeg_read_coefficients`.
package final class JPEGCoefficientReader {
  /// How the rows lie.
  package let layout: JPEGCoefficientLayout
  /// Pieces that may be read in any order and by several threads at once, if restart markers allow.
  package let slices: JPEGSlices?
  private let decoder: JPEGDecoder
  private var next = 0

  /// Whether all rows must be read by one call.
  package var isReadAtOnce: Bool { !frame.isReadInHalves }
  /// Components, tables and coding process.
  package var frame: JPEGFrame { decoder.frame }

  /// Opens a picture.
  ///
  /// - Parameter rowsPerSlice: How many rows of MCUs a slice should have; nil for no slices.
  package init(
    _ bytes: FileBytes, options: DecoderOptions,
    rowsPerSlice: ((JPEGCoefficientLayout) -> Int)? = nil
  ) throws(CodecError) {
    decoder = try JPEGDecoder(bytes, options: options)
    layout = try decoder.startStream(makesPixels: false)
    slices = rowsPerSlice.flatMap { [decoder, layout] in
      JPEGSlices(decoder, layout: layout, rowsPerSlice: $0(layout))
    }
  }

  /// What was found so far; complete once the last row is read.
  package var notices: [CodecNotice] { decoder.notices }

  /// Reads rows, which follow those read before.
  ///
  /// - Parameters:
  ///   - base: Where the first row goes; they lie `layout.bytesPerRow` bytes apart.
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

  /// Where the blocks of a component lie within a row of MCUs: first byte, blocks per block row.
  func plane(_ index: Int) -> (offset: Int, blocksAcross: Int) {
    (
      pe_jpeg_plane_offset(decoder.handle.pointer, Int32(index)),
      Int(pe_jpeg_plane_blocks_across(decoder.handle.pointer, Int32(index)))
    )
  }

  /// The tables by which components were divided, known once their first row is read.
  func tables() throws(CodecError) -> [QuantizationTable] {
    var tables: [QuantizationTable] = []
    for (index, table) in frame.tables.enumerated() {
      var values = table.values
      // Only a file of several scans may bring tables later, and only then they are still there.
      if isReadAtOnce && pe_jpeg_copy_table(decoder.handle.pointer, Int32(index), &values) == 0 {
        throw .damaged(
          message: "a colour component is missing", realRows: 0, rows: frame.size.height)
      }
      // libjpeg would quietly take another divisor.
      guard values.allSatisfy({ $0 > 0 && $0 <= Int16.max }) else {
        throw .unsupported("a JPEG with a quantization table with a useless divisor")
      }
      tables.append(QuantizationTable(values))
    }
    return tables
  }
}
