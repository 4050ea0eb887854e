// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage

/// A plan and the passes that execute it, for any number of frames on any number of threads; for
/// one frame if a pass is a wavelet transform.
final class FramePipeline: Sendable {
  /// Writes some rows of a frame contiguously.
  typealias Reading = @Sendable (Range<Int>, UnsafeMutableRawPointer) throws(RenderError) -> Void

  let plan: RenderPlan
  private let passes: [StageProducer]
  /// The memory of strips, reused for the next frame.
  private let pool: StripPool

  init(_ plan: RenderPlan, pool: StripPool, isCancelled: @escaping @Sendable () -> Bool) {
    (self.plan, self.pool) = (plan, pool)
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
    var pipeline = Self.pipeline(passes.dropLast(), of: plan, pool: pool, reading: reading)
    pipeline.append(
      RowSink(stage: last, pool: pool, sink: sink),
      stripHeight: (last.stage.stripHeightInFrames + 1) / 2 * 2, inputs: last.stage.levels)
    try StripScheduler(pipeline, threads: 1).run(threads: 1)
  }

  private static func pipeline(
    _ passes: some Sequence<StageProducer>, of plan: RenderPlan, pool: StripPool,
    reading: @escaping Reading
  ) -> Pipeline {
    var pipeline = Pipeline()
    pipeline.append(
      FrameReading(shape: plan.source, pool: pool, reading: reading),
      stripHeight: StripPool.stripHeight(bytesPerRow: plan.source.bytesPerRow))
    for pass in passes {
      pipeline.append(
        pass, stripHeight: pass.stage.stripHeightInFrames, inputs: pass.stage.levels)
    }
    return pipeline
  }

  /// Prepares a plan for one frame, which its wavelet transforms, if any, measure.
  convenience init(
    _ plan: RenderPlan, pool: StripPool, isCancelled: @escaping @Sendable () -> Bool,
    measuring reading: @escaping Reading
  ) throws(RenderError) {
    let kept = plan.levelsToKeep(isCheap: true, limit: ImageLimits().maximumMemoryBytes / 2)
    let measured = try plan.measured(keeping: kept) { plan, level, end throws(RenderError) in
      let passes = plan.stages[..<level].map {
        StageProducer($0, pool: pool, isCancelled: isCancelled)
      }
      var pipeline = Self.pipeline(passes, of: plan, pool: pool, reading: reading)
      pipeline.append(end)
      try StripScheduler(pipeline, threads: 1).run(threads: 1)
    }
    self.init(measured, pool: pool, isCancelled: isCancelled)
  }
}

extension Stage {
  /// The height of its strips in a frame.
  fileprivate var stripHeightInFrames: Int {
    let height = StripPool.stripHeight(bytesPerRow: output.bytesPerRow)
    return max(fewestRowsPerStrip, min(height, mostRowsPerStrip))
  }
}

/// The rows of a frame in memory.
struct FrameReading: StripProducer {
  let shape: StripShape
  let pool: StripPool
  let reading: FramePipeline.Reading

  var name: String { "frame" }
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

/// The processing settings for every frame of one format: a lowered graph that is not planned yet.
struct FrameSettings: Sendable {
  /// The size and layout of the frames as stored.
  let source: StripShape
  /// The orientation to apply to frames before they are passed to the graph.
  let orientation: Orientation
  /// The orientation to apply to results.
  let resultOrientation: Orientation
  /// Indicates whether the graph does more than change colors in place.
  let movesPixels: Bool
  let background: SIMD3<Double>
  var parts: [LoweredGraph.Part]
  private let isChain: Bool

  /// Lowers a graph for frames with their orientation applied.
  ///
  /// - Parameters:
  ///   - space: The transfer function of the code values, if it is not that of sRGB.
  ///   - primaries: The primaries of the code values.
  init(
    _ graph: FilterGraph, source: StripShape, orientation: Orientation, scale: Double,
    space: TransferFunction, primaries: ColorPrimaries, options: RenderOptions
  ) throws(RenderError) {
    let orientedSize = orientation.applied(to: source.size)
    let workingSpace = WorkingSpace(matrixToD65XYZ: primaries.matrixToD65XYZ)
    let lowered = try translating(RenderError.graph) { () throws(UnsupportedNode) in
      try graph.lowered(
        size: orientedSize, assets: try AssetReader(graph, options).contents(),
        coordinateScale: scale, space: workingSpace
      ) { _ in scale }
    }
    var parts = lowered.parts
    let (numbers, hasCurveOfSRGB) = graph.backgroundNumbers(in: workingSpace)
    var background = numbers
    if space != .sRGB, lowered.changesColors(channels: source.channels, source: orientedSize) {
      let curve = TransferCurve.parametric(space.curve)
      let into = FilterOperation.curves(ChannelCurves(ToneCurve([.transfer(curve), .encode])))
      let back = ToneCurve([.decode, .inverseTransfer(curve)])
      if hasCurveOfSRGB {
        background = SIMD3(back(background.x), back(background.y), back(background.z))
      }
      for index in parts.indices where parts[index].source == .image {
        parts[index].operations.insert(into, at: 0)
      }
      parts[parts.count - 1].operations.append(.curves(ChannelCurves(back)))
    }
    let moves = parts.contains { $0.operations.contains(where: \.movesPixels) }
    if !moves, orientation != .up {
      parts[parts.count - 1].operations.append(.orient(orientation.inverse))
    }
    self.init(
      parts, isChain: lowered.isChain, source: source, orientation: orientation,
      movesPixels: moves, background: background)
  }

  /// Creates settings for one chain of operations.
  init(_ operations: [FilterOperation], source: StripShape, orientation: Orientation) {
    self.init(
      [LoweredGraph.Part(source: .image, operations: operations)], isChain: true,
      source: source, orientation: orientation, movesPixels: true,
      background: .white)
  }

  private init(
    _ parts: [LoweredGraph.Part], isChain: Bool, source: StripShape, orientation: Orientation,
    movesPixels: Bool, background: SIMD3<Double>
  ) {
    (self.source, self.orientation, self.movesPixels) = (source, orientation, movesPixels)
    resultOrientation = movesPixels ? .up : orientation
    (self.background, self.isChain, self.parts) = (background, isChain, parts)
    if isChain {
      self.parts[0].operations = parts[0].operations.withRotationsFirst(
        after: orientation, stored: source.size)
    } else {
      let sizes = LoweredGraph(parts: parts).sizes(
        image: orientation.applied(to: source.size))
      for index in parts.indices {
        self.parts[index].operations = parts[index].operations.withRotationsFirst(
          after: .up, stored: sizes.sources[index])
      }
    }
  }

  func plan(_ result: RenderPlan.Result) -> RenderPlan {
    guard isChain else {
      return RenderPlan(
        parts, source: source, orientation: orientation, background: background, result: result)
    }
    return RenderPlan(parts[0].operations, source: source, background: background, result: result)
  }
}

extension StripShape {
  /// The channels of its rows.
  fileprivate var channels: ChannelLayout {
    switch format {
    case .packed(let layout): layout.channels
    case .planes(let count): count == 1 ? .gray : .rgb
    }
  }
}
