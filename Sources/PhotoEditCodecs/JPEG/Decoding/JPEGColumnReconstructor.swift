// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditStorage

/// Bands of MCU columns from the left of an image to the right, in the order in which a rotation
/// shows them.
package struct JPEGColumnBands: Hashable, Sendable {
  /// The pixels across a band, of which the last one may have fewer.
  package let width: Int
  /// The number of bands.
  package let count: Int
  /// Indicates whether the rightmost band is the first one to be shown.
  package let isReversed: Bool

  /// Returns the position of a band in the order, or the band at a position.
  package func position(of band: Int) -> Int { isReversed ? count - 1 - band : band }

  /// Returns the positions of the bands that have some columns of pixels.
  package func positions(of columns: Range<Int>) -> Range<Int> {
    let ends = [columns.lowerBound / width, (columns.upperBound - 1) / width].map(position)
    return min(ends[0], ends[1])..<max(ends[0], ends[1]) + 1
  }
}

/// Reconstructs the samples of bands of MCU columns, each on its own, from an index.
///
/// Every band is an image of its own for libjpeg, as high as the whole one. The samples are those of
/// `JPEGPlaneReconstructor`, since blocks do not depend on each other.
package final class JPEGColumnReconstructor: Sendable {
  /// The pixels across a band.
  private static let bandWidth = 128
  /// The MCU rows whose coefficients are in memory at once, which fit the second-level cache.
  private static let rowsAtOnce = 16

  /// The bands.
  package let bands: JPEGColumnBands
  /// The layout of the samples of a band.
  package let layout: JPEGPlaneLayout
  /// The index, to be completed before a band is read.
  package let index: JPEGIndex
  private let columnsPerBand: Int
  /// The marker segments of an image with only one band.
  private let segments: FileBytes
  private let options: DecoderOptions

  /// Returns the MCU columns of a band.
  package static func columnsPerBand(of frame: JPEGFrame) -> Int {
    min(frame.mcuColumns, max(1, bandWidth / frame.mcuSize.width))
  }

  /// Prepares to read the image of a reader, whose `frame.planeSampling` is known; nil if it can
  /// have no index.
  ///
  /// - Parameter isReversed: Whether the rightmost band is the first one.
  package convenience init?(
    _ reader: JPEGEntropyDecoder, isReversed: Bool, options: DecoderOptions
  ) throws(CodecError) {
    let columns = Self.columnsPerBand(of: reader.frame)
    guard let index = reader.index(JPEGIndexGrid(step: columns)) else { return nil }
    let width = columns * reader.frame.mcuSize.width
    let segments = try reader.segments(width: width)
    self.init(
      index,
      JPEGColumnBands(
        width: width, count: (reader.frame.mcuColumns + columns - 1) / columns,
        isReversed: isReversed),
      columnsPerBand: columns, segments: segments, options: options,
      layout: try JPEGPlaneReconstructor(segments, options: options).layout,
      size: reader.frame.size)
  }

  private init(
    _ index: JPEGIndex, _ bands: JPEGColumnBands, columnsPerBand: Int, segments: FileBytes,
    options: DecoderOptions, layout: JPEGPlaneLayout, size: PixelSize
  ) {
    (self.index, self.bands, self.columnsPerBand) = (index, bands, columnsPerBand)
    (self.segments, self.options) = (segments, options)
    self.layout = layout.of(bands, size: size)
  }

  /// The size of a band's samples in bytes.
  package var bytesPerBand: Int { layout.mcuRows * layout.bytesPerMCURow }

  /// The size of the coefficients that are in memory at once, in bytes.
  private var coefficientBytes: Int { Self.rowsAtOnce * index.bytesPerRow(columns: columnsPerBand) }

  /// Reconstructs the samples of a band, on any thread.
  ///
  /// - Throws: `JPEGRestartIntervals.refusal`, or `CodecError.cancelled`.
  package func read(_ band: Int, into base: UnsafeMutableRawPointer) throws(CodecError) {
    let reconstructor = try JPEGPlaneReconstructor(segments, options: options)
    let first = band * columnsPerBand
    let columns = first..<min(first + columnsPerBand, index.columns)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: coefficientBytes, alignment: 64)
    defer { memory.deallocate() }
    // Blocks to the right of the image are not read.
    if columns.count < columnsPerBand { memset(memory, 0, coefficientBytes) }
    let bytesPerRow = index.bytesPerRow(columns: columnsPerBand)
    for row in stride(from: 0, to: layout.mcuRows, by: Self.rowsAtOnce) {
      let rows = row..<min(row + Self.rowsAtOnce, layout.mcuRows)
      try index.read(JPEGArea(rows: rows, columns: columns), into: memory, columns: columnsPerBand)
      try reconstructor.readRows(
        rows, into: base + row * layout.bytesPerMCURow,
        coefficients: rows.map { memory + ($0 - row) * bytesPerRow })
    }
  }
}
