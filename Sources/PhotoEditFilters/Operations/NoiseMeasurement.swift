// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels
import PhotoEditPlatform

/// The parameters of a noise reduction whose strength follows from the noise.
public struct NoiseReduction: Sendable, Hashable {
  /// The weights of the pixels of a patch.
  public enum Kernel: String, Sendable, Hashable, CaseIterable {
    /// Equal weights; luma and color differences are averaged separately.
    case box
    /// Gaussian weights; all channels are compared together.
    case gaussian
  }

  let reach: Int
  let search: Int
  let amount: Double
  let chroma: Double
  let kernel: Kernel

  /// Returns the steps for a strength, and for the noise that differences are expected to have.
  func operations(strength: Double, sigma: Double) -> [FilterOperation] {
    let mean: NeighborhoodOperation =
      switch kernel {
      case .gaussian:
        .patches(
          NonLocalMeans(reach: reach, search: search, strength: strength, variance: sigma * sigma))
      case .box:
        .patchesApart(
          LumaChromaMeans(
            reach: reach, search: search, strength: strength, chromaStrength: chroma * strength,
            variance: sigma * sigma))
      }
    return [.area(.neighborhood(mean))]
  }

  /// Returns the steps for noise that is independent in every pixel.
  func operations(white sigma: Double) -> [FilterOperation] {
    operations(strength: 0.8 * amount * sigma, sigma: sigma)
  }

  /// Returns the steps for measured noise.
  func operations(_ noise: MeasuredNoise) -> [FilterOperation] {
    if noise.sigma == 0 { return [] }
    return noise.isCorrelated
      ? operations(strength: 1.5 * amount * noise.sigma, sigma: 0)
      : operations(white: noise.sigma)
  }
}

/// The noise of an image.
struct MeasuredNoise {
  /// The standard deviation in the luma; 0 if nothing can be measured.
  let sigma: Double
  /// True if the details of half the size have more noise than those of full size: demosaicing,
  /// noise reduction and compression in cameras leave noise that is correlated between pixels.
  let isCorrelated: Bool

  /// Reads the statistics of an image of the noise in its blocks.
  init(_ statistics: ImageStatistics) {
    let sigmas = statistics.channels[..<2].map { NoiseMeasurement.sigma($0) }
    sigma = max(sigmas[0], sigmas[1])
    isCorrelated = sigmas[0] < 0.6 * sigmas[1]
  }
}

/// An image of the noise in its blocks.
///
/// Red is the noise in the finest diagonal details of a wavelet transform of the luma, and green
/// that in those of the next level; blue is black. Each block of 16×16 details has one level, on a
/// logarithmic scale, and 0 if it is flat or clipped.
public struct NoiseMeasurement: Sendable, Hashable, AreaFacts {
  /// The number of pixels along a side of 16 details of the second level, and of the rows that are
  /// transformed together.
  package static let side = 64
  private static let stepsPerOctave = 24.0
  /// The noise of level 1.
  private static let least = 1.0 / 16 / 255

  /// Returns the level of a noise, as a sample.
  package static func sample(of sigma: Double) -> Float {
    guard sigma > 0 else { return 0 }
    let level = (1 + stepsPerOctave * log2(sigma / least)).rounded()
    return Float(min(max(level, 1), 255) / 255)
  }

  /// Returns the noise of an image: the level below which a tenth of the blocks is.
  ///
  /// Blocks with texture have more than the noise.
  static func sigma(_ levels: Histogram) -> Double {
    var blocks = levels
    blocks.counts[0] = 0
    guard let level = blocks.first(in: 0..<256, leaving: 0.1) else { return 0 }
    return least * exp2(Double(level - 1) / stepsPerOctave)
  }

  package func inputRows(for rows: Range<Int>, input: PixelSize) -> Range<Int> {
    CellMeans(side: Self.side).inputRows(for: rows, input: input)
  }

  package var rowsAtOnce: Int { Self.side }
  package func alignment(height: Int) -> Int { Self.side }
  // Levels of both kinds of details are needed of a gray image, too.
  package var preservesGray: Bool { false }
  package var summary: String { "noise of blocks" }
}
