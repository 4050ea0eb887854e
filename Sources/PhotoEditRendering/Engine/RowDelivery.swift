// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// Runs the last pass and hands its rows to somebody who wants them as they are.
final class RowDelivery: StripProducer {
  /// Takes the rows of a finished strip, on any thread.
  typealias Sink = @Sendable (Strip) -> Void

  private let stage: StageProducer
  private let pool: StripPool
  private let sink: Sink

  init(_ stage: StageProducer, pool: StripPool, sink: @escaping Sink) {
    self.stage = stage
    self.pool = pool
    self.sink = sink
  }

  var height: Int { stage.height }
  var isSequential: Bool { false }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> {
    stage.inputRows(for: rows, of: input)
  }

  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip? {
    let strip = Strip(rows: rows, bytesPerRow: stage.stage.output.bytesPerRow, pool: pool)
    try stage.fill(strip, from: inputs)
    sink(strip)
    return nil
  }
}
