// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels

/// The second stage of split decoding of a JPEG: converts MCU rows into rows of pixels.
struct JPEGPixelReconstruction: StripProducer, @unchecked Sendable {
  // Safe: the scheduler never runs two tasks of a sequential producer at once.
  let reconstructor: JPEGPixelReconstructor
  let shape: StripShape
  let pool: StripPool

  var name: String { "inverse transform and colors" }
  var height: Int { shape.size.height }
  var isSequential: Bool { true }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> {
    rows.isEmpty ? 0..<0 : reconstructor.layout.rows(forPixelRows: rows)
  }

  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip? {
    let strip = Strip(rows: rows, bytesPerRow: shape.bytesPerRow, pool: pool)
    let mcuRows = inputRows(for: rows, of: 0)
    try codec { () throws(CodecError) in
      try reconstructor.readRows(
        rows.count, into: strip.memory, bytesPerRow: strip.bytesPerRow,
        coefficients: mcuRows.map { UnsafeMutableRawPointer(mutating: inputs[0].row($0)) },
        first: mcuRows.lowerBound)
    }
    return strip
  }
}
