// SPDX-License-Identifier: Apache-2.0
import Codecs
import Pixels
import Synchronization

extension RenderJob {
  /// Decodes, filters and encodes, all at once.
  func renderPixels() throws(RenderError) -> Rendering {
    try withSource { source throws(RenderError) in try renderPixels(source) }
  }

  /// Decodes and filters.
  func renderRaster() throws(RenderError) -> Raster {
    try withSource { source throws(RenderError) in try renderRaster(source) }
  }

  /// Runs a body with the source, and once more from the beginning to end if slices are damaged.
  private func withSource<Result>(
    _ body: (PixelSource) throws(RenderError) -> Result
  ) throws(RenderError) -> Result {
    let source = try PixelSource(self, usesSlices: true)
    do throws(RenderError) {
      return try body(source)
    } catch {
      guard source.hasSlices, case .codec(.damaged) = error else { throw error }
      return try body(try PixelSource(self, usesSlices: false))
    }
  }

  private func renderPixels(_ source: PixelSource) throws(RenderError) -> Rendering {
    let plan = plan(source.shape, result: .bytes(expandingGray: hasColorProfile))
    guard case .packed(let layout)? = plan.stages.last?.output.format else {
      preconditionFailure("a plan for bytes ends in bytes")
    }
    let isGray = layout.channels == .gray
    let settings = options.quality.settings(
      frame: picture.frame, isGray: isGray, swapsAxes: turn.swapsAxes)
    let profileIsForGray = picture.metadata.iccColorSpace == "GRAY"
    let isConverted = picture.header.sourceColor == .cmyk || picture.header.sourceColor == .ycck
    let (segments, losses) = segments(
      isGray: isGray, keepsProfile: !isConverted && !(profileIsForGray && !isGray))
    let assembler = try codec { () throws(CodecError) in
      try JPEGAssembler(size: plan.outputSize, segments: segments)
    }
    let pool = StripPool()
    var (pipeline, last) = pipeline(source, plan, pool: pool)
    pipeline.append(
      BandEncoding(last, layout: layout, settings: settings, pool: pool, assembler: assembler),
      stripHeight: JPEGStripEncoder.bandHeight(settings))
    try StripScheduler(pipeline, threads: threads).run(threads: threads)
    let jpeg = try codec { () throws(CodecError) in try assembler.finish() }
    return rendering(
      jpeg, method: method(of: plan), losses: losses + pixelLosses, notices: source.notices)
  }

  private func renderRaster(_ source: PixelSource) throws(RenderError) -> Raster {
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

  func plan(_ source: StripShape, result: RenderPlan.Result) -> RenderPlan {
    RenderPlan(
      operations, source: source, background: background, result: result,
      isSimplified: options.simplifiesPlans)
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
  func stripHeight(bytesPerRow: Int) -> Int {
    if let height = options.stripHeight { return height }
    let fitting = StripPool.targetByteCount / max(1, bytesPerRow)
    return fitting < 16 ? max(1, fitting) : min(fitting / 16 * 16, 256)
  }
}
