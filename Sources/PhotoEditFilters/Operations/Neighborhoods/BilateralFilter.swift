// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

/// A mean of neighbors weighted by spatial distance and color difference.
///
/// Weights are exp(−s²/2σₛ² − c²/2σ꜀²), s being the distance in pixels and c the sum of the
/// absolute differences of red, green and blue. The neighbors are those in a disc.
///
/// - Source: C. Tomasi and R. Manduchi, "Bilateral filtering for gray and color images", 1998, with
///   support and color distance as in OpenCV's `bilateralFilter`.
public struct BilateralFilter: Sendable, Hashable {
  /// The radius of the disc, 0 to 15.
  public let reach: Int
  /// The standard deviation of the color distance.
  public let sigmaColor: Double
  /// The standard deviation of the distance in pixels.
  public let sigmaSpace: Double

  /// Creates a mean.
  public init(reach: Int, sigmaColor: Double, sigmaSpace: Double) {
    precondition((0...15).contains(reach) && sigmaColor > 0 && sigmaSpace > 0, "no such mean")
    self.reach = reach
    self.sigmaColor = sigmaColor
    self.sigmaSpace = sigmaSpace
  }
}

extension BilateralFilter: NeighborSummary {
  var margin: Int { reach }
  package var summary: String { "bilateral mean over a disc of \(2 * reach + 1) pixels" }

  package func rotatedArea(by orientation: Orientation) -> AreaOperation? {
    .neighborhood(.bilateral(self))
  }
}
