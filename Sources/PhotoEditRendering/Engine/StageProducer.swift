// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels

/// Runs one pass of a plan.
final class StageProducer: StripProducer, RowSource {
  /// The number of rows that the encoder takes at once: those of one MCU, so that no rows wait.
  static let rowsOfMCU = 16

  let stage: Stage
  let separatesChannels: Bool
  /// The layout of the rows of the first input, if they are MCU rows.
  private let samples: JPEGPlaneLayout?
  private let program: RowProgram
  private let area: (any AreaWorker)?
  private let workers = ObjectPool<RowWorker>()
  private let pool: StripPool
  private let isCancelled: @Sendable () -> Bool

  /// Prepares a pass.
  ///
  /// - Parameters:
  ///   - samples: The layout of the source's samples, if it delivers them instead of pixels.
  ///   - separatesChannels: Whether the channels of the result's bytes are stored one after the
  ///     other in each row.
  init(
    _ stage: Stage, reading samples: JPEGPlaneLayout? = nil, separatesChannels: Bool = false,
    pool: StripPool, isCancelled: @escaping @Sendable () -> Bool
  ) {
    self.stage = stage
    self.separatesChannels = separatesChannels
    self.samples = stage.level == 0 ? samples : nil
    program = RowProgram(
      stage, reading: stage.inputMapping == .rows ? self.samples : nil,
      bytesPerChannel: separatesChannels ? stage.output.size.width : nil)
    area =
      if case .area(let operation, _) = stage.inputMapping {
        makeWorker(operation, stage)
      } else {
        nil
      }
    self.pool = pool
    self.isCancelled = isCancelled
  }

  var name: String { stage.descriptions.joined(separator: " + ") }
  var height: Int { stage.output.size.height }
  var isSequential: Bool { false }
  var startsAtTop: Bool { stage.startsAtTop }
  // In a pass from the top, each thread works on another plane.
  var mostAtOnce: Int { startsAtTop ? stage.imagePlanes : .max }
  var output: StripShape { stage.output }
  var alignment: Int { stage.alignment }
  var rowsAtOnce: Int { Self.rowsOfMCU }

  func inputRows(for outputRows: Range<Int>, of input: Int) -> Range<Int> {
    let rows = stage.inputRows(for: outputRows, of: input)
    guard input == 0, let samples, !rows.isEmpty else { return rows }
    if let columns = samples.columns, case .rotation(let orientation) = stage.inputMapping {
      return OrientationWorker(orientation, stage.input).bands(
        for: outputRows, columns, samples.sampling)
    }
    return samples.rows(forPixelRows: rows)
  }

  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip? {
    if let strip = stage.keptRows?.strip(at: rows.lowerBound) { return strip }
    let strip = Strip(rows: rows, bytesPerRow: stage.output.bytesPerRow, pool: pool)
    try fill(strip, from: inputs)
    return strip
  }

  /// Writes the rows of a strip.
  ///
  /// - Parameter inputs: The rows of each level that the stage reads.
  func fill(_ strip: Strip, from inputs: [StripWindow]) throws(RenderError) {
    // In a pass from the top, the strips below would wait for this one.
    if !startsAtTop, isCancelled() { throw .cancelled }
    if case .rotation(let orientation) = stage.inputMapping {
      let worker = OrientationWorker(orientation, stage.input)
      if let samples, let columns = samples.columns {
        worker.fill(strip, from: inputs[0], samples, columns)
      } else if let samples {
        worker.fill(strip, from: inputs[0], samples)
      } else {
        worker.fill(strip, from: inputs[0])
      }
      return
    }
    if case .source(let source) = stage.inputMapping {
      source.fill(strip, stage.output)
      return
    }
    if let area, case .area(_, let fromPlane) = stage.inputMapping {
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
