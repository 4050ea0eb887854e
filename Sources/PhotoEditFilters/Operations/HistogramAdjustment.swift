// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

/// A step that depends on the histogram of the whole image.
///
/// The image is analyzed once, at full size, with every sample rounded to one of 256 levels.
public enum HistogramAdjustment: Sendable, Hashable {
  /// The darkest and the brightest pixels become black and white; the limits are fractions of the
  /// pixels.
  case stretch(clipLow: Double, clipHigh: Double, isLinked: Bool)
  /// The luma histogram is equalized.
  case equalize
  /// The luma histogram of each tile is equalized up to a clip limit; the change is added to every
  /// channel, or with an amount, that share of it scales them.
  case equalizeTiles(columns: Int, rows: Int, clipLimit: Double, amount: Double?)
  /// Black and white, at the luma that separates them best.
  case separate
  /// Haze of the color of the haziest places is removed, or added with a strength below zero.
  ///
  /// Those are the pixels from a level of the dark channel on, which is measured first if it is nil.
  case dehaze(Dehazing, fromLevel: Int?)
  /// Noise is reduced as strongly as there is noise.
  case denoise(NoiseReduction)
  /// The coefficients of a wavelet transform are shrunk as far as there is noise; the noise that the
  /// shrinkage states is not used.
  case shrink(WaveletShrinkage)

  /// The measurement of noise without its reduction.
  package static let noise = HistogramAdjustment.denoise(
    NoiseReduction(reach: 1, search: 1, amount: 0, chroma: 0, kernel: .box))

  /// The steps after which the image is counted.
  package var measuredSteps: [FilterOperation] {
    switch self {
    case .dehaze(let dehazing, fromLevel: let level):
      // Halves round up to a level.
      let threshold = level.map { (Double($0) - 0.5) / 255 }
      let haze = HazeMeasurement(reach: dehazing.reach, threshold: threshold)
      return [.area(.neighborhood(.haze(haze)))]
    case .denoise, .shrink: return [.area(.noise(NoiseMeasurement()))]
    case .stretch, .equalize, .equalizeTiles, .separate: return []
    }
  }

  /// The number of tile columns and rows with separate histograms.
  package var tiles: (columns: Int, rows: Int) {
    if case .equalizeTiles(let columns, let rows, _, _) = self { (columns, rows) } else { (1, 1) }
  }

  /// Returns the steps that follow from the statistics.
  ///
  /// - Parameters:
  ///   - statistics: The statistics of the step's input, by tile.
  ///   - size: Size of that image.
  /// - Source: Pillow `ImageOps.autocontrast` with a cutoff; OpenCV `equalizeHist` and `CLAHE`
  ///   (Zuiderveld 1994); Otsu 1979.
  package func resolved(_ statistics: ImageStatistics, size: PixelSize) -> [FilterOperation] {
    switch self {
    case .stretch(let low, let high, let isLinked):
      var channels = statistics.channels
      if isLinked {
        let sum = channels.reduce(into: Histogram()) { sum, channel in
          for level in 0..<256 { sum.counts[level] += channel.counts[level] }
        }
        channels = [sum, sum, sum]
      }
      let curves = channels.map { $0.stretching(low, high) }
      return [.curves(ChannelCurves(red: curves[0], green: curves[1], blue: curves[2]))]
    case .equalize:
      return statistics.luma[0].equalized.map { [.map(PixelMap($0))] } ?? []
    case .equalizeTiles(let columns, let rows, let limit, let amount):
      let tile = TileGrid(columns: columns, rows: rows, size: size).tile
      let tables = TiledLumaTables(
        columns: columns, rows: rows, tile: tile,
        tables: statistics.luma.map { $0.equalized(clipLimit: limit) })
      return [.map(amount.map { PixelMap(TiledGain(tables, amount: $0)) } ?? PixelMap(tables))]
    case .separate:
      // A level represents all values that round to it, and halves round up. The luma of bytes is a
      // multiple of a thousandth of a level; half of one is the tolerance for float rounding.
      let level = (Double(statistics.luma[0].bestThreshold) + 0.4995) / 255
      return [.matrix(.sum(LumaWeights.rec601)), .curves(.init(.init([.threshold(level)])))]
    case .dehaze(let dehazing, fromLevel: nil):
      let level = statistics.channels[0].first(in: (0..<256).reversed(), leaving: 0.001)
      return [.adapt(.dehaze(dehazing, fromLevel: level ?? 0))]
    case .dehaze(let dehazing, fromLevel: _?):
      return dehazing.operations(airlight: dehazing.airlight(statistics.channels))
    case .denoise(let reduction): return reduction.operations(MeasuredNoise(statistics))
    case .shrink(let shrinkage):
      let noise = MeasuredNoise(statistics)
      if noise.sigma == 0 { return [] }
      return [.area(.wavelet(shrinkage.reducing(noise)))]
    }
  }
}

