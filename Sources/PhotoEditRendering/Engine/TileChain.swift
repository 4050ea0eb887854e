// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels

/// Several passes with small halos, executed together, one column of tiles after another.
///
/// The intermediate rows between passes are a few rows of a narrow tile, which stay in the
/// second-level cache, instead of strips as wide as the image. Every tile has a plan of its own:
/// that of the operations followed by a crop.
final class TileChain: RowSource {
  /// The limit in bytes for the rows between the passes of a tile.
  private static let byteBudget = 320 << 10
  /// The number of rows of a pass that are computed at a time.
  private static let rowsPerChunk = 8
  private static let narrowestTile = 128

  let output: StripShape
  let separatesChannels: Bool
  var rowsAtOnce: Int { output.size.height }
  var tileCount: Int { tiles.count }

  /// The passes shared by all tiles with equal stages.
  private final class Passes: Sendable {
    let stages: [Stage]
    let programs: [RowProgram]
    /// The number of rows kept of each pass except the last.
    let capacities: [Int]
    let workers = ObjectPool<[RowWorker]>()

    init(
      _ stages: [Stage], capacities: [Int], reading samples: JPEGPlaneLayout?,
      bytesPerChannel: Int?
    ) {
      self.stages = stages
      self.capacities = capacities
      programs = stages.enumerated().map { index, stage in
        RowProgram(
          stage, reading: index == 0 ? samples : nil,
          bytesPerChannel: index == stages.count - 1 ? bytesPerChannel : nil)
      }
    }

    var byteCount: Int {
      zip(stages, capacities).reduce(0) { $0 + $1.1 * $1.0.output.spacedBytesPerRow }
    }
  }

  private struct Tile {
    var passes: Passes
    /// The first column of the tile in its source.
    var firstColumn: Int
    /// Bytes from the first pixel of a row to the first pixel of the tile.
    var sourceOffset: Int
    var outputOffset: Int
  }

  private let stages: [Stage]
  private let samples: JPEGPlaneLayout?
  private let tiles: [Tile]
  private let pool: StripPool
  private let isCancelled: @Sendable () -> Bool

  /// Prepares the passes of a plan that follow a rotation; returns nil if strips are just as good.
  ///
  /// - Parameters:
  ///   - samples: The layout of the source's samples, if it delivers them instead of pixels.
  ///   - separatesChannels: Whether the channels of the result's bytes are stored one after the
  ///     other in each row.
  ///   - bandHeight: The number of rows per request; halos are computed again for each request.
  ///   - tileWidth: The columns of a tile; if nil, the cache size determines them.
  init?(
    _ plan: RenderPlan, reading samples: JPEGPlaneLayout? = nil, separatesChannels: Bool = false,
    result: RenderPlan.Result, bandHeight: Int, tileWidth: Int? = nil,
    pool: StripPool, isCancelled: @escaping @Sendable () -> Bool
  ) {
    guard plan.isChain else { return nil }
    let stages = plan.stagesAfterRotation
    guard stages.count > 1, let last = stages.last, case .packed(let layout) = last.output.format,
      case .packed(let sourceLayout) = stages[0].input.format,
      stages.allSatisfy(\.canBeTiled),
      Self.isWorthwhile(stages, bandHeight: bandHeight)
    else { return nil }
    let capacities = Self.capacities(of: stages)
    let bytesPerColumn = zip(stages, capacities).reduce(0) { sum, entry in
      sum + entry.1 * entry.0.output.bytesPerRow / max(1, entry.0.output.size.width)
    }
    let fitting = max(Self.narrowestTile, Self.byteBudget / max(1, bytesPerColumn) / 64 * 64)
    let width = tileWidth ?? fitting
    var tiles: [Tile] = []
    for first in stride(from: 0, to: last.output.size.width, by: width) {
      let columns = first..<min(first + width, last.output.size.width)
      let tile = plan.tile(columns, result: result)
      // Rows must be those of the entire image; otherwise, a tile would lack the rows above it.
      guard tile.plan.stages.count == stages.count,
        zip(tile.plan.stages, stages).allSatisfy({
          $0.inputRows(for: 0..<1) == $1.inputRows(for: 0..<1)
        })
      else { return nil }
      let passes =
        tiles.last.flatMap { $0.passes.stages == tile.plan.stages ? $0.passes : nil }
        ?? Passes(
          tile.plan.stages, capacities: capacities, reading: samples,
          bytesPerChannel: separatesChannels ? last.output.size.width : nil)
      tiles.append(
        Tile(
          passes: passes, firstColumn: tile.firstColumn,
          sourceOffset: samples == nil ? tile.firstColumn * sourceLayout.bytesPerPixel : 0,
          outputOffset: first * (separatesChannels ? 1 : layout.bytesPerPixel)))
    }
    output = last.output
    self.separatesChannels = separatesChannels
    self.samples = samples
    self.stages = stages
    self.tiles = tiles
    self.pool = pool
    self.isCancelled = isCancelled
  }

  /// Returns whether recomputing halos for every band costs less than strips of whole rows: no pass
  /// may recompute more than a quarter of its rows.
  private static func isWorthwhile(_ stages: [Stage], bandHeight: Int) -> Bool {
    guard let last = stages.last else { return false }
    let height = last.output.size.height
    var bands = stride(from: 0, to: height, by: bandHeight).map {
      $0..<min($0 + bandHeight, height)
    }
    var all = 0..<height
    for stage in stages.dropFirst().reversed() {
      bands = bands.map { stage.inputRows(for: $0) }
      all = stage.inputRows(for: all)
      if bands.reduce(0, { $0 + $1.count }) * 4 > all.count * 5 { return false }
    }
    return true
  }

  /// Returns the number of rows of every pass except the last that the next pass needs at the same
  /// time.
  private static func capacities(of stages: [Stage]) -> [Int] {
    stages.dropFirst().map { stage in
      let height = stage.output.size.height
      return (0..<height).reduce(1) { most, first in
        max(most, stage.inputRows(for: first..<min(first + rowsPerChunk, height)).count)
      }
    }
  }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> {
    let rows = stages.reversed().reduce(rows) { $1.inputRows(for: $0) }
    guard let samples, !rows.isEmpty else { return rows }
    return samples.rows(forPixelRows: rows)
  }

  func fill(_ strip: Strip, from inputs: [StripWindow]) throws(RenderError) {
    let window = inputs[0]
    for tile in tiles {
      if isCancelled() { throw .cancelled }
      let passes = tile.passes
      let memory = pool.allocate(max(1, passes.byteCount))
      defer { pool.recycle(memory, max(1, passes.byteCount)) }
      passes.workers.with({ passes.programs.map { RowWorker($0) } }) { workers in
        var run = TileRun(
          stages: passes.stages, capacities: passes.capacities, workers: workers, memory: memory,
          source: window.shifted(by: tile.sourceOffset, firstColumn: tile.firstColumn),
          rowsPerChunk: Self.rowsPerChunk)
        run.fill(
          strip.rows, into: strip.memory + tile.outputOffset, bytesPerRow: strip.bytesPerRow)
      }
    }
  }
}
