// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs

/// The first stage of split decoding of a JPEG: a row is an MCU row of coefficients.
struct JPEGEntropyDecoding: StripProducer, @unchecked Sendable {
  // Safe: the scheduler never runs two tasks of a sequential producer at once, and restart
  // intervals can be read concurrently.
  let decoder: JPEGEntropyDecoder
  let pool: StripPool
  var thumbnail: JPEGThumbnailSums? = nil
  let isCancelled: @Sendable () -> Bool

  var name: String { "Huffman codes" }
  var height: Int { decoder.layout.mcuRows }
  var isSequential: Bool { decoder.intervals == nil }
  var alignment: Int {
    decoder.isReadAtOnce ? decoder.layout.mcuRows : decoder.intervals?.rowsPerInterval ?? 1
  }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> { 0..<0 }

  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip? {
    if isCancelled() { throw .cancelled }
    let strip = Strip(rows: rows, bytesPerRow: decoder.layout.bytesPerRow, pool: pool)
    try codec { () throws(CodecError) in
      if let intervals = decoder.intervals {
        try intervals.readRows(rows, into: strip.memory)
      } else {
        try decoder.readRows(rows, into: strip.memory)
      }
    }
    thumbnail?.add(rows, at: strip.memory)
    return strip
  }
}