/// The frequencies of 256 levels.
package struct Histogram: Sendable, Hashable {
  /// The counts of the levels.
  package var counts: [Int]

  /// Creates an empty histogram.
  package init() { counts = Array(repeating: 0, count: 256) }

  /// Creates a histogram from counts.
  package init(_ counts: [Int]) {
    precondition(counts.count == 256)
    self.counts = counts
  }

  /// The number of counted samples.
  package var total: Int { counts.reduce(0, +) }

  /// Returns the first level that remains after discarding a fraction of the samples.
  func first(in levels: some Sequence<Int>, leaving share: Double) -> Int? {
    var rest = Int(Double(total) * share)
    for level in levels {
      if counts[level] > rest { return level }
      rest -= counts[level]
    }
    return nil
  }

  /// Returns the line that maps the darkest and the brightest remaining levels to black and white.
  fileprivate func stretching(_ clipLow: Double, _ clipHigh: Double) -> ToneCurve {
    guard let low = first(in: 0..<256, leaving: clipLow),
      let high = first(in: (0..<256).reversed(), leaving: clipHigh), low < high
    else { return ToneCurve([]) }
    let scale = 255 / Double(high - low)
    return ToneCurve([.affine(scale: scale, offset: -Double(low) / 255 * scale)])
  }

  /// A table that equalizes the histogram; nil if only one level occurs.
  fileprivate var equalized: LumaTable? {
    guard let first = counts.firstIndex(where: { $0 > 0 }), counts[first] < total else {
      return nil
    }
    let scale = 255 / Float(total - counts[first])
    var sum = 0
    return LumaTable(
      (0..<256).map { level in
        if level <= first { return 0 }
        sum += counts[level]
        return (Float(sum) * scale).rounded(.toNearestOrEven) / 255
      })
  }

  /// Returns the same for a tile whose most frequent levels are clipped and redistributed to all.
  fileprivate func equalized(clipLimit: Double) -> LumaTable {
    let area = total
    let limit = max(Int(clipLimit * Double(area) / 256), 1)
    var clipped = counts.map { min($0, limit) }
    let excess = area - clipped.reduce(0, +)
    for level in 0..<256 { clipped[level] += excess / 256 }
    var residual = excess % 256
    if residual > 0 {
      let step = max(256 / residual, 1)
      for level in stride(from: 0, to: 256, by: step) where residual > 0 {
        clipped[level] += 1
        residual -= 1
      }
    }
    let scale = 255 / Float(area)
    var sum = 0
    return LumaTable(
      clipped.map { count in
        sum += count
        return min((Float(sum) * scale).rounded(.toNearestOrEven), 255) / 255
      })
  }

  /// The level that separates dark from bright with the largest variance between the two classes.
  fileprivate var bestThreshold: Int {
    let scale = 1 / Double(max(total, 1))
    let mean = counts.indices.reduce(0.0) { $0 + Double($1) * Double(counts[$1]) * scale }
    var (best, level) = (0.0, 0)
    var (share, darkMean) = (0.0, 0.0)
    for i in 0..<256 {
      let p = Double(counts[i]) * scale
      darkMean *= share
      share += p
      guard min(share, 1 - share) >= Double(Float.ulpOfOne),
        max(share, 1 - share) <= 1 - Double(Float.ulpOfOne)
      else {
        if share > 0 { darkMean = (darkMean + Double(i) * p) / share }
        continue
      }
      darkMean = (darkMean + Double(i) * p) / share
      let brightMean = (mean - share * darkMean) / (1 - share)
      let variance = share * (1 - share) * (darkMean - brightMean) * (darkMean - brightMean)
      if variance > best { (best, level) = (variance, i) }
    }
    return level
  }
}

/// The histograms of an image.
package struct ImageStatistics: Sendable, Hashable {
  /// The histograms of red, green and blue; equal for a gray image.
  package var channels: [Histogram]
  /// The luma histogram of each tile, row by row.
  package var luma: [Histogram]

  /// Creates statistics.
  package init(channels: [Histogram], luma: [Histogram]) {
    (self.channels, self.luma) = (channels, luma)
  }
}

/// Tiles of equal size that cover an image; where they extend outside it, the image is mirrored.
package struct TileGrid: Sendable, Hashable {
  /// Width and height of a tile.
  package let tile: PixelSize
  /// For each column of the image, the tiles along the axis that count it, once per occurrence.
  package let columns: [[Int]]
  /// The same for rows.
  package let rows: [[Int]]

  /// Lays out tiles in the same way as OpenCV's CLAHE.
  package init(columns: Int, rows: Int, size: PixelSize) {
    let isWhole = size.width % columns == 0 && size.height % rows == 0
    func axis(_ side: Int, _ count: Int) -> (tile: Int, tiles: [[Int]]) {
      let padded = isWhole ? side : side + count - side % count
      let tile = padded / count
      var tiles = [[Int]](repeating: [], count: side)
      for position in 0..<padded {
        let period = max(1, 2 * (side - 1))
        let inside = position % period
        tiles[inside < side ? inside : period - inside].append(position / tile)
      }
      return (tile, tiles)
    }
    let (x, y) = (axis(size.width, columns), axis(size.height, rows))
    tile = PixelSize(width: x.tile, height: y.tile)
    self.columns = x.tiles
    self.rows = y.tiles
  }
}
