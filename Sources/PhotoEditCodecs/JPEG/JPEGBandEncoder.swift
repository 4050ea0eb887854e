// SPDX-License-Identifier: Apache-2.0
import CPhotoEditJPEG
package import PhotoEditPixels

/// Encodes bands of rows, one after the other, and gives each as a whole small JPEG.
///
/// A band has the standard Huffman tables, a restart marker per MCU row and no APP segment, so that
/// `JPEGAssembler` can join bands that several encoders made. Calls `jpeg_write_scanlines`. One
/// thread at a time.
package final class JPEGBandEncoder {
  private let width: Int
  private let settings: JPEGSettings
  private let layout: RowLayout
  private let handle: JPEGEncoderHandle

  /// Makes an encoder.
  ///
  /// - Parameters:
  ///   - width: Columns of the picture, 1 to 65,500.
  ///   - layout: How rows lie in memory: 8-bit gray or RGB; RGB rows with gray settings give luma.
  package init(width: Int, settings: JPEGSettings, layout: RowLayout) throws(CodecError) {
    guard (1...65_500).contains(width) else {
      throw .encoding("a JPEG has 1 to 65500 columns, not \(width)")
    }
    guard layout.bytesPerSample == 1, !layout.channels.hasAlpha else {
      throw .encoding("a JPEG takes 8-bit gray or RGB without alpha")
    }
    guard settings.isGray || layout.channels == .rgb else {
      throw .encoding("gray rows need gray settings")
    }
    let sampling = settings.sampling
    guard settings.isGray || sampling.isValid else {
      throw .encoding(
        "chroma for \(sampling.horizontal) by \(sampling.vertical) pixels, at most 4 by 2 or 2 by 4"
      )
    }
    handle = try JPEGEncoderHandle()
    self.width = width
    self.settings = settings
    self.layout = layout
  }

  /// Begins a band of so many rows, 1 to 65,500; one that was not ended is given up.
  package func begin(rows: Int) throws(CodecError) {
    guard (1...65_500).contains(rows) else {
      throw .encoding("a JPEG has 1 to 65500 rows, not \(rows)")
    }
    var band = pe_jpeg_band()
    band.width = Int32(width)
    band.height = Int32(rows)
    band.input_channels = Int32(layout.channels.count)
    band.is_gray = settings.isGray ? 1 : 0
    band.horizontal = Int32(settings.sampling.horizontal)
    band.vertical = Int32(settings.sampling.vertical)
    let code = settings.luma.values.withUnsafeBufferPointer { luma in
      settings.chroma.values.withUnsafeBufferPointer { chroma in
        band.luma = luma.baseAddress
        band.chroma = chroma.baseAddress
        return pe_jpeg_begin_band(handle.pointer, &band)
      }
    }
    try handle.check(code)
  }

  /// Takes the next rows of the band.
  package func write(rows: Int, from base: UnsafeRawPointer, bytesPerRow: Int) throws(CodecError) {
    precondition(bytesPerRow >= layout.bytesPerRow(width: width), "the rows overlap")
    try handle.check(
      pe_jpeg_write_rows(
        handle.pointer, base.assumingMemoryBound(to: UInt8.self), bytesPerRow, Int32(rows)))
  }

  /// Ends the band and lends it to a body.
  package func end<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    var bytes: UnsafePointer<UInt8>?
    var count = 0
    try handle.check(pe_jpeg_end_band(handle.pointer, &bytes, &count))
    return try body(UnsafeBufferPointer(start: bytes, count: count))
  }
}
