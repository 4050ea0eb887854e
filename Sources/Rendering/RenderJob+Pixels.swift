// SPDX-License-Identifier: Apache-2.0
import Codecs
import Pixels
import Storage

extension RenderJob {
  /// Decodes, filters and encodes, all at once.
  func renderPixels(pool: StripPool = StripPool()) throws(RenderError) -> Rendering {
    try withSource { source throws(RenderError) in try renderPixels(source, pool: pool) }
  }

  /// Decodes and filters.
  func renderRaster() throws(RenderError) -> Raster {
    try withSource { source throws(RenderError) in try renderRaster(source) }
  }

  /// Runs a body on the opened source, a second time from the top if a slice is refused: what the
  /// body collects has to begin in it.
  func withSource<Result>(
    _ body: (PixelSource) throws(RenderError) -> Result
  ) throws(RenderError) -> Result {
    try withSlicesIfClean { usesSlices throws(RenderError) in
      try body(try PixelSource(self, usesSlices: usesSlices))
    }
  }

  /// Runs a body that may read slices, and once more from the top if one of them is refused.
  func withSlicesIfClean<Result>(
    _ body: (_ usesSlices: Bool) throws(RenderError) -> Result
  ) throws(RenderError) -> Result {
    do throws(RenderError) {
      return try body(true)
    } catch {
      guard case .codec(JPEGSlices.refusal) = error else { throw error }
      return try body(false)
    }
  }

  private func renderPixels(
    _ source: PixelSource, pool: StripPool
  ) throws(RenderError) -> Rendering {
    let result = RenderPlan.Result.bytes(expandingGray: hasColorProfile)
    let plan = plan(source.shape, result: result)
    guard case .packed(let layout)? = plan.stages.last?.output.format else {
      preconditionFailure("a plan for bytes ends in bytes")
    }
    let isGray = layout.channels == .gray
    let encoding = options.quality.encoding(
      frame: picture.frame, isGray: isGray, swapsAxes: turn.swapsAxes)
    let settings = encoding.settings
    let facts = { thumbnail in
      rendered(isGray: isGray, sampling: settings.sampling, thumbnail: thumbnail)
    }
    let early = drawsThumbnail ? nil : facts(nil)
    let sums =
      drawsThumbnail
      ? ThumbnailSums(size: plan.outputSize, channels: layout.channels.count) : nil
    let assembler = try codec { () throws(CodecError) in
      try JPEGAssembler(size: plan.outputSize, segments: early?.segments ?? [])
    }
    let bandHeight = JPEGStripEncoder.bandHeight(settings)
    let tiles =
      options.usesTiles
      ? TileChain(
        plan, background: background, result: result, bandHeight: bandHeight,
        tileWidth: options.tileWidth, pool: pool, isCancelled: options.isCancelled) : nil
    var (pipeline, filling, inputs) = pipeline(source, plan, tiles, pool: pool)
    pipeline.append(
      BandEncoding(
        filling, layout: layout, settings: settings, pool: pool, assembler: assembler,
        thumbnail: sums),
      stripHeight: bandHeight, inputs: inputs)
    try StripScheduler(pipeline, threads: threads).run(threads: threads)
    let metadata = early ?? facts(sums?.thumbnail(isGray: settings.isGray))
    let jpeg = try codec { () throws(CodecError) in
      try assembler.finish(with: early == nil ? metadata.segments : nil)
    }
    return rendering(
      jpeg, method: method(of: plan), encoding: encoding, metadata: metadata,
      pixelLosses: colorLosses(isGray: isGray) + pixelLosses, notices: source.notices)
  }

