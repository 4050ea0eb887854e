// SPDX-License-Identifier: Apache-2.0
package import PhotoEditCodecs
public import PhotoEditFilters
public import PhotoEditPixels
import PhotoEditStorage

/// Renders one graph on many frames of one size with the photo pipeline; for video.
///
/// Everything that depends only on the graph and the size is computed once. A renderer can be used
/// by many threads at once; each call works on its own thread and needs memory for some rows in
/// addition to the frames. Steps that adapt to the whole image adapt to each frame.
public struct FrameRenderer: Sendable {
  /// The size of frames as stored.
  public var inputSize: PixelSize { settings.source.size }
  /// The size of results.
  public let outputSize: PixelSize
  /// The orientation to apply to a result: that of the frames, or `up` if the graph moves pixels.
  public var resultOrientation: Orientation { settings.resultOrientation }
  /// Indicates whether a pixel of a result may show a different point than the same pixel of the
  /// frame.
  package var movesPixels: Bool { settings.movesPixels }
  /// The number of planes of a result: one for gray, or three.
  package let outputPlanes: Int

  private let settings: FrameSettings
  private let result: RenderPlan.Result
  private let pool = StripPool()
  private let isCancelled: @Sendable () -> Bool
  /// The prepared passes; nil if each frame needs a plan of its own.
  private let prepared: FramePipeline?

  /// Receives rows of a result; each row consists of consecutive planes of floats.
  package typealias Writing = @Sendable (Range<Int>, UnsafeRawPointer) -> Void
  /// Writes rows of a frame contiguously.
  package typealias Reading =
    @Sendable (Range<Int>, UnsafeMutableRawPointer) throws(RenderError) -> Void

  /// Prepares a graph for frames of interleaved samples; results are 8-bit samples.
  ///
  /// - Parameters:
  ///   - graph: The filter graph; its source image, if any, is ignored.
  ///   - size: The size of the frames as stored.
  ///   - layout: The layout of the frames.
  ///   - orientation: The orientation to apply to frames before they are passed to the graph.
  ///   - scale: Pixels of a frame per pixel of the image that the graph's lengths and integer pixel
  ///     positions refer to.
  ///   - options: The source of attachments and the cancellation check; the rest is not used.
  /// - Throws: `RenderError.graph`, `tooLarge`.
  public init(
    _ graph: FilterGraph, size: PixelSize, layout: RowLayout, orientation: Orientation = .up,
    scale: Double = 1, options: RenderOptions = RenderOptions()
  ) throws(RenderError) {
    let source = StripShape(size: size, format: .packed(layout))
    try self.init(
      try FrameSettings(
        graph, source: source, orientation: orientation, scale: scale, space: .sRGB,
        primaries: .sRGB, options: options),
      .bytes(expandingGray: layout.channels.colorCount == 3), options.isCancelled)
  }

  /// Prepares a graph for frames of three planes of floats; results are three such planes, or one.
  ///
  /// - Parameters:
  ///   - space: The transfer function of the code values; filters receive them with that of sRGB.
  ///   - primaries: The primaries of the code values.
  package init(
    planes graph: FilterGraph, size: PixelSize, orientation: Orientation, space: TransferFunction,
    primaries: ColorPrimaries = .sRGB, scale: Double = 1, options: RenderOptions = RenderOptions()
  ) throws(RenderError) {
    let source = StripShape(size: size, format: .planes(3))
    try self.init(
      try FrameSettings(
        graph, source: source, orientation: orientation, scale: scale, space: space,
        primaries: primaries, options: options),
      .floats, options.isCancelled)
  }

  /// Prepares operations for frames of three planes of floats, whose orientation is applied first.
  package init(
    operations: [FilterOperation], size: PixelSize, orientation: Orientation
  ) throws(RenderError) {
    let source = StripShape(size: size, format: .planes(3))
    try self.init(
      FrameSettings(operations, source: source, orientation: orientation), .floats, { false })
  }

  private init(
    _ settings: FrameSettings, _ result: RenderPlan.Result,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(RenderError) {
    (self.settings, self.result, self.isCancelled) = (settings, result, isCancelled)
    var provisional = settings
    provisional.parts = settings.parts.withSuppositions(size: settings.source.size)
    let plan = provisional.plan(result)
    outputSize = plan.outputSize
    outputPlanes = plan.outputPlanes
    guard outputSize.longEdge <= 65_500 else { throw .tooLarge(outputSize) }
    prepared =
      settings.parts.adaptation == nil && !plan.needsMeasurements
      ? FramePipeline(plan, pool: pool, isCancelled: isCancelled) : nil
  }

  /// Renders a frame; the result is gray if the frame is, and otherwise RGB.
  ///
  /// - Parameter frame: A frame of the size and layout that the renderer was prepared for.
  /// - Throws: `RenderError.cancelled`.
  public func render(_ frame: ImageBuffer) throws(RenderError) -> ImageBuffer {
    precondition(
      settings.source == StripShape(size: frame.size, format: .packed(frame.layout)),
      "the frame is not of the kind that was prepared for")
    let pipeline = try pipeline(for: reading(frame))
    guard case .packed(let layout)? = pipeline.plan.stages.last?.output.format else {
      preconditionFailure("byte plan must end in bytes")
    }
    let image = LockedValue(ImageBuffer(size: pipeline.plan.outputSize, layout: layout))
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

  /// Renders a frame of planes, some rows at a time; rows of the result arrive in any order,
  /// starting at even rows.
  package func run(
    reading: @escaping Reading, writing: @escaping Writing
  ) throws(RenderError) {
    try pipeline(for: reading).run(reading: reading) { writing($0.rows, $0.memory) }
  }

  private func reading(_ frame: ImageBuffer) -> Reading {
    let bytesPerRow = frame.layout.bytesPerRow(width: frame.size.width)
    return { rows, memory throws(RenderError) in
      frame.bytes.withUnsafeBytes { bytes in
        let part = bytes[(rows.lowerBound * bytesPerRow)..<(rows.upperBound * bytesPerRow)]
        UnsafeMutableRawBufferPointer(start: memory, count: part.count)
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
      }
    }
  }

  /// Returns the passes for a frame, after resolving the steps that read the entire frame.
  private func pipeline(for reading: @escaping Reading) throws(RenderError) -> FramePipeline {
    if let prepared { return prepared }
    var settings = settings
    while let found = settings.parts.adaptation {
      var measuring = settings
      measuring.parts = settings.parts.measuring(found)
      let before = measuring.plan(.floats)
      let (columns, rows) = found.step.tiles
      let (size, planes) = (before.outputSize, before.outputPlanes)
      let grid = TileGrid(columns: columns, rows: rows, size: size)
      let counts = LockedValue(LevelHistogram(tiles: columns * rows))
      let pipeline = try FramePipeline(
        before, pool: pool, isCancelled: isCancelled, measuring: reading)
      try pipeline.run(reading: reading) { strip in
        counts.withLock {
          $0.count(strip, width: size.width, planes: planes, columns: columns, grid)
        }
      }
      let statistics = counts.withLock { $0.statistics }
      settings.parts.replace(found, with: found.step.resolved(statistics, size: size))
    }
    return try FramePipeline(
      settings.plan(result), pool: pool, isCancelled: isCancelled, measuring: reading)
  }
}
