// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// One half of a symmetric kernel that is applied along rows and along columns.
public struct BlurKernel: Sendable, Hashable {
  /// Standard deviation of the Gaussian, in samples.
  public let sigma: Double
  /// The transfer encoding of the samples.
  public let light: TransferEncoding
  /// The weight of the center, then of the samples at distance 1, 2, …; the whole kernel sums to
  /// one.
  public let weights: [Double]

  /// The number of neighbors on each side.
  public var radius: Int { weights.count - 1 }

  /// Creates a sampled Gaussian, truncated at ⌈4σ⌉ and normalized.
  ///
  /// - Parameters:
  ///   - sigma: Standard deviation in pixels, above zero.
  ///   - light: The transfer encoding of the samples; it determines the accuracy required of a
  ///     faster method.
  public init(gaussian sigma: Double, light: TransferEncoding = .encoded) {
    let radius = (4 * sigma).rounded(.up)
    self.init(gaussian: sigma, reach: radius + 0.5, light: light)
  }

  /// Creates a sampled Gaussian, truncated at some distance and normalized.
  ///
  /// - Parameter reach: The end of the kernel, each sample being one wide; the outermost one is
  ///   weighted by the part inside.
  package init(gaussian sigma: Double, reach: Double, light: TransferEncoding) {
    precondition(sigma > 0 && reach >= 0.5, "a Gaussian needs a width")
    let radius = Int((reach + 0.5).rounded(.up)) - 1
    // σ² of the smallest σ would be zero, and the weight of the center 0/0.
    var raw = (0...radius).map { exp(-(Double($0) / sigma) * (Double($0) / sigma) / 2) }
    raw[radius] *= min(1, reach - Double(radius) + 0.5)
    let sum = raw.dropFirst().reduce(raw[0]) { $0 + 2 * $1 }
    self.sigma = sigma
    self.light = light
    weights = raw.map { $0 / sum }
  }
}
