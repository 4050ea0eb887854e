// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage

extension RenderJob {
  /// Decodes, filters and encodes concurrently.
  func renderPixels(pool: StripPool = StripPool()) throws(RenderError) -> Rendering {
    try withSource { source throws(RenderError) in try renderPixels(source, pool: pool) }
  }

  /// Runs a body on the opened source, and again from the top if a restart interval is rejected:
  /// data that the body collects has to be created in it.
  func withSource<Result>(
    readsAgain: Bool = false, _ body: (PixelSource) throws(RenderError) -> Result
  ) throws(RenderError) -> Result {
    var job = self
    job.readsAgain = readsAgain
    return try withRestartIntervalsIfClean { usesRestartIntervals throws(RenderError) in
      try body(try PixelSource(job, usesRestartIntervals: usesRestartIntervals))
    }
  }

  /// Runs a body that may read restart intervals, and again from the top if one of them is
  /// rejected.
  func withRestartIntervalsIfClean<Result>(
    _ body: (_ usesRestartIntervals: Bool) throws(RenderError) -> Result
  ) throws(RenderError) -> Result {
    do throws(RenderError) {
      return try body(true)
    } catch {
      guard case .codec(JPEGRestartIntervals.refusal) = error else { throw error }
      return try body(false)
    }
  }

  private func renderPixels(
    _ source: PixelSource, pool: StripPool
  ) throws(RenderError) -> Rendering {
    let result = RenderPlan.Result.bytes(expandingGray: hasColorProfile)
    let plan = plan(source.shape, result: result)
    guard case .packed(let layout)? = plan.stages.last?.output.format else {
      preconditionFailure("byte plan must end in bytes")
    }
    let isGray = layout.channels == .gray
    let encoding = encoding(isGray: isGray)
    let settings = encoding.settings
    let usual = settings.usualBytes(for: plan.outputSize)
    let bandHeight = JPEGStripEncoder.bandHeight(settings)
    let tiles = tiles(of: plan, bandHeight: bandHeight)
    let (job, bytes) = try fitted {
      $0.memory(of: plan, tiles, source, lastHeight: bandHeight, result: usual)
    }
    return try MemoryBudget.process.holding(bytes, of: options.limits) {
      () throws(RenderError) in
      let plan = try job.measured(plan, of: source, pool: pool)
      return try job.renderPixels(
        source, plan, tiles, encoding, layout: layout, pool: pool, besidesResult: bytes - usual)
    }
  }

  private func renderPixels(
    _ source: PixelSource, _ plan: RenderPlan, _ tiles: TileLayout?, _ encoding: RenderEncoding,
    layout: RowLayout, pool: StripPool, besidesResult: Int
  ) throws(RenderError) -> Rendering {
    let settings = encoding.settings
    let facts = { (thumbnail: RenderedImageProperties.Thumbnail?, scan: SHA256Digest?) in
      rendered(
        isGray: settings.isGray, sampling: settings.sampling, thumbnail: thumbnail, scan: scan)
    }
    let namesScan = pixels != nil && image.metadata.hasInstanceIdentifier
    let early = drawsThumbnail || namesScan ? nil : facts(nil, nil)
    let assembler = try codec { () throws(CodecError) in
      try JPEGAssembler(
        size: plan.outputSize, segments: early?.segments ?? [],
        capacity: settings.mostBytes(for: plan.outputSize), writing: growingFile(early),
        besides: besidesResult, limits: options.limits)
    }
    let bandHeight = JPEGStripEncoder.bandHeight(settings)
    var (pipeline, filling, inputs) = try pipeline(
      source, plan, tiles, sampling: settings.isGray ? nil : settings.sampling, pool: pool)
    if finishesRows(of: plan), let pass = filling as? StageProducer {
      let last = pass.stage
      // The encoder takes many rows at once: those of the last pass, instead of those of each
      // branch that it reads.
      pipeline.append(pass, stripHeight: stripHeight(of: last), inputs: inputs)
      (filling, inputs) = (
        FinishedRows(output: last.output, separatesChannels: filling.separatesChannels),
        [pipeline.levels.count - 1]
      )
    }
    let sums =
      drawsThumbnail
      ? ThumbnailSums(
        size: plan.outputSize, channels: layout.channels.count,
        separatesChannels: filling.separatesChannels) : nil
    let levels = options.countsLevels ? LockedValue(LevelCounts()) : nil
    pipeline.append(
      BandEncoding(
        filling: filling, layout: layout, settings: settings, pool: pool, assembler: assembler,
        thumbnail: sums, levels: levels),
      stripHeight: bandHeight, inputs: inputs)
    try run(pipeline, stripsAhead: stripsAhead)
    let metadata =
      early ?? facts(sums?.thumbnail(isGray: settings.isGray), namesScan ? assembler.digest : nil)
    let jpeg = try codec { () throws(CodecError) in
      try assembler.finish(with: early == nil ? metadata.segments : nil)
    }
    var result = try rendering(
      jpeg, method: method(of: plan), encoding: encoding, metadata: metadata,
      pixelLosses: colorLosses(isGray: settings.isGray) + pixelLosses(isOpaque: source.isOpaque),
      notices: source.notices)
    result.levels = levels?.withLock { $0 }
    return result
  }

