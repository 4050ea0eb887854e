// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

/// Level counts of some rows: those of three channels, and those of the luma in each tile.
struct LevelHistogram {
  private static let levels = 256
  private var counts: [Int]

  init(tiles: Int) { counts = Array(repeating: 0, count: (3 + tiles) * Self.levels) }

  /// Counts the samples of a strip of one or three planes, each rounded as the encoder does.
  mutating func count(
    _ strip: Strip, width: Int, planes: Int, columns: Int, _ grid: TileGrid
  ) {
    // A column can belong to several tiles, because the image is mirrored at its edge.
    let mirrored = grid.columns.enumerated().flatMap { x, tiles in
      tiles.dropFirst().map { (x: x, tile: $0) }
    }
    let tiles = grid.columns.map { $0[0] * Self.levels }
    let weights = LumaWeights.rec601.map { Float($0) } + [0]
    withUnsafeTemporaryAllocation(of: Float.self, capacity: width) { luma in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: width) { bytes in
        counts.withUnsafeMutableBufferPointer { counts in
          guard let luma = luma.baseAddress, let bytes = bytes.baseAddress else { return }
          for y in strip.rows {
            let row = strip.row(y).assumingMemoryBound(to: Float.self)
            for channel in 0..<3 {
              if channel < planes { pe_pack_gray(row + channel * width, width, bytes) }
              let first = channel * Self.levels
              for x in 0..<width { counts[first + Int(bytes[x])] &+= 1 }
            }
            if planes == 3 {
              pe_weighted_sum(row, row + width, row + 2 * width, width, weights, luma)
              pe_pack_gray(luma, width, bytes)
            }
            for tileRow in grid.rows[y] {
              let first = (3 + tileRow * columns) * Self.levels
              for x in 0..<width { counts[first + tiles[x] + Int(bytes[x])] &+= 1 }
              for entry in mirrored {
                counts[first + entry.tile * Self.levels + Int(bytes[entry.x])] &+= 1
              }
            }
          }
        }
      }
    }
  }

  mutating func add(_ other: LevelHistogram) {
    for index in counts.indices { counts[index] += other.counts[index] }
  }

  /// The counts in the form that steps of a graph take.
  var statistics: ImageStatistics {
    let histograms = stride(from: 0, to: counts.count, by: Self.levels).map {
      Histogram(Array(counts[$0..<$0 + Self.levels]))
    }
    return ImageStatistics(
      channels: Array(histograms[..<3]), luma: Array(histograms[3...]))
  }
}
