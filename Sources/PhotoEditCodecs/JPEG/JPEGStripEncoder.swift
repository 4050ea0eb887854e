// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

/// What the bands of one picture have in common, so that several threads can encode them.
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

  /// Encodes a band whose rows are all in memory.
  ///
  /// - Parameters:
  ///   - rows: How many, at least 1.
  ///   - layout: How they lie in memory.
  ///   - base: The first row.
  ///   - bytesPerRow: Distance of two rows.
  package func encode(
    rows: Int, layout: RowLayout, from base: UnsafeRawPointer, bytesPerRow: Int
  ) throws(CodecError) -> [UInt8] {
    let encoder = try JPEGBandEncoder(width: width, settings: settings, layout: layout)
    try encoder.begin(rows: rows)
    try encoder.write(rows: rows, from: base, bytesPerRow: bytesPerRow)
    return try encoder.end { Array($0) }
  }
}
