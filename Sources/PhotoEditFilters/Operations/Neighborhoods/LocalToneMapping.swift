// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

/// A tone adjustment that separates large areas from detail by a guided filter of the luma.
///
/// The base B of the luma Y is the output of a guided filter with Y as its own guide: the mean over
/// the windows around a pixel of a·Y + b, with a = v/(v + ε), b = m·(1 − a), m and v being mean and
/// variance of a window. At the edges the image is mirrored, including its outermost pixels. Pixels
/// are weighted by their alpha.
///
/// - Source: K. He, J. Sun and X. Tang, "Guided Image Filtering", 2013; luma of Rec. 601.
public struct LocalToneMapping: Sendable, Hashable {
  /// The adjustment of base and detail.
  public enum Change: Sendable, Hashable {
    /// Every channel becomes x + amount·(Y − B).
    case detail(amount: Double)
    /// A curve f is applied to the base: with Z = f(B) + Y − B every channel becomes x·Z/Y.
    case tone(ToneCurve)
  }

  /// The distance in pixels from the center of a window to its side.
  public let radius: Int
  /// The variance below which structures count as detail.
  public let epsilon: Double
  /// The adjustment of base and detail.
  public let change: Change

  /// Creates an adjustment.
  public init(radius: Int, epsilon: Double, change: Change) {
    precondition(radius >= 1 && epsilon > 0, "a guided filter needs a window")
    self.radius = radius
    self.epsilon = epsilon
    self.change = change
  }
}

extension LocalToneMapping: NeighborSummary {
  var margin: Int { 2 * radius }

  package var summary: String {
    "guided filter of \(2 * radius + 1)×\(2 * radius + 1) pixels"
  }

  package func rotatedArea(by orientation: Orientation) -> AreaOperation? {
    .neighborhood(.guided(self))
  }
}
