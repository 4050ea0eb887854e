// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

/// The removal of haze, by how little dark there is around each pixel.
///
/// With the color A of the haze, the dark channel D of a pixel is the smallest c/A of the three
/// channels in a square around it: near 0 without haze, near 1 where haze hides everything. A
/// guided filter of D with the luma as its guide follows edges, and every channel becomes
/// (c − A)/t + A with the transmission t = 1 − strength·D, but at least the given one. In the
/// squares, the image ends at its edges; pixels are weighted by their alpha.
///
/// - Source: K. He, J. Sun and X. Tang, "Single Image Haze Removal Using Dark Channel Prior", 2009,
///   and "Guided Image Filtering", 2013; luma of Rec. 601.
public struct HazeRemoval: Sendable, Hashable, NeighborSummary {
  /// The distance in pixels from the center of a square to its side.
  public let reach: Int
  /// The share of the dark channel that is taken for haze.
  public let strength: Double
  /// The smallest transmission, which limits the contrast that is added.
  public let leastTransmission: Double
  /// The color of the haze, every channel above zero.
  public let airlight: SIMD3<Double>

  /// Creates a removal.
  public init(
    reach: Int, strength: Double, leastTransmission: Double, airlight: SIMD3<Double>
  ) {
    precondition(reach >= 0 && leastTransmission > 0 && airlight.min() > 0, "no such haze")
    (self.reach, self.strength) = (reach, strength)
    (self.leastTransmission, self.airlight) = (leastTransmission, airlight)
  }

  /// The variance below which structures of the luma do not appear in the transmission.
  package static let epsilon = 0.001

  /// The distance from the center of a window of the guided filter to its side.
  package var radius: Int { 4 * (2 * reach + 1) }

  var margin: Int { reach + 2 * radius }
  package var preservesGray: Bool { airlight.hasEqualChannels }
  package var summary: String { "haze removal by squares of \(2 * reach + 1) pixels" }

  package func rotatedArea(by orientation: Orientation) -> AreaOperation? {
    .neighborhood(.dehaze(self))
  }
}

/// An image of the haziest places of an image, from which the color of the haze is measured.
public struct HazeMeasurement: Sendable, Hashable, NeighborSummary {
  /// The distance in pixels from the center of a square to its side.
  public let reach: Int
  /// The dark channel from which a pixel keeps its color, all others become black; nil for the dark
  /// channel itself, in all channels.
  public let threshold: Double?

  var margin: Int { reach }
  package var summary: String { "darkest of \(square) pixels" }
}
