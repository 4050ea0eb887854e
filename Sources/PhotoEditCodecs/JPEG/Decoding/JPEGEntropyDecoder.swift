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

  /// Creates an index with entries in a grid, instead of reading rows; nil if there can be none.
  package func index(_ grid: JPEGIndexGrid) -> JPEGIndex? {
    JPEGIndex(decoder, layout: layout, intervals: intervals, grid)
  }

  /// Indicates whether the image can have an index: its only scan has all components, with Huffman
  /// codes of baseline JPEG.
  package var canBeIndexed: Bool { pe_jpeg_scan_offset(decoder.handle.pointer) > 0 }

  /// Returns the marker segments of the file for an image that is `width` pixels wide, from which a
  /// reconstructor can be opened.
  package func segments(width: Int) throws(CodecError) -> FileBytes {
    try decoder.handle.withBytes { bytes throws(CodecError) in
      var segments = Array(bytes[..<pe_jpeg_scan_offset(decoder.handle.pointer)])
      let offset = try JPEGFrameHeader(bytes).widthOffset
      (segments[offset], segments[offset + 1]) = (UInt8(width >> 8), UInt8(width & 255))
      return FileBytes(segments)
    }
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

/// Slices of an image: runs of whole restart intervals that can be read independently.
///
/// A slice that is not clean is rejected; the image must then be read from the beginning, which
/// identifies the damage and the rows before it.
package final class JPEGRestartIntervals: @unchecked Sendable {
  // Safe: reading a slice changes only the caller's memory.
  /// The error for a slice that is not clean; it does not describe the damage, if any.
  package static let refusal = CodecError.damaged("a restart interval is damaged")

  /// MCU rows in every slice but the last.
  package let rowsPerInterval: Int
  private let decoder: JPEGDecoder
  private let layout: JPEGCoefficientLayout
  private let starts: [UnsafePointer<UInt8>?]

  init?(_ decoder: JPEGDecoder, layout: JPEGCoefficientLayout, rowsPerInterval: Int) {
    // Slices begin where both a restart interval and an MCU row begin.
    let interval = decoder.frame.restartInterval
    let mcuWidth = decoder.frame.mcuSize.width
    let across = (decoder.frame.size.width + mcuWidth - 1) / mcuWidth
    guard interval > 0, across > 0 else { return nil }
    let unit = interval / Self.greatestCommonDivisor(interval, across)
    let rowsPerInterval = (max(1, rowsPerInterval) + unit - 1) / unit * unit
    let expected = (layout.mcuRows + rowsPerInterval - 1) / rowsPerInterval
    guard expected > 1 else { return nil }
    var starts = [UnsafePointer<UInt8>?](repeating: nil, count: expected)
    let found = pe_jpeg_find_intervals(
      decoder.handle.pointer, Int32(rowsPerInterval), &starts, Int32(expected))
    guard found == expected else { return nil }
    (self.decoder, self.layout, self.rowsPerInterval) = (decoder, layout, rowsPerInterval)
    self.starts = starts
  }

  private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
    b == 0 ? a : greatestCommonDivisor(b, a % b)
  }

  /// Reads complete slices, on any thread.
  ///
  /// - Throws: `refusal`.
  package func readRows(_ rows: Range<Int>, into base: UnsafeMutableRawPointer) throws(CodecError) {
    try forEachSlice(of: rows) { part, start in
      let memory: [UnsafeMutablePointer<UInt8>?] = part.map {
        (base + ($0 - rows.lowerBound) * layout.bytesPerRow).assumingMemoryBound(to: UInt8.self)
      }
      return pe_jpeg_read_interval(
        decoder.handle.pointer, start, memory, Int32(part.lowerBound), Int32(part.count))
    }
  }

  /// Calls a body for complete slices, with their rows and first bytes.
  ///
  /// - Throws: `refusal`, if the body returns another code than `PE_JPEG_OK`.
  func forEachSlice(
    of rows: Range<Int>, _ body: (Range<Int>, UnsafePointer<UInt8>?) -> pe_jpeg_code
  ) throws(CodecError) {
    precondition(
      rows.lowerBound % rowsPerInterval == 0, "restart intervals are read from their start")
    for first in stride(from: rows.lowerBound, to: rows.upperBound, by: rowsPerInterval) {
      let part = first..<min(first + rowsPerInterval, rows.upperBound)
      precondition(part.count == rowsPerInterval || part.upperBound == layout.mcuRows)
      if body(part, starts[first / rowsPerInterval]) != .PE_JPEG_OK { throw Self.refusal }
    }
  }
}
