// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels
import PhotoEditPlatform

/// A mean of neighbors weighted by spatial distance and color difference.
///
/// Weights are exp(−s²/2σₛ² − c²/2σ꜀²), s being the distance in pixels and c the sum of the
/// absolute differences of red, green and blue. The neighbors are those in a disc.
///
/// - Source: C. Tomasi and R. Manduchi, "Bilateral filtering for gray and color images", 1998, with
///   support and color distance as in OpenCV's `bilateralFilter`.
public struct BilateralFilter: Sendable, Hashable, NeighborSummary {
  /// The radius of the disc, 0 to 15.
  public let reach: Int
  /// The standard deviation of the color distance.
  public let sigmaColor: Double
  /// The standard deviation of the distance in pixels.
  public let sigmaSpace: Double

  /// Creates a mean.
  public init(reach: Int, sigmaColor: Double, sigmaSpace: Double) {
    precondition((0...15).contains(reach) && sigmaColor > 0 && sigmaSpace > 0, "no such mean")
    (self.reach, self.sigmaColor, self.sigmaSpace) = (reach, sigmaColor, sigmaSpace)
  }

  var margin: Int { reach }
  package var summary: String { "bilateral mean over a disc of \(2 * reach + 1) pixels" }

  package func rotatedArea(by orientation: Orientation) -> AreaOperation? {
    .neighborhood(.bilateral(self))
  }
}

/// A mean of pixels with similar surroundings (non-local means).
///
/// The weight of a pixel is exp(−max(0, d)), d being the mean over its patch, with Gaussian
/// weights, of (difference² − 2·variance)/h². Patches are mirrored at the edge of the image without
/// repeating the edge pixel; the search stays inside the image. The exponential is that of
/// Schraudolph (1999), and patches whose distance exceeds 5 before their last line is added get
/// weight zero.
///
/// - Source: A. Buades, B. Coll and J.-M. Morel, "Non-Local Means Denoising", IPOL 2011, with
///   weights as in scikit-image's `denoise_nl_means(fast_mode=False)`.
public struct NonLocalMeans: Sendable, Hashable, NeighborSummary {
  /// The distance in pixels from the center of a patch to its side, 1 to 3.
  public let reach: Int
  /// The distance in pixels from the center of the search window to its side.
  public let search: Int
  /// The filter strength h: the scale of differences that count as similar.
  public let strength: Double
  /// The variance of the noise.
  public let variance: Double

  /// Creates a mean.
  public init(reach: Int, search: Int, strength: Double, variance: Double) {
    precondition((1...3).contains(reach) && search >= 1 && strength > 0, "no such mean")
    (self.reach, self.search, self.strength, self.variance) = (reach, search, strength, variance)
  }

  /// The weights from the center of a patch outward; those of a whole patch sum to one.
  package var weights: [Double] {
    let sigma = Double(reach) / 2
    let raw = (0...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = raw.dropFirst().reduce(raw[0]) { $0 + 2 * $1 }
    return raw.map { $0 / sum }
  }

  // Patches are compared from the top, so a rotation cannot run before this step.
  var margin: Int { reach + search }

  package var summary: String {
    "mean of similar patches within \(2 * search + 1)×\(2 * search + 1) pixels"
  }
}

/// Means of pixels with similar surroundings, separately for luma and color differences.
///
/// As `NonLocalMeans` with equal weights in a patch; patches whose distance exceeds 5 get weight
/// zero. Luma and color differences are those of JFIF.
///
/// - Source: A. Buades, B. Coll and J.-M. Morel, "Non-Local Means Denoising", IPOL 2011, with
///   weights as in scikit-image's `denoise_nl_means(fast_mode=True)`.
public struct LumaChromaMeans: Sendable, Hashable, NeighborSummary {
  /// The distance in pixels from the center of a patch to its side, 1 to 3.
  public let reach: Int
  /// The distance in pixels from the center of the search window to its side.
  public let search: Int
  /// The scale of differences of luma that count as similar.
  public let strength: Double
  /// The same for color differences; 0 leaves them unchanged.
  public let chromaStrength: Double
  /// The variance of the noise.
  public let variance: Double

  var margin: Int { reach + search }

  package var summary: String {
    "means of similar patches within \(2 * search + 1)×\(2 * search + 1) pixels, chroma separately"
  }
}

/// Noise reduction for a whole image by shrinking the coefficients of its wavelet transform.
///
/// The wavelet is Daubechies' with two vanishing moments (db2); at the edges the image is mirrored,
/// including its outermost pixels. Luma and color differences of JFIF are transformed separately;
/// the coefficients of each band are shrunk toward zero by strength·σ²/√max(m − σ², ε), m being the
/// mean of their squares (BayesShrink). Alpha is unchanged.
///
/// - Source: S. Chang, B. Yu and M. Vetterli, "Adaptive wavelet thresholding for image denoising
///   and compression", 2000; noise estimated as by D. Donoho and I. Johnstone (1994); together
///   equivalent to scikit-image's `denoise_wavelet(wavelet='db2', convert2ycbcr=True)`.
public struct WaveletShrinkage: Sendable, Hashable, AreaFacts {
  /// The number of decomposition levels; nil for three fewer than the maximum, but at least one.
  public let levels: Int?
  /// The standard deviation of the noise in red, green and blue; nil to estimate it.
  public let sigma: Double?
  /// The factor of the thresholds.
  public let strength: Double

