// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// A step that depends on the histogram of the whole image.
///
/// The image is analyzed once, at full size, with every sample rounded to one of 256 levels.
public enum HistogramAdjustment: Sendable, Hashable {
  /// The darkest and the brightest pixels become black and white; the limits are fractions of the
  /// pixels.
  case stretch(clipLow: Double, clipHigh: Double, isLinked: Bool)
  /// The luma histogram is equalized.
  case equalize
  /// The luma histogram of each tile is equalized up to a clip limit.
  case equalizeTiles(columns: Int, rows: Int, clipLimit: Double)
  /// Black and white, at the luma that separates them best.
  case separate

  /// The number of tile columns and rows with separate histograms.
  package var tiles: (columns: Int, rows: Int) {
    if case .equalizeTiles(let columns, let rows, _) = self { (columns, rows) } else { (1, 1) }
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
}

/// The histograms of an image.
package struct ImageStatistics: Sendable, Hashable {
  /// The histograms of red, green and blue; equal for a gray image.
  package var channels: [Histogram]
  /// The luma histogram of each tile, row by row.
  package var luma: [Histogram]

  /// Creates statistics.
  package init(channels: [Histogram], luma: [Histogram]) {
    self.channels = channels
    self.luma = luma
  }
}
