// SPDX-License-Identifier: Apache-2.0
import Codecs
import Filters
import Pixels
import Synchronization

@testable import Rendering

/// Runs plans without an encoder, so that tests see the bytes it would be given.
enum PlanRunning {
  /// The plan of a chain for 8-bit samples.
  static func plan(_ picture: Picture, _ graph: FilterGraph) throws -> RenderPlan {
    let job = try RenderJob(picture, graph, options: RenderOptions())
    return RenderPlan(
      job.operations,
      source: StripShape(size: picture.header.size, format: .packed(picture.header.layout)),
      background: graph.background, result: .bytes(expandingGray: false))
  }

  /// The samples that the encoder would be given.
  static func bytes(_ picture: Picture, _ graph: FilterGraph) throws -> SampleImage {
    let plan = try plan(picture, graph)
    guard case .packed(let layout)? = plan.stages.last?.output.format else {
      preconditionFailure("a plan for bytes ends in bytes")
    }
    let result = Mutex(SampleImage(size: plan.outputSize, layout: layout))
    let runner = StageRunner(
      plan, decoder: try ImageDecoders.open(picture.bytes), isCancelled: { false }
    ) { strip in
      result.withLock { image in
        for y in strip.rows {
          let row = UnsafeRawBufferPointer(start: strip.row(y), count: strip.bytesPerRow)
          let first = y * strip.bytesPerRow
          image.bytes.replaceSubrange(first..<first + strip.bytesPerRow, with: row)
        }
      }
    }
    let scheduler = StripScheduler(plan, stripHeight: 16, lastStripHeight: 16, threads: 2)
    try scheduler.run(threads: 2) { level, rows, window throws(RenderError) in
      try runner.run(level: level, rows: rows, window: window)
    }
    return result.withLock { $0 }
  }
}
