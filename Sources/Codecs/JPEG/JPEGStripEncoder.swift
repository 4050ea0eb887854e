// SPDX-License-Identifier: Apache-2.0
import CJPEG
import Glibc
package import Pixels

/// Encodes one band of rows alone, so that bands can be encoded on several threads and joined.
///
/// A band is a whole small baseline JPEG: standard Huffman tables, a restart marker per MCU row, no
/// APP segment. Calls `jpeg_write_scanlines`. Every call owns its own library structures, so one
/// encoder may be used by many threads at once.
package struct JPEGStripEncoder: Sendable {
  /// Columns of the picture, 1 to 65,500.
  package let width: Int
  /// Tables and sampling.
  package let settings: JPEGSettings

  /// Makes an encoder for pictures of one width.
  package init(width: Int, settings: JPEGSettings) {
    self.width = width
    self.settings = settings
  }

  /// Rows of every band but the last: eight MCU rows, after which restart markers count from 0.
  package static func bandHeight(_ settings: JPEGSettings) -> Int {
    8 * 8 * (settings.isGray ? 1 : settings.sampling.vertical)
  }

  /// Encodes rows of 8-bit gray or RGB; RGB rows with gray settings give their luma.
  ///
  /// - Parameters:
  ///   - rows: How many, at least 1.
  ///   - layout: How they lie in memory.
  ///   - base: The first row.
  ///   - bytesPerRow: Distance of two rows.
  package func encode(
    rows: Int, layout: RowLayout, from base: UnsafeRawPointer, bytesPerRow: Int
  ) throws(CodecError) -> [UInt8] {
    try check(rows: rows, layout: layout)
    precondition(bytesPerRow >= layout.bytesPerRow(width: width), "the rows overlap")
    var message = [CChar](repeating: 0, count: Int(PE_JPEG_MESSAGE_CAPACITY))
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
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
        return pe_jpeg_encode_band(
          &band, base.assumingMemoryBound(to: UInt8.self), bytesPerRow, &bytes, &count, &message)
      }
    }
    defer { free(bytes) }
    switch code {
    case .PE_JPEG_OK: return [UInt8](UnsafeBufferPointer(start: bytes, count: count))
    case .PE_JPEG_OUT_OF_MEMORY: throw .outOfMemory
    default: throw .encoding(message.withUnsafeBufferPointer { Self.text($0) })
    }
  }

  private func check(rows: Int, layout: RowLayout) throws(CodecError) {
    guard (1...65_500).contains(width), (1...65_500).contains(rows) else {
      throw .encoding("a JPEG has 1 to 65500 columns and rows, not \(width) and \(rows)")
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
  }

  private static func text(_ buffer: UnsafeBufferPointer<CChar>) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