  /// Runs a plan and passes its strips to a sink, in any order.
  ///
  /// - Parameter result: The number of bytes that the receiver keeps.
  func deliver(
    _ plan: RenderPlan, of source: PixelSource, result: Int = 0,
    to sink: @escaping RowSink.Sink
  ) throws(RenderError) {
    guard let last = plan.stages.last else { preconditionFailure("plan has no passes") }
    let (job, bytes) = try fitted {
      $0.memory(of: plan, nil, source, lastHeight: $0.stripHeight(of: last), result: result)
    }
    try MemoryBudget.process.holding(bytes, of: options.limits) { () throws(RenderError) in
      try job.run(plan, of: source, to: sink)
    }
  }

  private func run(
    _ plan: RenderPlan, of source: PixelSource, to sink: @escaping RowSink.Sink
  ) throws(RenderError) {
    let pool = StripPool()
    let plan = try measured(plan, of: source, pool: pool)
    var pipeline = Pipeline()
    try append(plan, of: source, to: &pipeline, pool: pool, showing: sink)
    try run(pipeline, stripsAhead: stripsAhead)
  }

  /// Adds the decoder and all passes; the sink receives the strips of the last one.
  func append(
    _ plan: RenderPlan, of source: PixelSource, to pipeline: inout Pipeline, pool: StripPool,
    showing sink: @escaping RowSink.Sink
  ) throws(RenderError) {
    guard let last = plan.stages.last else { preconditionFailure("plan has no passes") }
    let samples = try append(source, for: plan, nil, to: &pipeline, pool: pool)
    let pixels = append(
      plan.stages.dropLast(), reading: samples, to: &pipeline, pool: pool)
    let stage = StageProducer(
      last, reading: samples, pool: pool, isCancelled: options.isCancelled)
    pipeline.append(
      RowSink(stage: stage, pool: pool, sink: sink), stripHeight: stripHeight(of: last),
      inputs: last.levels.map { $0 + pixels })
  }

  /// Returns the tiles of a plan for bytes; nil if it runs in strips.
  func tiles(of plan: RenderPlan, bandHeight: Int) -> TileLayout? {
    guard options.usesTiles else { return nil }
    return TileLayout(
      plan, result: .bytes(expandingGray: hasColorProfile), bandHeight: bandHeight,
      tileWidth: options.tileWidth)
  }

  /// Returns the plan for a result in the color space of its profile.
  func plan(_ source: StripShape, result: RenderPlan.Result) -> RenderPlan {
    let plan = workingPlan(source, result: result)
    return finished(from: plan)?.workingPlan(source, result: result) ?? plan
  }

