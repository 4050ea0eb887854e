// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels

/// A decoder of any format that delivers pixels in order from the top; of JPEG, the files without
/// split decoding.
final class RowDecoding: StripProducer, @unchecked Sendable {
  // Safe: the scheduler never runs two tasks of a sequential producer at once.
  private let decoder: any ImageDecoder
  private let pool: StripPool

  init(_ decoder: any ImageDecoder, pool: StripPool) {
    self.decoder = decoder
    self.pool = pool
  }

  var name: String { "decoding" }
  var height: Int { decoder.header.size.height }
  var isSequential: Bool { true }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> { 0..<0 }

  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip? {
    let header = decoder.header
    let strip = Strip(
      rows: rows, bytesPerRow: header.layout.bytesPerRow(width: header.size.width), pool: pool)
    var done = 0
    try codec { () throws(CodecError) in
      while done < rows.count {
        let count = try decoder.readRows(
          rows.count - done, into: strip.memory + done * strip.bytesPerRow,
          bytesPerRow: strip.bytesPerRow)
        guard count > 0 else {
          throw .damaged(
            message: "unexpected end of image", recoveredRows: rows.lowerBound + done, rows: height)
        }
        done += count
      }
    }
    return strip
  }
}
