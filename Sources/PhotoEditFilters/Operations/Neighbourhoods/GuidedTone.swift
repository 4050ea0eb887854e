// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

/// A change of tone that tells large areas from detail by a guided filter of the luma.
///
/// The base B of the luma Y is what a guided filter with Y as its own guide leaves: the mean over
/// the windows around a pixel of a·Y + b, with a = v/(v + ε), b = m·(1 − a), m and v being mean and
/// variance of a window. Beyond the edge the picture is mirrored, its outermost pixels included.
/// Pixels count as much as their alpha.
///
/// - Source: K. He, J. Sun and X. Tang, "Guided Image Filtering", 2013; luma of Rec. 601.
public struct GuidedTone: Sendable, Hashable {
  /// What is done with base and detail.
  public enum Change: Sendable, Hashable {
    /// Every channel becomes x + amount·(Y − B).
    case detail(amount: Double)
    /// The base goes through a curve f: with Z = f(B) + Y − B every channel becomes x·Z/Y.
    case tone(ToneCurve)
  }

  /// Pixels from the middle of a window to its side.
  public let radius: Int
  /// The variance that counts as detail.
  public let epsilon: Double
  /// What is done with base and detail.
  public let change: Change

  /// Makes a change.
  public init(radius: Int, epsilon: Double, change: Change) {
    precondition(radius >= 1 && epsilon > 0, "a guided filter needs a window")
    self.radius = radius
    self.epsilon = epsilon
    self.change = change
  }
}

extension GuidedTone: NeighborFacts {
  var margin: Int { 2 * radius }

  package var summary: String {
    "guided filter of \(2 * radius + 1)×\(2 * radius + 1) pixels"
  }

  package func turnedArea(by turn: Orientation) -> AreaOperation? { .neighbourhood(.guided(self)) }
}
