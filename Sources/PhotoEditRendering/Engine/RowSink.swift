// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// Runs a pass and hands its rows to a sink before other producers, if any, read them.
struct RowSink: StripProducer {
  /// Receives the rows of a finished strip, on any thread; may change them.
  typealias Sink = @Sendable (Strip) throws(RenderError) -> Void

  let stage: StageProducer
  let pool: StripPool
  let sink: Sink

  var name: String { stage.name.isEmpty ? "pixels" : stage.name }
  var height: Int { stage.height }
  var isSequential: Bool { false }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> {
    stage.inputRows(for: rows, of: input)
  }

  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip? {
    let strip = Strip(rows: rows, bytesPerRow: stage.stage.output.bytesPerRow, pool: pool)
    try stage.fill(strip, from: inputs)
    try sink(strip)
    return strip
  }
}
