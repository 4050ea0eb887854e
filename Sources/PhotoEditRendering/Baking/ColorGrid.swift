// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// An image of the colors of a 3D LUT's entries, in the form of the output of an earlier pass.
///
/// Row b holds all colors with the b-th blue, red changing fastest, so that its pixels, row by row,
/// are the entries of the LUT.
final class ColorGrid: StripProducer {
  let entries: Int
  private let pool: StripPool

  init(entries: Int, pool: StripPool) {
    self.entries = entries
    self.pool = pool
  }

  var shape: StripShape {
    StripShape(size: PixelSize(width: entries * entries, height: entries), format: .planes(3))
  }

  var height: Int { entries }
  var isSequential: Bool { false }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> { 0..<0 }

  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip? {
    let strip = Strip(rows: rows, bytesPerRow: shape.bytesPerRow, pool: pool)
    let width = entries * entries
    let last = Double(entries - 1)
    for blue in rows {
      let row = strip.row(blue).assumingMemoryBound(to: Float.self)
      for column in 0..<width {
        row[column] = Float(Double(column % entries) / last)
        row[width + column] = Float(Double(column / entries) / last)
        row[2 * width + column] = Float(Double(blue) / last)
      }
    }
    return strip
  }
}
