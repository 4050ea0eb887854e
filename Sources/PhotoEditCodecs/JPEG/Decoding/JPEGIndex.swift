// SPDX-License-Identifier: Apache-2.0
import CPhotoEditJPEG
import PhotoEditPixels

/// The positions in a JPEG's entropy-coded data that are in its index.
///
/// Every MCU row has an entry for its first MCU, for the one at `first`, and for every `step`th
/// after it.
package struct JPEGIndexGrid: Hashable, Sendable {
  /// The second MCU with an entry, from 1 to `step`.
  package let first: Int
  /// The number of MCUs from there to the next one with an entry.
  package let step: Int

  /// Creates a grid.
  ///
  /// - Parameter column: A column of MCUs that is to have an entry in each row.
  package init(step: Int, including column: Int = 0) {
    self.step = step
    first = column % step == 0 ? step : column % step
  }

  /// Returns the size of an index with this grid in bytes.
  package func byteCount(for frame: JPEGFrame) -> Int {
    let rows = (frame.size.height + frame.mcuSize.height - 1) / frame.mcuSize.height
    return rows * (frame.mcuColumns / step + 2) * Int(PE_JPEG_BYTES_PER_ENTRY)
  }
}

/// Some MCU columns of some MCU rows.
package struct JPEGArea: Hashable, Sendable {
  /// The MCU rows.
  package var rows: Range<Int>
  /// The MCU columns.
  package var columns: Range<Int>

  /// Creates an area.
  package init(rows: Range<Int>, columns: Range<Int>) {
    (self.rows, self.columns) = (rows, columns)
  }
}

/// An index of a JPEG's entropy-coded data, from which several threads may read columns of MCUs
/// without the others.
///
/// Indexing passes over all codes but stores no coefficients. Data that is not clean is rejected:
/// the image must then be read from the beginning, which identifies the damage and the rows before
/// it.
package final class JPEGIndex: @unchecked Sendable {
  // Safe: slices change entries of their own, and rows in order are never indexed by two threads at
  // once; reading changes only the caller's memory.
  /// The layout of complete MCU rows.
  package let layout: JPEGCoefficientLayout
  /// Slices that several threads may index in any order; if nil, rows are indexed in order.
  package let intervals: JPEGRestartIntervals?
  /// The number of MCUs in a row.
  package let columns: Int
  private let decoder: JPEGDecoder

  init?(
    _ decoder: JPEGDecoder, layout: JPEGCoefficientLayout, intervals: JPEGRestartIntervals?,
    _ grid: JPEGIndexGrid
  ) {
    let handle = decoder.handle.pointer
    guard pe_jpeg_start_index(handle, Int32(grid.first), Int32(grid.step)) != 0 else { return nil }
    (self.decoder, self.layout, self.intervals) = (decoder, layout, intervals)
    columns = decoder.frame.mcuColumns
  }

  /// Bytes per block of coefficients, and of their means.
  static let bytesPerBlock = 128, bytesPerMean = 2

  /// The size in bytes of the means of an MCU row.
  package var meanBytesPerRow: Int { layout.bytesPerRow / Self.bytesPerBlock * Self.bytesPerMean }

  /// Adds the next rows, or complete slices.
  ///
  /// - Parameter means: Memory for the first coefficient of each block: rows laid out like those of
  ///   the coefficients; nil if they are not needed.
  /// - Throws: `JPEGRestartIntervals.refusal`.
  package func add(
    _ rows: Range<Int>, means: UnsafeMutableRawPointer? = nil
  ) throws(CodecError) {
    let (handle, values) = (decoder.handle.pointer, meanBytesPerRow / Self.bytesPerMean)
    let means = means?.assumingMemoryBound(to: Int16.self)
    if let intervals {
      return try intervals.forEachSlice(of: rows) { part, start in
        pe_jpeg_index_interval(
          handle, start, Int32(part.lowerBound), Int32(part.count),
          means.map { $0 + (part.lowerBound - rows.lowerBound) * values })
      }
    }
    let code = pe_jpeg_index_rows(handle, Int32(rows.lowerBound), Int32(rows.count), means)
    if code != .PE_JPEG_OK { throw JPEGRestartIntervals.refusal }
  }

  /// Returns the size in bytes of an MCU row that has only some columns.
  package func bytesPerRow(columns: Int) -> Int { layout.bytesPerRow / self.columns * columns }

  /// Reads the coefficients of indexed rows, on any thread.
  ///
  /// - Parameters:
  ///   - base: Address of the first row; rows are `bytesPerRow(columns:)` apart.
  ///   - columns: The number of columns in memory; the area has all of them if nil.
  /// - Throws: `JPEGRestartIntervals.refusal`.
  package func read(
    _ area: JPEGArea, into base: UnsafeMutableRawPointer, columns: Int? = nil
  ) throws(CodecError) {
    let columns = columns ?? area.columns.count
    let bytesPerRow = bytesPerRow(columns: columns)
    let memory = area.rows.indices.map {
      Optional(
        (base + ($0 - area.rows.lowerBound) * bytesPerRow).assumingMemoryBound(to: UInt8.self))
    }
    var parameters = pe_jpeg_area(
      first_row: Int32(area.rows.lowerBound), row_count: Int32(area.rows.count),
      first_column: Int32(area.columns.lowerBound), column_count: Int32(area.columns.count),
      columns_in_memory: Int32(columns))
    let code = pe_jpeg_read_area(decoder.handle.pointer, &parameters, memory)
    if code != .PE_JPEG_OK { throw JPEGRestartIntervals.refusal }
  }
}
