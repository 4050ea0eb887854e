// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Half of a symmetric kernel that is applied along rows and along columns.
public struct BlurKernel: Sendable, Hashable {
  /// Weight of the centre, then of the samples at distance 1, 2, …; the whole kernel sums to one.
  public let weights: [Double]

  /// How many neighbours on each side count.
  public var radius: Int { weights.count - 1 }

  /// Makes a sampled Gaussian, cut at ⌈4σ⌉ and normalised.
  ///
  /// - Parameter sigma: Standard deviation in pixels, above zero.
  public init(gaussian sigma: Double) {
    precondition(sigma > 0, "a Gaussian needs a width")
    let radius = Int((4 * sigma).rounded(.up))
    // σ² of the smallest σ would be zero, and the weight of the centre 0/0.
    let raw = (0...radius).map { exp(-(Double($0) / sigma) * (Double($0) / sigma) / 2) }
    let sum = raw.dropFirst().reduce(raw[0]) { $0 + 2 * $1 }
    weights = raw.map { $0 / sum }
  }
}
