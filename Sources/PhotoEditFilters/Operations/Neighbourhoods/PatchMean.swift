// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditPlatform

/// A mean of pixels whose surroundings look alike (non-local means).
///
/// A pixel counts exp(−max(0, d)), d being the mean over its patch, with Gaussian weights, of
/// (difference² − 2·variance)/h². Patches mirror at the edge of the picture without repeating it,
/// and are searched for inside of it. The exponential is that of Schraudolph (1999), and patches
/// whose distance gets above 5 before their last line is added count nothing.
///
/// - Source: A. Buades, B. Coll and J.-M. Morel, "Non-Local Means Denoising", IPOL 2011, with
///   weights as in scikit-image's `denoise_nl_means(fast_mode=False)`.
public struct PatchMean: Sendable, Hashable {
  /// Pixels from the middle of a patch to its side, 1 to 3.
  public let reach: Int
  /// Pixels from the middle of the window that is searched to its side.
  public let search: Int
  /// The difference that still counts as alike.
  public let strength: Double
  /// The variance of the noise.
  public let variance: Double

  /// Makes a mean.
  public init(reach: Int, search: Int, strength: Double, variance: Double) {
    precondition((1...3).contains(reach) && search >= 1 && strength > 0, "no such mean")
    self.reach = reach
    self.search = search
    self.strength = strength
    self.variance = variance
  }

  /// Weights from the middle of a patch outwards; those of a whole patch sum to one.
  package var weights: [Double] {
    let sigma = Double(reach) / 2
    let raw = (0...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = raw.dropFirst().reduce(raw[0]) { $0 + 2 * $1 }
    return raw.map { $0 / sum }
  }
}

// Patches are compared from the top: a turn has to wait.
extension PatchMean: NeighborFacts {
  var margin: Int { reach + search }

  package var summary: String {
    "mean of like patches within \(2 * search + 1)×\(2 * search + 1) pixels"
  }
}
