// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// A plan and the passes that execute it, for any number of frames on any number of threads.
final class FramePipeline: Sendable {
  /// Writes some rows of a frame contiguously.
  typealias Reading = @Sendable (Range<Int>, UnsafeMutableRawPointer) throws(RenderError) -> Void

  let plan: RenderPlan
  private let passes: [StageProducer]
  /// The memory of strips, reused for the next frame.
  private let pool: StripPool

  init(_ plan: RenderPlan, pool: StripPool, isCancelled: @escaping @Sendable () -> Bool) {
    self.plan = plan
    self.pool = pool
    passes = plan.stages.map { StageProducer($0, pool: pool, isCancelled: isCancelled) }
  }

  /// Renders one frame on this thread.
  ///
  /// - Parameters:
  ///   - reading: Provides rows of the frame in the format of `plan.source`; rows may be requested
  ///     twice.
  ///   - sink: Receives rows of the result in any order; strips start at even rows.
  func run(reading: @escaping Reading, sink: @escaping RowSink.Sink) throws(RenderError) {
    guard let last = passes.last else { preconditionFailure("plan has no passes") }
    var pipeline = Pipeline()
    pipeline.append(
      FrameReading(plan.source, pool: pool, reading: reading),
      stripHeight: StripPool.stripHeight(bytesPerRow: plan.source.bytesPerRow))
    for pass in passes.dropLast() {
      pipeline.append(pass, stripHeight: stripHeight(of: pass.stage), inputs: pass.stage.levels)
    }
    let height = stripHeight(of: last.stage)
    pipeline.append(
      RowSink(last, pool: pool, sink: sink), stripHeight: (height + 1) / 2 * 2,
      inputs: last.stage.levels)
    try StripScheduler(pipeline, threads: 1).run(threads: 1)
  }

  private func stripHeight(of stage: Stage) -> Int {
    let height = StripPool.stripHeight(bytesPerRow: stage.output.bytesPerRow)
    return max(stage.fewestRowsPerStrip, min(height, stage.mostRowsPerStrip))
  }
}

/// The rows of a frame in memory.
final class FrameReading: StripProducer {
  private let shape: StripShape
  private let pool: StripPool
  private let reading: FramePipeline.Reading

  init(_ shape: StripShape, pool: StripPool, reading: @escaping FramePipeline.Reading) {
    self.shape = shape
    self.pool = pool
    self.reading = reading
  }

  var height: Int { shape.size.height }
  var isSequential: Bool { false }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> { 0..<0 }

  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip? {
    let strip = Strip(rows: rows, bytesPerRow: shape.bytesPerRow, pool: pool)
    try reading(rows, strip.memory)
    return strip
  }
}

extension StripPool {
  /// Returns the rows of a strip: as many as fit into the cache of a core together with the rows
  /// computed from them.
  static func stripHeight(bytesPerRow: Int) -> Int {
    let fitting = targetByteCount / max(1, bytesPerRow)
    return fitting < 16 ? max(1, fitting) : min(fitting / 16 * 16, 256)
  }
}
