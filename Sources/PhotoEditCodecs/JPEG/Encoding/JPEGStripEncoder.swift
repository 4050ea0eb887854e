// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

/// The common settings of an image's bands, so that several threads can encode them.
package struct JPEGStripEncoder: Sendable {
  /// Width of the image, 1 to 65,500.
  package let width: Int
  /// Tables and sampling.
  package let settings: JPEGSettings

  /// Creates an encoder for images of one width.
  package init(width: Int, settings: JPEGSettings) {
    self.width = width
    self.settings = settings
  }

  /// Returns the height of every band but the last: eight MCU rows, after which restart markers
  /// start again at 0.
  package static func bandHeight(_ settings: JPEGSettings) -> Int {
    8 * 8 * (settings.isGray ? 1 : settings.sampling.vertical)
  }

  /// Encodes a band whose rows are all in memory.
  ///
  /// - Parameters:
  ///   - rows: Number of rows, at least 1.
  ///   - layout: Layout of the rows in memory.
  ///   - base: Address of the first row.
  ///   - bytesPerRow: Distance between rows.
  package func encode(
    rows: Int, layout: RowLayout, from base: UnsafeRawPointer, bytesPerRow: Int
  ) throws(CodecError) -> [UInt8] {
    let encoder = try JPEGBandEncoder(width: width, settings: settings, layout: layout)
    try encoder.begin(rows: rows)
    try encoder.write(rows: rows, from: base, bytesPerRow: bytesPerRow)
    return try encoder.end { Array($0) }
  }
}
