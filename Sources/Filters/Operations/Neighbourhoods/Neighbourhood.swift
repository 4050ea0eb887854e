// SPDX-License-Identifier: Apache-2.0
package import Pixels

/// A step that makes each pixel of the pixels around it.
public enum Neighbourhood: Sendable, Hashable {
  /// The mean of a square of 2r + 1 pixels a side; samples count from −2048 to 2048.
  case box(radius: Int)
  /// The median of such a square, plane by plane; the radius is at most 15.
  case median(radius: Int)
  /// A mean of neighbours of like colour.
  case bilateral(BilateralMean)
  /// A mean of pixels whose surroundings look alike.
  case patches(PatchMean)
  /// A weighted sum; alpha is averaged, unless the weights sum to zero.
  case correlation(Correlation)
  /// The slope of each plane; alpha stays.
  case gradient(Gradient)
  /// Local contrast or local tone, by a guided filter of the luma.
  case guided(GuidedTone)

  /// Neighbours on each side that a pixel depends on.
  package var reach: Int {
    switch self {
    case .box(let radius), .median(let radius): radius
    case .bilateral(let mean): mean.reach
    case .patches(let mean): mean.reach + mean.search
    case .correlation(let correlation): correlation.reach
    case .gradient: 1
    case .guided(let tone): 2 * tone.radius
    }
  }

  /// The step that does to the turned picture what this one does to the picture.
  package func turned(by turn: Orientation) -> Neighbourhood? {
    switch self {
    case .box, .median, .bilateral, .guided: self
    // Its patches are compared from the top.
    case .patches: nil
    case .correlation(let correlation): .correlation(correlation.turned(by: turn))
    case .gradient(let gradient): .gradient(gradient.turned(by: turn))
    }
  }

  /// The step in a few words.
  package var summary: String {
    switch self {
    case .box(let radius): "mean of \(2 * radius + 1)×\(2 * radius + 1) pixels"
    case .median(let radius): "median of \(2 * radius + 1)×\(2 * radius + 1) pixels"
    case .bilateral(let mean): "bilateral mean over a disc of \(2 * mean.reach + 1) pixels"
    case .patches(let mean):
      "mean of like patches within \(2 * mean.search + 1)×\(2 * mean.search + 1) pixels"
    case .correlation(let kernel): "kernel of \(2 * kernel.reach + 1)×\(2 * kernel.reach + 1)"
    case .gradient: "gradient"
    case .guided(let tone): "guided filter of \(2 * tone.radius + 1)×\(2 * tone.radius + 1) pixels"
    }
  }
}
