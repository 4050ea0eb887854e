// SPDX-License-Identifier: Apache-2.0
public import Pixels

/// A change of single colours that is neither a curve for each channel nor a matrix.
public enum PixelMap: Sendable, Hashable {
  /// The luma through a table; the colour differences stay.
  case lumaTable(LumaTable)
  /// The luma through tables that depend on the place; the colour differences stay.
  case tiledLuma(TiledLumaTables)
  /// The pale colours more saturated than the others, by −1 to 1.
  case vibrance(Double)
  /// Sums of the channels, their squares and products.
  case crossPolynomial(CrossPolynomial)
  /// Dark and bright pixels tinted.
  case splitTone(SplitTint)
  /// The colour through a cube of colours.
  case cube(LookupCube, LookupCube.Interpolation)
  /// Noise that is smaller than a level, added.
  case dither(DitherNoise)

  /// Whether every gray pixel stays gray, or a gray picture is worked on as one plane.
  public var keepsGray: Bool {
    switch self {
    case .lumaTable, .tiledLuma, .vibrance, .dither: true
    case .crossPolynomial, .splitTone, .cube: false
    }
  }

  /// Whether the change depends on where a pixel lies.
  public var dependsOnPlace: Bool {
    switch self {
    case .lumaTable, .vibrance, .crossPolynomial, .splitTone, .cube: false
    case .tiledLuma, .dither: true
    }
  }

  /// The same change for a part of the picture.
  package func cut(to region: Region) -> PixelMap {
    switch self {
    case .lumaTable, .vibrance, .crossPolynomial, .splitTone, .cube: self
    case .tiledLuma(let tables): .tiledLuma(tables.cut(to: region))
    case .dither(let noise): .dither(noise.cut(to: region))
    }
  }

  /// The colour that a pixel becomes, in double precision.
  public func callAsFunction(_ color: SIMD3<Double>, x: Int = 0, y: Int = 0) -> SIMD3<Double> {
    switch self {
    case .lumaTable(let table):
      let luma = Self.luma(color)
      return color + (table(luma) - luma)
    case .tiledLuma(let tables):
      let luma = Self.luma(color)
      return color + (tables.value(luma, x: x, y: y) - luma)
    case .vibrance(let amount):
      let weights = LumaWeights.rec709
      let luma = (color * SIMD3(weights[0], weights[1], weights[2])).sum()
      let range = color.max() - color.min()
      return luma + (color - luma) * (1 + amount * (1 - (amount < 0 ? -range : range)))
    case .crossPolynomial(let polynomial): return polynomial(color)
    case .splitTone(let tone): return tone(color)
    case .cube(let cube, let interpolation): return cube(color, interpolation)
    case .dither(let noise): return color + noise.values(x: x, y: y)
    }
  }

  static func luma(_ color: SIMD3<Double>) -> Double {
    let weights = LumaWeights.rec601
    return (color * SIMD3(weights[0], weights[1], weights[2])).sum()
  }
}

/// A level for each of 256 levels; straight lines between them.
public struct LumaTable: Sendable, Hashable {
  /// What the levels 0, 1/255, …, 1 become.
  public let levels: [Float]

  /// Makes a table of 256 levels, 0 to 1.
  public init(_ levels: [Float]) {
    precondition(levels.count == 256, "a level for each byte")
    self.levels = levels
  }

  /// What a level becomes; levels beyond 0 and 1 count as these.
  public func callAsFunction(_ level: Double) -> Double {
    let place = min(max(level, 0), 1) * 255
    let index = min(Int(place), 254)
    let (low, high) = (Double(levels[index]), Double(levels[index + 1]))
    return low + (high - low) * (place - Double(index))
  }
}

/// A table for each tile of a grid; between the centres of four tiles their levels are mixed.
public struct TiledLumaTables: Sendable, Hashable {
  /// Tiles along a row.
  public let columns: Int
  /// Tiles down a column.
  public let rows: Int
  /// Width and height of a tile in pixels.
  public let tile: PixelSize
  /// Tables row by row.
  public let tables: [LumaTable]
  // Where this picture begins in the one that the grid lies on.
  package private(set) var firstColumn = 0
  package private(set) var firstRow = 0

  /// Makes a grid of tables.
  public init(columns: Int, rows: Int, tile: PixelSize, tables: [LumaTable]) {
    precondition(tables.count == columns * rows && !tile.isEmpty, "a table for each tile")
    self.columns = columns
    self.rows = rows
    self.tile = tile
    self.tables = tables
  }

  package func cut(to region: Region) -> TiledLumaTables {
    var cut = self
    cut.firstColumn += region.x
    cut.firstRow += region.y
    return cut
  }

  /// The tiles before and behind a place along an axis, and how much the one behind counts.
  static func neighbours(
    _ place: Int, tile: Int, count: Int
  ) -> (before: Int, behind: Int, share: Double) {
    let position = Double(place) / Double(tile) - 0.5
    let before = Int(position.rounded(.down))
    return (
      min(max(before, 0), count - 1), min(max(before + 1, 0), count - 1), position - Double(before)
    )
  }

  /// What a level becomes at a place.
  public func value(_ level: Double, x: Int, y: Int) -> Double {
    let column = Self.neighbours(x + firstColumn, tile: tile.width, count: columns)
    let row = Self.neighbours(y + firstRow, tile: tile.height, count: rows)
    func mixed(_ row: Int) -> Double {
      let (a, b) = (
        tables[row * columns + column.before](level), tables[row * columns + column.behind](level)
      )
      return a + (b - a) * column.share
    }
    let (above, below) = (mixed(row.before), mixed(row.behind))
    return above + (below - above) * row.share
  }
}
