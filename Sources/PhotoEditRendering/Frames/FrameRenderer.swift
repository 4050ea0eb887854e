// SPDX-License-Identifier: Apache-2.0
package import PhotoEditCodecs
public import PhotoEditFilters
public import PhotoEditPixels
import PhotoEditStorage

/// Renders one graph on many frames of one size, as photos are rendered; for video.
///
/// Everything that follows from the graph and the size alone is worked out once. A renderer may be
/// used by many threads at once; each call works on its own thread and needs memory for some rows
/// besides the frames. Steps that adapt to the whole picture adapt to each frame.
public struct FrameRenderer: Sendable {
  /// Size of frames as they lie in memory.
  public var inputSize: PixelSize { recipe.source.size }
  /// Size of results.
  public let outputSize: PixelSize
  /// How a result is to be turned upright: like the frames, or, when the graph moves pixels, not at
  /// all.
  public var resultOrientation: Orientation { recipe.resultOrientation }
  /// Whether a pixel of a result may show another place than that of the frame does.
  package var movesPixels: Bool { recipe.movesPixels }
  /// Planes of a result: one for gray, or three.
  package let outputPlanes: Int

  private let recipe: FrameRecipe
  private let result: RenderPlan.Result
  private let pool = StripPool()
  private let isCancelled: @Sendable () -> Bool
  /// Nil where each frame needs a plan of its own.
  private let prepared: FramePipeline?

  /// Takes rows of a result, planes of floats one behind the other in each row.
  package typealias Writing = @Sendable (Range<Int>, UnsafeRawPointer) -> Void
  /// Writes rows of a frame, one behind the other.
  package typealias Reading =
    @Sendable (Range<Int>, UnsafeMutableRawPointer) throws(RenderError) -> Void

  /// Prepares a graph for frames of interleaved samples; results are 8-bit samples.
  ///
  /// - Parameters:
  ///   - graph: What is done; a picture that it was made for is of no account.
  ///   - size: Of the frames as they lie in memory.
  ///   - layout: Of the frames.
  ///   - orientation: How frames are to be turned upright; the graph sees them so.
  ///   - scale: Pixels of a frame per pixel of the picture that lengths of the graph, and places in
  ///     whole pixels, are meant for.
  ///   - options: Where assets are found, and whether to go on; the rest is not used.
  /// - Throws: `RenderError.graph`, `tooLarge`.
  public init(
    _ graph: FilterGraph, size: PixelSize, layout: RowLayout, orientation: Orientation = .up,
    scale: Double = 1, options: RenderOptions = RenderOptions()
  ) throws(RenderError) {
    let source = StripShape(size: size, format: .packed(layout))
    try self.init(
      try FrameRecipe(
        graph, source: source, orientation: orientation, scale: scale, space: .sRGB,
        primaries: .sRGB, options: options),
      .bytes(expandingGray: layout.channels.colorCount == 3), options.isCancelled)
  }

  /// Prepares a graph for frames of three planes of floats; results are such planes, or one.
  ///
  /// - Parameters:
  ///   - space: How numbers become light; filters see them with the curve of sRGB.
  ///   - primaries: The lights that the numbers stand for.
  package init(
    planes graph: FilterGraph, size: PixelSize, orientation: Orientation, space: TransferFunction,
    primaries: ColorPrimaries = .sRGB, scale: Double = 1, options: RenderOptions = RenderOptions()
  ) throws(RenderError) {
    let source = StripShape(size: size, format: .planes(3))
    try self.init(
      try FrameRecipe(
        graph, source: source, orientation: orientation, scale: scale, space: space,
        primaries: primaries, options: options),
      .floats, options.isCancelled)
  }

  /// Prepares operations for frames of three planes of floats, made upright first.
  package init(
    operations: [FilterOperation], size: PixelSize, orientation: Orientation
  ) throws(RenderError) {
    let source = StripShape(size: size, format: .planes(3))
    try self.init(
      FrameRecipe(operations, source: source, orientation: orientation), .floats, { false })
  }

