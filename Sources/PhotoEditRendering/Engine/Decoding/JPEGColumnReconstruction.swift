// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs

/// Both stages of split decoding for bands of MCU columns of a JPEG, up to the samples of each
/// component.
///
/// A row is a band, with all of its MCU rows.
struct JPEGColumnReconstruction: StripProducer {
  let reconstructor: JPEGColumnReconstructor
  let pool: StripPool
  let isCancelled: @Sendable () -> Bool

  var name: String { "decoding of columns" }
  var height: Int { reconstructor.bands.count }
  var isSequential: Bool { false }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> {
    rows.isEmpty ? 0..<0 : 0..<reconstructor.layout.mcuRows
  }

  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip? {
    let strip = Strip(rows: rows, bytesPerRow: reconstructor.bytesPerBand, pool: pool)
    for row in rows {
      if isCancelled() { throw .cancelled }
      try codec { () throws(CodecError) in
        try reconstructor.read(reconstructor.bands.position(of: row), into: strip.row(row))
      }
    }
    return strip
  }
}
