// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// Runs one pass of a plan.
final class StageProducer: StripProducer, RowFilling {
  /// The number of rows that the encoder takes at once: those of one MCU, so that no rows wait.
  static let rowsOfMCU = 16

  let stage: Stage
  private let program: RowProgram
  private let area: (any AreaWorker)?
  private let workers = Pool<RowWorker>()
  private let pool: StripPool
  private let isCancelled: @Sendable () -> Bool

  init(_ stage: Stage, pool: StripPool, isCancelled: @escaping @Sendable () -> Bool) {
    self.stage = stage
    program = RowProgram(stage)
    area =
      if case .area(let operation, _) = stage.gathering { makeWorker(operation, stage) } else {
        nil
      }
    self.pool = pool
    self.isCancelled = isCancelled
  }

  var height: Int { stage.output.size.height }
  var isSequential: Bool { false }
  var output: StripShape { stage.output }
  var alignment: Int { stage.alignment }
  var rowsAtOnce: Int { Self.rowsOfMCU }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> {
    stage.inputRows(for: rows, of: input)
  }

  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip? {
    let strip = Strip(rows: rows, bytesPerRow: stage.output.bytesPerRow, pool: pool)
    try fill(strip, from: inputs)
    return strip
  }

  /// Writes the rows of a strip.
  ///
  /// - Parameter inputs: The rows of each level that the stage reads.
  func fill(_ strip: Strip, from inputs: [StripWindow]) throws(RenderError) {
    if isCancelled() { throw .cancelled }
    if case .turn(let orientation) = stage.gathering {
      TurnWorker(orientation, stage.input).fill(strip, from: inputs[0])
      return
    }
    if case .source(let source) = stage.gathering {
      source.fill(strip, stage.output)
      return
    }
    if let area, case .area(_, let fromPlane) = stage.gathering {
      let input = PlaneRows(inputs[0], stage.input)
      let output = PlaneStrip(strip, stage.output)
      output.copyPlanes(..<fromPlane, of: input)
      area.fill(output, planes: fromPlane..<output.planes, from: input)
      return
    }
    workers.with({ RowWorker(program) }) { worker in
      worker.run(
        rows: strip.rows, from: inputs[0], and: inputs.dropFirst(), into: strip.memory,
        bytesPerRow: strip.bytesPerRow)
    }
  }
}
