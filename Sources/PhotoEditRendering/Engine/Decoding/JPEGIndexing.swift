// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs

/// The pass over the entropy-coded data of a JPEG that creates its index.
///
/// A row is an MCU row, of which no coefficients stay in memory.
struct JPEGIndexing: StripProducer, @unchecked Sendable {
  // Safe: the scheduler never runs two tasks of a sequential producer at once, and restart
  // intervals can be indexed concurrently.
  let index: JPEGIndex
  let pool: StripPool
  var thumbnail: JPEGThumbnailSums? = nil
  let isCancelled: @Sendable () -> Bool

  var name: String { "index of Huffman codes" }
  var height: Int { index.layout.mcuRows }
  var isSequential: Bool { index.intervals == nil }
  var alignment: Int { index.intervals?.rowsPerInterval ?? 1 }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> { 0..<0 }

  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip? {
    if isCancelled() { throw .cancelled }
    let means = thumbnail.map { _ in
      Strip(rows: rows, bytesPerRow: index.meanBytesPerRow, pool: pool)
    }
    try codec { () throws(CodecError) in try index.add(rows, means: means?.memory) }
    if let means { thumbnail?.add(rows, means: means.memory) }
    return nil
  }
}
