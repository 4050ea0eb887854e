// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels

/// Several passes with small halos, executed together, one column of tiles after another.
///
/// The intermediate rows between passes are a few rows of a narrow tile, which stay in the
/// second-level cache, instead of strips as wide as the image.
final class TileChain: RowSource {
  let output: StripShape
  let separatesChannels: Bool
  var rowsAtOnce: Int { output.size.height }
  var name: String { layout.stages.flatMap(\.descriptions).joined(separator: " + ") }

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

    var byteCount: Int { TileLayout.byteCount(stages, capacities: capacities) }
  }

  private struct Tile {
    var passes: Passes
    /// The first column of the tile in its source.
    var firstColumn: Int
    /// Bytes from the first pixel of a row to the first pixel of the tile.
    var sourceOffset: Int
    var outputOffset: Int
    /// The part of a projection's result that the tile is computed from.
    var warped: Region?
  }

  private let layout: TileLayout
  private let samples: JPEGPlaneLayout?
  private let tiles: [Tile]
  private let warped: WarpedSource?
  private let pool: StripPool
  private let isCancelled: @Sendable () -> Bool

  /// Prepares the passes of tiles.
  ///
  /// - Parameters:
  ///   - samples: The layout of the source's samples, if it delivers them instead of pixels.
  ///   - separatesChannels: Whether the channels of the result's bytes are stored one after the
  ///     other in each row.
  init(
    _ layout: TileLayout, reading samples: JPEGPlaneLayout? = nil, separatesChannels: Bool = false,
    pool: StripPool, isCancelled: @escaping @Sendable () -> Bool
  ) {
    guard let first = layout.stages.first, let last = layout.stages.last,
      case .packed(let source) = first.input.format, case .packed(let result) = last.output.format
    else { preconditionFailure("tiles are computed from bytes to bytes") }
    var rotation = Orientation.up
    if case .rotation(let orientation)? = layout.rotation?.inputMapping { rotation = orientation }
    warped = layout.warp.map {
      WarpedSource(
        layout.stages, $0.warp, mostPixels: $0.most, after: rotation, reading: samples, pool: pool)
    }
    let direct = warped == nil ? samples : nil
    var tiles: [Tile] = []
    for tile in layout.tiles {
      let shared =
        tiles.last.flatMap { $0.passes.stages == tile.passes ? $0.passes : nil }
        ?? Passes(
          tile.passes, capacities: layout.capacities, reading: direct,
          bytesPerChannel: separatesChannels ? last.output.size.width : nil)
      tiles.append(
        Tile(
          passes: shared, firstColumn: tile.firstColumn,
          sourceOffset: samples == nil ? tile.firstColumn * source.bytesPerPixel : 0,
          outputOffset: tile.outputColumn * (separatesChannels ? 1 : result.bytesPerPixel),
          warped: tile.warped))
    }
    output = last.output
    self.separatesChannels = separatesChannels
    self.samples = samples
    self.layout = layout
    self.tiles = tiles
    self.pool = pool
    self.isCancelled = isCancelled
  }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> {
    var rows = layout.stages.reversed().reduce(rows) { $1.inputRows(for: $0) }
    if let rotation = layout.rotation { rows = rotation.inputRows(for: rows) }
    guard let samples, !rows.isEmpty else { return rows }
    return samples.rows(forPixelRows: rows)
  }

  func fill(_ strip: Strip, from inputs: [StripWindow]) throws(RenderError) {
    let window = inputs[0]
    let available = layout.stages.dropFirst().reversed().reduce(strip.rows) {
      $1.inputRows(for: $0)
    }
    for tile in tiles {
      if isCancelled() { throw .cancelled }
      let passes = tile.passes
      let memory = pool.allocate(max(1, passes.byteCount))
      defer { pool.recycle(memory, max(1, passes.byteCount)) }
      passes.workers.with({ passes.programs.map { RowWorker($0) } }) { workers in
        var run = TileRun(
          stages: passes.stages, capacities: passes.capacities, workers: workers, memory: memory,
          source: window.shifted(by: tile.sourceOffset, firstColumn: tile.firstColumn),
          warped: warped.flatMap { warped in tile.warped.map { (warped, $0, available) } },
          rowsPerChunk: layout.rowsPerChunk)
        run.fill(
          strip.rows, into: strip.memory + tile.outputOffset, bytesPerRow: strip.bytesPerRow)
      }
    }
  }
}