  private init(
    _ recipe: FrameRecipe, _ result: RenderPlan.Result,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(RenderError) {
    self.recipe = recipe
    self.result = result
    self.isCancelled = isCancelled
    var supposed = recipe
    while let found = supposed.adaptation {
      supposed = supposed.resolving(
        part: found.part, index: found.index,
        with: found.step.resolved(
          .even(tiles: found.step.tiles), size: supposed.source.size))
    }
    let plan = supposed.plan(result)
    outputSize = plan.outputSize
    outputPlanes = plan.outputPlanes
    guard outputSize.longEdge <= 65_500 else { throw .tooLarge(outputSize) }
    prepared =
      recipe.adaptation == nil
      ? FramePipeline(plan, pool: pool, isCancelled: isCancelled) : nil
  }

  /// Renders a frame; the result is gray where the frame is, or else RGB.
  ///
  /// - Parameter frame: Of the size and layout that the renderer was prepared for.
  /// - Throws: `RenderError.cancelled`.
  public func render(_ frame: SampleImage) throws(RenderError) -> SampleImage {
    precondition(
      recipe.source == StripShape(size: frame.size, format: .packed(frame.layout)),
      "the frame is not of the kind that was prepared for")
    let pipeline = try pipeline(for: reading(frame))
    guard case .packed(let layout)? = pipeline.plan.stages.last?.output.format else {
      preconditionFailure("a plan for bytes ends in bytes")
    }
    let image = Guarded(SampleImage(size: pipeline.plan.outputSize, layout: layout))
    try pipeline.run(reading: reading(frame)) { strip in
      image.withLock { image in
        image.bytes.withUnsafeMutableBytes { bytes in
          UnsafeMutableRawBufferPointer(
            rebasing: bytes[(strip.rows.lowerBound * strip.bytesPerRow)...]
          )
          .copyMemory(
            from: UnsafeRawBufferPointer(
              start: strip.memory, count: strip.rows.count * strip.bytesPerRow))
        }
      }
    }
    return image.withLock { $0 }
  }

  /// Renders a frame of planes, some rows at a time; rows of the result come in any order, beginning
  /// at even ones.
  package func run(
    reading: @escaping Reading, writing: @escaping Writing
  ) throws(RenderError) {
    try pipeline(for: reading).run(reading: reading) { writing($0.rows, $0.memory) }
  }

  private func reading(_ frame: SampleImage) -> Reading {
    let bytesPerRow = frame.layout.bytesPerRow(width: frame.size.width)
    return { rows, memory throws(RenderError) in
      frame.bytes.withUnsafeBytes { bytes in
        let part = bytes[(rows.lowerBound * bytesPerRow)..<(rows.upperBound * bytesPerRow)]
        UnsafeMutableRawBufferPointer(start: memory, count: part.count)
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
      }
    }
  }

  /// The passes for a frame, after what looks at the whole of it has looked.
  private func pipeline(for reading: @escaping Reading) throws(RenderError) -> FramePipeline {
    if let prepared { return prepared }
    var recipe = recipe
    while let found = recipe.adaptation {
      let before = recipe.prefix(part: found.part, index: found.index).plan(.floats)
      let (columns, rows) = found.step.tiles
      let (size, planes) = (before.outputSize, before.outputPlanes)
      let grid = TileGrid(columns: columns, rows: rows, size: size)
      let counts = Guarded(LevelCounts(tiles: columns * rows))
      try FramePipeline(before, pool: pool, isCancelled: isCancelled).run(reading: reading) {
        strip in
        counts.withLock {
          $0.count(strip, width: size.width, planes: planes, columns: columns, grid)
        }
      }
      let statistics = counts.withLock { $0.statistics }
      recipe = recipe.resolving(
        part: found.part, index: found.index,
        with: found.step.resolved(statistics, size: size))
    }
    return FramePipeline(recipe.plan(result), pool: pool, isCancelled: isCancelled)
  }
}

extension PictureStatistics {
  /// Those of a picture whose levels all occur equally often.
  fileprivate static func even(tiles: (columns: Int, rows: Int)) -> PictureStatistics {
    let even = Histogram(Array(repeating: 1, count: 256))
    return PictureStatistics(
      channels: [even, even, even],
      luma: Array(repeating: even, count: tiles.columns * tiles.rows))
  }
}