  /// Returns the plan for a result in the color space that filters process.
  func workingPlan(_ source: StripShape, result: RenderPlan.Result) -> RenderPlan {
    guard isChain else {
      return RenderPlan(
        parts, source: source, orientation: image.metadata.orientation, background: background,
        result: result, isSimplified: options.simplifiesPlans)
    }
    return RenderPlan(
      operations, source: source, background: background, result: result,
      isSimplified: options.simplifiesPlans)
  }

  /// Returns the pipeline before the object that fills the encoder's rows, that object, and the
  /// levels that it reads.
  ///
  /// - Parameter sampling: The chroma sampling of the result; nil if it is gray.
  private func pipeline(
    _ source: PixelSource, _ plan: RenderPlan, _ tiles: TileLayout?, sampling: ChromaSampling?,
    pool: StripPool
  ) throws(RenderError) -> (Pipeline, any RowSource, inputs: [Int]) {
    guard let last = plan.stages.last else { preconditionFailure("plan has no passes") }
    var pipeline = Pipeline()
    let samples = try append(source, for: plan, tiles, to: &pipeline, pool: pool)
    let separatesChannels =
      sampling?.isHandledInPlanes == true && last.canSeparateChannels(reading: samples)
    if let tiles {
      let rotations = plan.stages.prefix(tiles.passesBefore(in: plan))
      _ = append(rotations, reading: samples, to: &pipeline, pool: pool)
      let chain = TileChain(
        tiles, reading: rotations.isEmpty ? samples : nil, separatesChannels: separatesChannels,
        pool: pool, isCancelled: options.isCancelled)
      return (pipeline, chain, [pipeline.levels.count - 1])
    }
    let pixels = append(
      plan.stages.dropLast(), reading: samples, to: &pipeline, pool: pool)
    let pass = StageProducer(
      last, reading: samples, separatesChannels: separatesChannels, pool: pool,
      isCancelled: options.isCancelled)
    return (pipeline, pass, last.levels.map { $0 + pixels })
  }

  /// Adds the decoder; returns the layout of its samples, unless it delivers pixels.
  func append(
    _ source: PixelSource, for plan: RenderPlan, _ tiles: TileLayout?, to pipeline: inout Pipeline,
    pool: StripPool
  ) throws(RenderError) -> JPEGPlaneLayout? {
    if let rotation = source.rotationOfColumns(in: plan, tiles, of: self),
      let samples = try source.appendColumns(for: rotation, to: &pipeline, pool: pool, of: self)
    {
      return samples
    }
    return try source.append(
      to: &pipeline, deliversPlanes: source.canDeliverPlanes(to: plan.stages), pool: pool, of: self)
  }

  /// Adds some passes; returns the level of the decoder's pixels or samples, which is the last one.
  func append(
    _ stages: ArraySlice<Stage>, reading samples: JPEGPlaneLayout?, to pipeline: inout Pipeline,
    pool: StripPool
  ) -> Int {
    let pixels = pipeline.levels.count - 1
    for stage in stages {
      pipeline.append(
        StageProducer(stage, reading: samples, pool: pool, isCancelled: options.isCancelled),
        stripHeight: stripHeight(of: stage), inputs: stage.levels.map { $0 + pixels })
    }
    return pixels
  }

  /// Returns the height of the strips of a pass.
  func stripHeight(of stage: Stage) -> Int {
    let height = stripHeight(bytesPerRow: stage.output.bytesPerRow)
    return options.stripHeight ?? max(stage.fewestRowsPerStrip, min(height, stage.mostRowsPerStrip))
  }

  /// Returns the height of a strip: as many rows as fit into the cache of a core together with the
  /// rows computed from them.
  func stripHeight(bytesPerRow: Int) -> Int {
    if let height = options.stripHeight { return height }
    let fitting = StripPool.targetByteCount / max(1, bytesPerRow)
    return fitting < 16 ? max(1, fitting) : min(fitting / 16 * 16, 256)
  }
}