  /// Returns the same for noise that was measured in the luma.
  ///
  /// Correlated noise has less of its energy in the bands of the finest details, from which the
  /// thresholds of all bands follow.
  func reducing(_ noise: MeasuredNoise) -> WaveletShrinkage {
    // The variances of independent noise in three channels add up.
    let share = Self.fromRGB[0].reduce(0) { $0 + $1 * $1 }.squareRoot()
    return WaveletShrinkage(
      levels: levels, sigma: (noise.isCorrelated ? 1.5 : 1) * noise.sigma / share,
      strength: strength)
  }

  /// Creates a wavelet shrinkage.
  public init(levels: Int?, sigma: Double?, strength: Double) {
    (self.levels, self.sigma, self.strength) = (levels, sigma, strength)
  }

  /// Luma and color differences (ITU-T T.871) from red, green and blue, without offsets.
  package static let fromRGB: [[Double]] = [
    [0.299, 0.587, 0.114],
    [-0.299 / 1.772, -0.587 / 1.772, 0.886 / 1.772],
    [0.701 / 1.402, -0.587 / 1.402, -0.114 / 1.402],
  ]

  /// Red, green and blue from luma and color differences.
  package static let toRGB: [[Double]] = [
    [1, 0, 1.402],
    [1, -0.114 * 1.772 / 0.587, -0.299 * 1.402 / 0.587],
    [1, 1.772, 0],
  ]

  /// Returns the number of decomposition levels for an image.
  package func levels(width: Int, height: Int) -> Int {
    if let levels { return levels }
    let most = log2(Double(min(width, height)) / 3).rounded(.down)
    return most > 4 ? Int(most) - 3 : 1
  }

  /// Returns the sizes of the images that are decomposed: the image, and the low bands of all
  /// levels except the last one.
  package func levelSizes(of size: PixelSize) -> [PixelSize] {
    var next = size
    return (0..<levels(width: size.width, height: size.height)).map { _ in
      let size = next
      next = Self.bandSize(of: size)
      return size
    }
  }

  /// Returns the size of each band of an image.
  package static func bandSize(of size: PixelSize) -> PixelSize {
    PixelSize(width: (size.width + 3) / 2, height: (size.height + 3) / 2)
  }

  /// Returns the number of levels whose coefficients are computed again with the result, so that
  /// only a few rows of them are in memory.
  ///
  /// Those of the coarser levels are kept when the image is measured: they are as large as the
  /// image divided by 256.
  package func streamedLevels(of size: PixelSize) -> Int {
    min(4, levels(width: size.width, height: size.height))
  }

  /// Returns the number of rows below a row of the result that it depends on.
  ///
  /// Two rows of an image need a row of coefficients more than those that start there, and this one
  /// needs two rows of the image; the rows are those of an image of half the height at each level.
  package func rowsBelow(of size: PixelSize) -> Int { 3 * ((1 << streamedLevels(of: size)) - 1) }

  // Rows are computed in order from the top, and rows of the input are needed once.
  package var startsAtTop: Bool { true }

  package func inputRows(for rows: Range<Int>, input: PixelSize) -> Range<Int> {
    let below = rowsBelow(of: input)
    let first = rows.lowerBound == 0 ? 0 : min(rows.lowerBound + below, input.height)
    return first..<min(rows.upperBound + below, input.height)
  }

  package func transformBytes(of size: PixelSize) -> Int {
    let sizes = levelSizes(of: size)
    let bands = sizes.enumerated().reduce(0) { sum, level in
      let band = Self.bandSize(of: level.element)
      let rows = storedRows(ofLevel: level.offset, of: size)
      // Four bands; and the rows between two levels, before they are split and after they are
      // joined.
      return sum + (4 * rows + 22) * band.width
    }
    // Magnitudes are counted in 262,144 bins.
    return bands * MemoryLayout<Float>.stride + 1 << 20
  }

  /// Returns the number of rows of a level's bands that are in memory at the same time.
  package func storedRows(ofLevel level: Int, of size: PixelSize) -> Int {
    let height = Self.bandSize(of: levelSizes(of: size)[level]).height
    if level >= streamedLevels(of: size) { return height }
    // At the lower edge, each level has up to three rows more than half of the previous one.
    return min(height, rowsBelow(of: size) >> (level + 1) + 5)
  }

  package var summary: String { "wavelet shrinkage" }
}
