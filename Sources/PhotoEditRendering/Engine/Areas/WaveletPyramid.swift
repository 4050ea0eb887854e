// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage

/// The memory for the wavelet transform of one plane at a time.
struct WaveletPyramid {
  private let levels: [WaveletBands]
  private let shrinkage: WaveletShrinkage

  init(_ shrinkage: WaveletShrinkage, size: PixelSize) {
    self.shrinkage = shrinkage
    levels = shrinkage.levelSizes(of: size).map { WaveletBands(of: $0) }
  }

  /// Removes noise of the given standard deviation, which is estimated if `noise` is nil.
  func shrink(_ plane: WaveletRows, noise: Double?, _ work: SharedWork) {
    let median = LockedValue(0.0)
    let levels = levels
    let estimate: (@Sendable () -> Void)? =
      if noise == nil, let finest = levels.first {
        {
          let magnitude = finest.medianMagnitude()
          median.withLock { $0 = magnitude }
        }
      } else {
        nil
      }
    for (index, bands) in levels.enumerated() {
      let input = index == 0 ? plane : levels[index - 1].low
      work.forEachBlock(of: 0..<bands.height, and: index == 1 ? estimate : nil) {
        bands.split(input, into: $0)
      }
    }
    if levels.count == 1 { estimate?() }
    // The median magnitude of normally distributed values is 0.674 σ.
    let sigma = noise ?? median.withLock { $0 } / 0.6744897501960817
    for (index, bands) in levels.enumerated().reversed() {
      let output = index == 0 ? plane : levels[index - 1].low
      let thresholds = bands.thresholds(variance: sigma * sigma, strength: shrinkage.strength)
      work.forEachBlock(of: 1..<bands.height) { bands.join($0, thresholds, into: output) }
    }
  }
}
