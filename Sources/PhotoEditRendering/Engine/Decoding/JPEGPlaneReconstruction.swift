// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs

/// The second stage of split decoding of a JPEG up to the samples of each component; a row is an
/// MCU row.
struct JPEGPlaneReconstruction: StripProducer, @unchecked Sendable {
  // Safe: the scheduler never runs two tasks of a sequential producer at once.
  let reconstructor: JPEGPlaneReconstructor
  let pool: StripPool

  var name: String { "inverse transform" }
  var height: Int { reconstructor.layout.mcuRows }
  var isSequential: Bool { true }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> { rows }

  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip? {
    let strip = Strip(rows: rows, bytesPerRow: reconstructor.layout.bytesPerMCURow, pool: pool)
    try codec { () throws(CodecError) in
      try reconstructor.readRows(
        rows, into: strip.memory,
        coefficients: rows.map { UnsafeMutableRawPointer(mutating: inputs[0].row($0)) })
    }
    return strip
  }
}
