// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels

/// Converts the rows of a decoder to sRGB, strips on several threads at once.
struct RowConversion: StripProducer {
  let conversion: ColorConversion
  let shape: StripShape
  let pool: StripPool
  let isCancelled: @Sendable () -> Bool

  var name: String { "conversion to sRGB" }
  var height: Int { shape.size.height }
  var isSequential: Bool { false }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> { rows }

  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip? {
    let strip = Strip(rows: rows, bytesPerRow: shape.bytesPerRow, pool: pool)
    for y in rows {
      if isCancelled() { throw .cancelled }
      conversion.convert(
        shape.size.width, from: inputs[0].row(y),
        into: strip.memory + (y - rows.lowerBound) * strip.bytesPerRow)
    }
    return strip
  }
}
