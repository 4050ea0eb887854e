// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// A step that depends on how the levels of the whole picture are distributed.
///
/// The picture is looked at once, at full size, with every sample rounded to one of 256 levels.
public enum Adaptation: Sendable, Hashable {
  /// The darkest and the brightest pixels become black and white; shares of the pixels.
  case stretch(clipLow: Double, clipHigh: Double, isLinked: Bool)
  /// The luma is distributed evenly.
  case equalize
  /// The luma of each tile is distributed evenly, as far as a limit lets it.
  case equalizeTiles(columns: Int, rows: Int, clipLimit: Double)
  /// Black and white, at the luma that separates them best.
  case separate

  /// The tiles whose levels are counted: columns and rows.
  package var tiles: (columns: Int, rows: Int) {
    if case .equalizeTiles(let columns, let rows, _) = self { (columns, rows) } else { (1, 1) }
  }
}

/// How often each of 256 levels occurs.
package struct Histogram: Sendable, Hashable {
  /// Counts of the levels.
  package var counts: [Int]

  /// Makes an empty histogram.
  package init() { counts = Array(repeating: 0, count: 256) }

  /// Makes one of counts.
  package init(_ counts: [Int]) {
    precondition(counts.count == 256)
    self.counts = counts
  }

  /// How many samples were counted.
  package var total: Int { counts.reduce(0, +) }
}

/// What was counted in a picture.
package struct PictureStatistics: Sendable, Hashable {
  /// Levels of red, green and blue; all alike in a gray picture.
  package var channels: [Histogram]
  /// Levels of the luma in each tile, row by row.
  package var luma: [Histogram]

  /// Makes statistics.
  package init(channels: [Histogram], luma: [Histogram]) {
    self.channels = channels
    self.luma = luma
  }
}
