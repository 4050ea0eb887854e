// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

/// An adjustment by hue in which the hue and the chroma of a pixel are those of its surroundings, so
/// that noise does not select other bands from pixel to pixel.
///
/// Both opponent axes of Oklab, (u, v), are smoothed by a guided filter with both as its guide: the
/// mean over the windows around a pixel of a·(u, v) + b, with a = var/(var + ε), b = m·(1 − a), m the
/// means and var the sum of the variances of both in a window. Where colors differ by more than
/// noise, they stay as they are. The image is mirrored at its edges, including its outermost pixels;
/// pixels are weighted by their alpha. Input and output are cube roots of cone responses.
///
/// - Source: K. He, J. Sun and X. Tang, "Guided Image Filtering", 2013.
public struct SmoothedHues: Sendable, Hashable, NeighborSummary {
  /// The distance in pixels from the center of a window to its side.
  public let radius: Int
  /// The adjustment, which selects by the hue of a pixel itself.
  let adjustment: HueAdjustment

  /// The variance of colors that counts as noise: a standard deviation of 0.012 for each axis.
  package static let epsilon = 0.0003
  /// The radius relative to the longer side; blotches of JPEG compression are up to 16 pixels wide.
  static let radius = 0.005

  /// The weights of the cube roots of cone responses in both opponent axes.
  package static let opponentAxes = Array(Oklab.opponent.rows.dropFirst())

  /// The adjustment of areas of a single color.
  package var map: PixelMap { PixelMap(adjustment) }

  var margin: Int { 2 * radius }

  package var summary: String {
    "hues of \(2 * radius + 1)×\(2 * radius + 1) pixels"
  }

  package func rotatedArea(by orientation: Orientation) -> AreaOperation? {
    .neighborhood(.hues(self))
  }
}

extension FilterOperation {
  /// The step that has the same effect on areas of a single color.
  package var onEvenAreas: FilterOperation {
    if case .area(.neighborhood(.hues(let hues))) = self { .map(hues.map) } else { self }
  }
}
