// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
public import PhotoEditPixels

/// A lookup table with one entry for each of 256 levels; linear between them.
public struct LumaTable: Sendable, Hashable, PixelMapping {
  /// The output for the levels 0, 1/255, …, 1.
  public let levels: [Float]

  /// Creates a table of 256 levels, 0 to 1.
  public init(_ levels: [Float]) {
    precondition(levels.count == 256, "a level for each byte")
    self.levels = levels
  }

  /// Returns the output for a level; levels outside 0 to 1 are clamped.
  public func callAsFunction(_ level: Double) -> Double {
    let position = min(max(level, 0), 1) * 255
    let index = min(Int(position), 254)
    let (low, high) = (Double(levels[index]), Double(levels[index + 1]))
    return low + (high - low) * (position - Double(index))
  }

  package var preservesGray: Bool { true }

  package func callAsFunction(_ color: SIMD3<Double>, x: Int, y: Int) -> SIMD3<Double> {
    let luma = PixelMap.luma(color)
    return color + (self(luma) - luma)
  }

  package var kernel: PixelKernel { pe_luma_table }

  package func constants(in memory: any KernelMemory) -> UnsafeRawPointer {
    UnsafeRawPointer(memory.store(levels))
  }
}

/// A table for each tile of a grid; between the centers of four tiles their levels are
/// interpolated.
public struct TiledLumaTables: Sendable, Hashable, PixelMapping {
  /// The number of tiles in a row.
  public let columns: Int
  /// The number of tiles in a column.
  public let rows: Int
  /// The width and height of a tile in pixels.
  public let tile: PixelSize
  /// The tables row by row.
  public let tables: [LumaTable]
  // The origin of this image in the one that the grid covers.
  private var firstColumn = 0
  private var firstRow = 0

  /// Creates a grid of tables.
  public init(columns: Int, rows: Int, tile: PixelSize, tables: [LumaTable]) {
    precondition(tables.count == columns * rows && !tile.isEmpty, "a table for each tile")
    (self.columns, self.rows, self.tile, self.tables) = (columns, rows, tile, tables)
  }

  package func cropped(to region: Region) -> TiledLumaTables {
    var cropped = self
    cropped.firstColumn += region.x
    cropped.firstRow += region.y
    return cropped
  }

  /// Returns the tiles before and after a position along an axis, and the weight of the latter.
  static func neighbors(
    _ coordinate: Int, tile: Int, count: Int
  ) -> (before: Int, after: Int, share: Double) {
    let position = Double(coordinate) / Double(tile) - 0.5
    let before = Int(position.rounded(.down))
    return (
      min(max(before, 0), count - 1), min(max(before + 1, 0), count - 1), position - Double(before)
    )
  }

  /// Returns the output for a level at a position.
  public func value(_ level: Double, x: Int, y: Int) -> Double {
    let column = Self.neighbors(x + firstColumn, tile: tile.width, count: columns)
    let row = Self.neighbors(y + firstRow, tile: tile.height, count: rows)
    func mixed(_ row: Int) -> Double {
      let (a, b) = (
        tables[row * columns + column.before](level), tables[row * columns + column.after](level)
      )
      return a + (b - a) * column.share
    }
    let (above, below) = (mixed(row.before), mixed(row.after))
    return above + (below - above) * row.share
  }

  package var preservesGray: Bool { true }
  package var dependsOnPosition: Bool { true }

  package func callAsFunction(_ color: SIMD3<Double>, x: Int, y: Int) -> SIMD3<Double> {
    let luma = PixelMap.luma(color)
    return color + (value(luma, x: x, y: y) - luma)
  }

  package var kernel: PixelKernel { pe_tiled_luma }

  package func constants(in memory: any KernelMemory) -> UnsafeRawPointer {
    UnsafeRawPointer(memory.store([tiles(in: memory)]))
  }

  fileprivate func tiles(in memory: any KernelMemory) -> pe_luma_tiles {
    pe_luma_tiles(
      tables: memory.store(tables.flatMap(\.levels)), columns: columns, rows: rows,
      width: tile.width, height: tile.height, first_column: firstColumn, first_row: firstRow)
  }
}

/// A share of the change of luma by the tables of tiles, in which the channels keep their ratios.
///
/// An increase ends where the brightest channel comes near white. A luma below 1/255 counts as 1/255
/// in the ratio, and the remainder is added.
package struct TiledGain: Hashable, PixelMapping {
  private var tables: TiledLumaTables
  private let amount: Double

  /// Creates a map.
  ///
  /// - Parameter amount: The share, 0 to 1.
  init(_ tables: TiledLumaTables, amount: Double) { (self.tables, self.amount) = (tables, amount) }

  package var preservesGray: Bool { true }
  package var dependsOnPosition: Bool { true }

  package func cropped(to region: Region) -> TiledGain {
    TiledGain(tables.cropped(to: region), amount: amount)
  }

  package func callAsFunction(_ color: SIMD3<Double>, x: Int, y: Int) -> SIMD3<Double> {
    let luma = PixelMap.luma(color)
    var change = amount * (tables.value(luma, x: x, y: y) - luma)
    if change > 0 { change *= min(max((1 - color.max()) / 0.35, 0), 1) }
    let ratio = (luma + change) / max(luma, 1 / 255)
    return color * ratio + (luma + change - luma * ratio)
  }

  package var kernel: PixelKernel { pe_tiled_gain }

  package func constants(in memory: any KernelMemory) -> UnsafeRawPointer {
    let gain = pe_luma_gain(tiles: tables.tiles(in: memory), amount: Float(amount))
    return UnsafeRawPointer(memory.store([gain]))
  }
}
