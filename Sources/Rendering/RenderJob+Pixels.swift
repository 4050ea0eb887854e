// SPDX-License-Identifier: Apache-2.0
import Codecs
import Pixels
import Synchronization

extension RenderJob {
  /// Decodes, filters and encodes, all at once.
  func renderPixels() throws(RenderError) -> Rendering {
    let source = try PixelSource(self)
    let plan = plan(source.shape, result: .bytes(expandingGray: hasColorProfile))
    guard case .packed(let layout)? = plan.stages.last?.output.format else {
      preconditionFailure("a plan for bytes ends in bytes")
    }
    let isGray = layout.channels == .gray
    let settings = options.quality.settings(
      frame: picture.frame, isGray: isGray, swapsAxes: turn.swapsAxes)
    let pool = StripPool()
    var (pipeline, last) = pipeline(source, plan, pool: pool)
    let encoding = BandEncoding(last, layout: layout, settings: settings, pool: pool)
    pipeline.append(encoding, stripHeight: JPEGStripEncoder.bandHeight(settings))
    try StripScheduler(pipeline, threads: threads).run(threads: threads)
    let profileIsForGray = picture.metadata.iccColorSpace == "GRAY"
    let isConverted = picture.header.sourceColor == .cmyk || picture.header.sourceColor == .ycck
    let (segments, losses) = segments(
      isGray: isGray, keepsProfile: !isConverted && !(profileIsForGray && !isGray))
    let jpeg = try codec { () throws(CodecError) in
      try JPEGAssembler.join(bands: encoding.result, size: plan.outputSize, segments: segments)
    }
    return rendering(jpeg, path: .pixels, losses: losses + pixelLosses, notices: source.notices)
  }

  /// Decodes and filters.
  func renderRaster() throws(RenderError) -> Raster {
    let source = try PixelSource(self)
    let plan = plan(source.shape, result: .floats)
    let size = plan.outputSize
    let planes = Mutex(
      [[Float]](
        repeating: [Float](repeating: 0, count: size.pixelCount), count: plan.outputPlanes))
    let pool = StripPool()
    var (pipeline, last) = pipeline(source, plan, pool: pool)
    let delivery = RowDelivery(last, pool: pool) { strip in
      planes.withLock { planes in
        for y in strip.rows {
          let row = strip.row(y).assumingMemoryBound(to: Float.self)
          for index in planes.indices {
            for x in 0..<size.width {
              planes[index][y * size.width + x] = row[index * size.width + x]
            }
          }
        }
      }
    }
    pipeline.append(delivery, stripHeight: stripHeight(bytesPerRow: last.stage.output.bytesPerRow))
    try StripScheduler(pipeline, threads: threads).run(threads: threads)
    return Raster(size: size, planes: planes.withLock { $0 })
  }

  private func plan(_ source: StripShape, result: RenderPlan.Result) -> RenderPlan {
    RenderPlan(operations, source: source, background: background, result: result)
  }

  /// Everything in front of the last pass, and that pass.
  private func pipeline(
    _ source: PixelSource, _ plan: RenderPlan, pool: StripPool
  ) -> (Pipeline, last: StageProducer) {
    var pipeline = Pipeline()
    source.append(to: &pipeline, pool: pool, stripHeight: stripHeight(bytesPerRow:))
    var stages = plan.stages.map { StageProducer($0, pool: pool, isCancelled: options.isCancelled) }
    guard let last = stages.popLast() else { preconditionFailure("a plan has a pass") }
    for stage in stages {
      pipeline.append(
        stage, stripHeight: stripHeight(bytesPerRow: stage.stage.output.bytesPerRow))
    }
    return (pipeline, last)
  }

  /// Rows of a strip: as many as fit into the cache of a core, together with what is made of them.
  private func stripHeight(bytesPerRow: Int) -> Int {
    if let height = options.stripHeight { return height }
    let fitting = StripPool.targetByteCount / max(1, bytesPerRow)
    return min(max(8, fitting / 8 * 8), 256)
  }
}
