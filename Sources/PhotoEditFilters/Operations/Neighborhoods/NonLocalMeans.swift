// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditPlatform

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
public struct NonLocalMeans: Sendable, Hashable {
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
    self.reach = reach
    self.search = search
    self.strength = strength
    self.variance = variance
  }

  /// The weights from the center of a patch outward; those of a whole patch sum to one.
  package var weights: [Double] {
    let sigma = Double(reach) / 2
    let raw = (0...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = raw.dropFirst().reduce(raw[0]) { $0 + 2 * $1 }
    return raw.map { $0 / sum }
  }
}

// Patches are compared from the top, so a rotation cannot run before this step.
extension NonLocalMeans: NeighborSummary {
  var margin: Int { reach + search }

  package var summary: String {
    "mean of similar patches within \(2 * search + 1)×\(2 * search + 1) pixels"
  }
}
