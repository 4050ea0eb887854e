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
  static func bytes(_ source: ImageSource, _ graph: FilterGraph) throws -> ImageBuffer {
    let plan = try plan(source, graph)
    guard case .packed(let layout)? = plan.stages.last?.output.format else {
      preconditionFailure("byte plan must end in bytes")
    }
    let result = LockedValue(ImageBuffer(size: plan.outputSize, layout: layout))
    let pool = StripPool()
    var pipeline = Pipeline()
    pipeline.append(
      RowDecoding(try ImageDecoders.open(source.bytes), pool: pool), stripHeight: 16)
    let stages = plan.stages.map { StageProducer($0, pool: pool, isCancelled: { false }) }
    for producer in stages.dropLast() {
      pipeline.append(producer, stripHeight: 16, inputs: producer.stage.levels)
    }
    let delivery = RowSink(stages[stages.count - 1], pool: pool) { strip in
      result.withLock { image in
        for y in strip.rows {
          let row = UnsafeRawBufferPointer(start: strip.row(y), count: strip.bytesPerRow)
          let first = y * strip.bytesPerRow
          image.bytes.replaceSubrange(first..<first + strip.bytesPerRow, with: row)
        }
      }
    }
    pipeline.append(
      delivery, stripHeight: 16, inputs: stages[stages.count - 1].stage.levels)
    try StripScheduler(pipeline, threads: 2).run(threads: 2)
    return result.withLock { $0 }
  }
}
