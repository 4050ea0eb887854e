// SPDX-License-Identifier: Apache-2.0
public import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage

extension Renderer {
  /// Bakes the effect of a graph on single colors into a 3D LUT, unclamped, using the rendering
  /// engine.
  ///
  /// Between entries, a 3D LUT approximates the graph as closely as its size allows; a baked graph
  /// is a look, not an edit.
  ///
  /// - Parameter size: The entries along a side, 2 to 129.
  /// - Throws: `BakingError.notPointwise` naming every node that needs more than the color of a
  ///   single pixel.
  public static func cube(
    _ graph: FilterGraph, size: Int = 33, options: RenderOptions = RenderOptions()
  ) throws(BakingError) -> ColorLUT3D {
    guard CubeFile.allowedCubeSize.contains(size) else { throw .size(size) }
    let reasons = graph.unbakeableNodes
    guard reasons.isEmpty else { throw .notPointwise(reasons) }
    let lowered = try translating(
      BakingError.graph,
      graph.lowered(
        size: PixelSize(width: size * size, height: size),
        assets: AssetReader(graph, options).contents()))
    guard lowered.isChain else { preconditionFailure("graphs that combine images were rejected") }
    let entries = try translating(BakingError.render) { () throws(RenderError) in
      try lowered.parts[0].operations.map(\.onEvenAreas).colors(
        entries: size, isCancelled: options.isCancelled)
    }
    return try translating(BakingError.table, ColorLUT3D(size: size, entries: entries))
  }
}

extension [FilterOperation] {
  /// Returns the results of pointwise operations for the colors of a grid, unclamped, red changing
  /// fastest.
  ///
  /// - Parameter entries: The number of levels of each channel, which are evenly spaced from 0 to 1.
  func colors(
    entries: Int, isCancelled: @escaping @Sendable () -> Bool
  ) throws(RenderError) -> [SIMD3<Float>] {
    let pool = StripPool()
    let grid = ColorGrid(entries: entries, pool: pool)
    let plan = RenderPlan(self, source: grid.shape, background: .white, result: .floats)
    guard plan.stages.count == 1, let stage = plan.stages.first, stage.inputMapping == .rows,
      plan.outputSize == grid.shape.size
    else { preconditionFailure("a pointwise filter needs a single pass") }
    let colors = LockedValue(
      [SIMD3<Float>](repeating: SIMD3(), count: entries * entries * entries))
    let producer = StageProducer(stage, pool: pool, isCancelled: isCancelled)
    let delivery = RowSink(stage: producer, pool: pool) { strip in
      colors.withLock { colors in
        for y in strip.rows { colors.read(strip, row: y, planes: plan.outputPlanes, of: grid) }
      }
    }
    var pipeline = Pipeline()
    pipeline.append(grid, stripHeight: 1)
    pipeline.append(delivery, stripHeight: 1)
    try StripScheduler(pipeline, threads: 1).run(threads: 1)
    return colors.withLock { $0 }
  }
}

extension [SIMD3<Float>] {
  /// Copies the colors of a row; a gray image has a single plane.
  fileprivate mutating func read(_ strip: Strip, row y: Int, planes: Int, of grid: ColorGrid) {
    let row = strip.row(y).assumingMemoryBound(to: Float.self)
    let width = grid.shape.size.width
    for x in 0..<width {
      self[y * width + x] =
        planes == 1
        ? SIMD3(repeating: row[x]) : SIMD3(row[x], row[width + x], row[2 * width + x])
    }
  }
}

/// An image of the colors of a 3D LUT's entries, in the form of the output of an earlier pass.
///
/// Row b holds all colors with the b-th blue, red changing fastest, so that its pixels, row by row,
/// are the entries of the LUT.
final class ColorGrid: StripProducer {
  let entries: Int
  private let pool: StripPool

  init(entries: Int, pool: StripPool) { (self.entries, self.pool) = (entries, pool) }

  var shape: StripShape {
    StripShape(size: PixelSize(width: entries * entries, height: entries), format: .planes(3))
  }

  var name: String { "grid of colors" }
  var height: Int { entries }
  var isSequential: Bool { false }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> { 0..<0 }

  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip? {
    let strip = Strip(rows: rows, bytesPerRow: shape.bytesPerRow, pool: pool)
    let width = entries * entries
    let last = Double(entries - 1)
    for blue in rows {
      let row = strip.row(blue).assumingMemoryBound(to: Float.self)
      for column in 0..<width {
        row[column] = Float(Double(column % entries) / last)
        row[width + column] = Float(Double(column / entries) / last)
        row[2 * width + column] = Float(Double(blue) / last)
      }
    }
    return strip
  }
}