  private func renderRaster(_ source: PixelSource) throws(RenderError) -> Raster {
    let plan = plan(source.shape, result: .floats)
    let size = plan.outputSize
    let planes = Guarded(
      [[Float]](
        repeating: [Float](repeating: 0, count: size.pixelCount), count: plan.outputPlanes))
    try deliver(plan, of: source) { strip in
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
    return Raster(size: size, planes: planes.withLock { $0 })
  }

  /// Runs a plan for floats and hands its strips to somebody, in any order.
  func deliver(
    _ plan: RenderPlan, of source: PixelSource, to sink: @escaping RowDelivery.Sink
  ) throws(RenderError) {
    let pool = StripPool()
    var (pipeline, last, inputs) = pipeline(source, plan.stages, pool: pool)
    pipeline.append(
      RowDelivery(last, pool: pool, sink: sink), stripHeight: stripHeight(of: last.stage),
      inputs: inputs)
    try StripScheduler(pipeline, threads: threads).run(threads: threads)
  }

  /// The plan for a result in the numbers of its profile.
  func plan(_ source: StripShape, result: RenderPlan.Result) -> RenderPlan {
    let plan = workingPlan(source, result: result)
    return finished(from: plan)?.workingPlan(source, result: result) ?? plan
  }

  /// The plan for a result in the numbers that filters work on.
  func workingPlan(_ source: StripShape, result: RenderPlan.Result) -> RenderPlan {
    guard isChain else {
      return RenderPlan(
        parts, source: source, orientation: picture.metadata.orientation, background: background,
        result: result, isSimplified: options.simplifiesPlans)
    }
    return RenderPlan(
      operations, source: source, background: background, result: result,
      isSimplified: options.simplifiesPlans)
  }

  /// Everything in front of what fills the encoder's rows, that, and the levels that it reads.
  private func pipeline(
    _ source: PixelSource, _ plan: RenderPlan, _ tiles: TileChain?, pool: StripPool
  ) -> (Pipeline, any RowFilling, inputs: [Int]) {
    guard let tiles else { return pipeline(source, plan.stages, pool: pool) }
    let turns = plan.stages.prefix(plan.stages.count - plan.stagesAfterTurn.count)
    var pipeline = Pipeline()
    _ = append(source, turns, to: &pipeline, pool: pool)
    return (pipeline, tiles, [pipeline.levels.count - 1])
  }

  /// Everything in front of the last pass, that pass, and the levels that it reads.
  private func pipeline(
    _ source: PixelSource, _ stages: [Stage], pool: StripPool
  ) -> (Pipeline, StageProducer, inputs: [Int]) {
    guard let last = stages.last else { preconditionFailure("a plan has a pass") }
    var pipeline = Pipeline()
    let pixels = append(source, stages.dropLast(), to: &pipeline, pool: pool)
    return (
      pipeline, StageProducer(last, pool: pool, isCancelled: options.isCancelled),
      last.levels.map { $0 + pixels }
    )
  }

  /// Adds the decoder and some passes; gives the level of the decoder's pixels.
  private func append(
    _ source: PixelSource, _ stages: ArraySlice<Stage>, to pipeline: inout Pipeline,
    pool: StripPool
  ) -> Int {
    source.append(to: &pipeline, pool: pool, stripHeight: stripHeight(bytesPerRow:))
    let pixels = pipeline.levels.count - 1
    for stage in stages {
      pipeline.append(
        StageProducer(stage, pool: pool, isCancelled: options.isCancelled),
        stripHeight: stripHeight(of: stage), inputs: stage.levels.map { $0 + pixels })
    }
    return pixels
  }

  /// Rows of the strips that a pass gives.
  func stripHeight(of stage: Stage) -> Int {
    let height = stripHeight(bytesPerRow: stage.output.bytesPerRow)
    return options.stripHeight ?? max(stage.fewestRowsPerStrip, min(height, stage.mostRowsPerStrip))
  }

  /// Rows of a strip: as many as fit into the cache of a core, together with what is made of them.
  func stripHeight(bytesPerRow: Int) -> Int {
    if let height = options.stripHeight { return height }
    let fitting = StripPool.targetByteCount / max(1, bytesPerRow)
    return fitting < 16 ? max(1, fitting) : min(fitting / 16 * 16, 256)
  }
}
