// SPDX-License-Identifier: Apache-2.0
import CJPEG
import Glibc
import Pixels
package import Storage

/// How the rows of MCUs of a JPEG lie in memory.
package struct JPEGCoefficientLayout: Hashable, Sendable {
  /// Rows of MCUs in the picture.
  package let mcuRows: Int
  /// Pixel rows that one of them covers.
  package let mcuHeight: Int
  /// Bytes of one of them: the blocks of one component behind those of another.
  package let bytesPerRow: Int

  /// The rows of MCUs from which rows of pixels are made.
  ///
  /// Smooth upsampling of chroma looks at the first row of the MCUs below.
  package func rows(forPixelRows rows: Range<Int>) -> Range<Int> {
    let end = (rows.upperBound + mcuHeight - 1) / mcuHeight + 1
    return rows.lowerBound / mcuHeight..<min(mcuRows, end)
  }
}

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

/// Pieces of a picture between restart markers.
///
/// A slice that is not clean is refused; the picture must then be read from the beginning, which
/// tells what the damage is and how far the picture is real.
package final class JPEGSlices: @unchecked Sendable {
  // Safe: reading a slice changes nothing but the caller's memory.
  /// Rows of MCUs in every slice but the last.
  package let rowsPerSlice: Int
  private let decoder: JPEGDecoder
  private let layout: JPEGCoefficientLayout
  private let starts: [UnsafePointer<UInt8>?]

  fileprivate init?(_ decoder: JPEGDecoder, layout: JPEGCoefficientLayout, rowsPerSlice: Int) {
    // Slices begin where a restart interval and a row of MCUs begin at once.
    let interval = decoder.frame.restartInterval
    let mcuWidth = decoder.frame.mcuSize.width
    let across = (decoder.frame.size.width + mcuWidth - 1) / mcuWidth
    guard interval > 0, across > 0 else { return nil }
    let unit = interval / Self.greatestCommonDivisor(interval, across)
    let rowsPerSlice = (max(1, rowsPerSlice) + unit - 1) / unit * unit
    let wanted = (layout.mcuRows + rowsPerSlice - 1) / rowsPerSlice
    guard wanted > 1 else { return nil }
    var starts = [UnsafePointer<UInt8>?](repeating: nil, count: wanted)
    let found = pe_jpeg_find_slices(
      decoder.handle.pointer, Int32(rowsPerSlice), &starts, Int32(wanted))
    guard found == wanted else { return nil }
    self.decoder = decoder
    self.layout = layout
    self.rowsPerSlice = rowsPerSlice
    self.starts = starts
  }

  private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
    b == 0 ? a : greatestCommonDivisor(b, a % b)
  }

  /// Reads some whole slices, on any thread.
  ///
  /// - Throws: `CodecError.damaged` without rows.
  package func readRows(_ rows: Range<Int>, into base: UnsafeMutableRawPointer) throws(CodecError) {
    precondition(rows.lowerBound % rowsPerSlice == 0, "slices are read from their beginning")
    for first in stride(from: rows.lowerBound, to: rows.upperBound, by: rowsPerSlice) {
      let slice = first..<min(first + rowsPerSlice, rows.upperBound)
      precondition(slice.count == rowsPerSlice || slice.upperBound == layout.mcuRows)
      let memory: [UnsafeMutablePointer<UInt8>?] = slice.map {
        (base + ($0 - rows.lowerBound) * layout.bytesPerRow).assumingMemoryBound(to: UInt8.self)
      }
      let code = pe_jpeg_read_slice(
        decoder.handle.pointer, starts[first / rowsPerSlice], memory, Int32(first),
        Int32(slice.count))
      if code != .PE_JPEG_OK {
        throw .damaged(message: "a slice is not clean", realRows: nil, rows: nil)
      }
    }
  }
}

/// The second half of a decoder: makes pixels of the coefficients that a reader has read.
///
/// The pixels are those that `JPEGDecoder` gives. Calls `jpeg_read_scanlines` with coefficients that
/// come from elsewhere.
package final class JPEGReconstructor {
  /// How the rows of MCUs lie.
  package let layout: JPEGCoefficientLayout
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

extension JPEGDecoder {
  fileprivate func startStream(makesPixels: Bool) throws(CodecError) -> JPEGCoefficientLayout {
    precondition(
      !makesPixels || frame.isReadInHalves, "only pictures of one scan are read in halves")
    var stream = pe_jpeg_stream()
    try handle.check(
      pe_jpeg_start_stream(handle.pointer, makesPixels ? 1 : 0, &stream), rows: header.size.height)
    return JPEGCoefficientLayout(
      mcuRows: Int(stream.mcu_rows), mcuHeight: Int(stream.mcu_height),
      bytesPerRow: stream.bytes_per_mcu_row)
  }

  /// Lends rows of MCUs to one call.
  fileprivate func withRows(
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
