// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels

/// The division of the passes of a plan, after a rotation, into columns of tiles.
///
/// Every tile has a plan of its own: that of the operations followed by a crop.
struct TileLayout: Sendable {
  /// The limit in bytes for the rows between the passes of a tile.
  private static let byteBudget = 320 << 10
  private static let narrowestTile = 128

  /// One column of tiles.
  struct Tile {
    /// The passes that run row by row, on the columns of the tile.
    var passes: [Stage]
    /// The first column of the tile in its source and in the result.
    var firstColumn: Int
    var outputColumn: Int
    /// The part of a projection's result that the tile is computed from.
    var warped: Region?
  }

  /// The passes.
  let stages: [Stage]
  /// The rotation before them that happens within the tiles; other rotations are passes of their
  /// own, which the plan has before these.
  let rotation: Stage?
  /// The projection along which the first two passes sample the source, if they do, and the size of
  /// the largest part of the source that some rows of a tile depend on.
  let warp: (warp: Warp, most: PixelSize)?
  let tiles: [Tile]
  /// The number of rows of a pass that are computed at a time.
  let rowsPerChunk: Int
  /// The number of rows kept of each pass of a tile except the last.
  let capacities: [Int]

  /// Divides a plan; returns nil if strips are just as good.
  ///
  /// - Parameters:
  ///   - bandHeight: The number of rows per request; halos are computed again for each request.
  ///   - tileWidth: The columns of a tile; if nil, the cache size determines them.
  init?(
    _ plan: RenderPlan, result: RenderPlan.Result, bandHeight: Int, tileWidth: Int? = nil
  ) {
    guard plan.isChain else { return nil }
    let stages = plan.stagesAfterRotation
    let warp = WarpedSource.warp(of: stages)
    // The first two passes of a projection run together; the others see only their output.
    let passes = { (stages: [Stage]) in
      if warp == nil { return stages }
      var passes = Array(stages.dropFirst())
      passes[0].inputMapping = .rows
      return passes
    }
    let ownPasses = passes(stages)
    guard ownPasses.count > 1, let last = stages.last, case .packed = last.output.format,
      case .packed = stages[0].input.format, ownPasses.allSatisfy(\.canBeTiled),
      Self.isWorthwhile(ownPasses, bandHeight: bandHeight)
    else { return nil }
    let rowsPerChunk = warp == nil ? 8 : WarpedSource.rowsAtOnce
    let capacities = Self.capacities(of: ownPasses, rowsPerChunk: rowsPerChunk)
    let bytesPerColumn = zip(ownPasses, capacities).reduce(0) { sum, entry in
      sum + entry.1 * entry.0.output.bytesPerRow / max(1, entry.0.output.size.width)
    }
    let fitting = max(Self.narrowestTile, Self.byteBudget / max(1, bytesPerColumn) / 64 * 64)
    let width = tileWidth ?? (warp == nil ? fitting : WarpedSource.tileWidth)
    var tiles: [Tile] = []
    for first in stride(from: 0, to: last.output.size.width, by: width) {
      let columns = first..<min(first + width, last.output.size.width)
      let tile = plan.tile(columns, result: result)
      let tilePasses = passes(tile.plan.stages)
      // Rows must be those of the entire image; otherwise, a tile would lack the rows above it.
      guard tile.plan.stages.count == stages.count,
        zip(tilePasses, ownPasses).allSatisfy({
          $0.inputRows(for: 0..<1) == $1.inputRows(for: 0..<1)
        })
      else { return nil }
      tiles.append(
        Tile(
          // A projection reads the source of the plan, also if that begins with a crop.
          passes: tilePasses, firstColumn: warp == nil ? tile.firstColumn : 0, outputColumn: first,
          warped: WarpedSource.warp(of: tile.plan.stages)?.region))
    }
    self.stages = stages
    rotation =
      if warp != nil, let first = plan.stages.first,
        case .rotation(let orientation) = first.inputMapping,
        orientation.swapsAxes
      {
        first
      } else {
        nil
      }
    (self.tiles, self.rowsPerChunk, self.capacities) = (tiles, rowsPerChunk, capacities)
    guard let warp else {
      self.warp = nil
      return
    }
    guard let most = WarpedSource.mostPixels(stages, warp, tiles: tiles.compactMap(\.warped)) else {
      return nil
    }
    self.warp = (warp, most)
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
  private static func capacities(of stages: [Stage], rowsPerChunk: Int) -> [Int] {
    stages.dropFirst().map { stage in
      let height = stage.output.size.height
      return (0..<height).reduce(1) { most, first in
        max(most, stage.inputRows(for: first..<min(first + rowsPerChunk, height)).count)
      }
    }
  }

  /// Returns the number of passes of a plan that run before the tiles.
  func passesBefore(in plan: RenderPlan) -> Int {
    rotation == nil ? plan.stages.count - stages.count : 0
  }

  /// Returns the memory for the rows between some passes of a tile, in bytes.
  static func byteCount(_ passes: [Stage], capacities: [Int]) -> Int {
    zip(passes, capacities).reduce(0) { $0 + $1.1 * $1.0.output.spacedBytesPerRow }
  }

  /// The memory of a thread for a tile, in bytes.
  var bytesPerThread: Int {
    let rows = tiles.map { Self.byteCount($0.passes, capacities: capacities) }
    let source = warp.map { $0.most.width * $0.most.height * 4 * MemoryLayout<Float>.stride } ?? 0
    return (rows.max() ?? 0) + (rotation == nil ? 1 : 2) * source
  }
}
