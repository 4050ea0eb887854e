// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage

@testable import PhotoEditRendering

/// Runs plans without an encoder, so that tests see its input bytes.
enum PlanRunning {
  /// The plan of a chain for 8-bit samples.
  static func plan(_ image: ImageSource, _ graph: FilterGraph) throws -> RenderPlan {
    let job = try RenderJob(image, graph, options: RenderOptions()).adapted()
    return job.plan(
      StripShape(size: image.header.size, format: .packed(image.header.layout)),
      result: .bytes(expandingGray: false))
  }

  /// The samples passed to the encoder.
  ///
  /// - Parameter keepsRows: Whether rows before wavelet transforms are kept.
  static func bytes(
    _ source: ImageSource, _ graph: FilterGraph, keepsRows: Bool = false
  ) throws -> ImageBuffer {
    let pool = StripPool()
    func decoding() throws(RenderError) -> Pipeline {
      var pipeline = Pipeline()
      let decoder = try codec { () throws(CodecError) in try ImageDecoders.open(source.bytes) }
      pipeline.append(
        RowDecoding(decoder: decoder, pool: pool, transparency: TransparencyFinding()),
        stripHeight: 16)
      return pipeline
    }
    func append(_ stages: some Sequence<Stage>, to pipeline: inout Pipeline) {
      for stage in stages {
        pipeline.append(
          StageProducer(stage, pool: pool, isCancelled: { false }), stripHeight: 16,
          inputs: stage.levels)
      }
    }
    let plan = try plan(source, graph)
    let kept = keepsRows ? plan.levelsToKeep(isCheap: false, limit: .max) : []
    let measured = try plan.measured(keeping: kept) { plan, level, end throws(RenderError) in
      var pipeline = try decoding()
      append(plan.stages[..<level], to: &pipeline)
      pipeline.append(end)
      try StripScheduler(pipeline, threads: 2).run(threads: 2)
    }
    guard case .packed(let layout)? = measured.stages.last?.output.format else {
      preconditionFailure("byte plan must end in bytes")
    }
    let result = LockedValue(ImageBuffer(size: measured.outputSize, layout: layout))
    var pipeline = try decoding()
    append(measured.stages.dropLast(), to: &pipeline)
    guard let last = measured.stages.last else { preconditionFailure("plan has no passes") }
    let delivery = RowSink(
      stage: StageProducer(last, pool: pool, isCancelled: { false }), pool: pool
    ) { strip in
      result.withLock { image in
        for y in strip.rows {
          let row = UnsafeRawBufferPointer(start: strip.row(y), count: strip.bytesPerRow)
          let first = y * strip.bytesPerRow
          image.bytes.replaceSubrange(first..<first + strip.bytesPerRow, with: row)
        }
      }
    }
    pipeline.append(delivery, stripHeight: 16, inputs: last.levels)
    try StripScheduler(pipeline, threads: 2).run(threads: 2)
    return result.withLock { $0 }
  }
}
