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
    self.init(normalizing: raw, sigma: sigma, light: light)
  }

  /// Returns the kernel of this width that passes every frequency as the definition of the filter
  /// does in the image before it was reduced.
  ///
  /// Sampled Gaussians narrower than a pixel pass too much of the highest frequencies.
  ///
  /// - Parameter scale: The reduced pixels per pixel in each direction.
  package func ofImage(reducedBy scale: Double) -> BlurKernel {
    guard sigma < 1, scale < 1 else { return self }
    let definition = BlurKernel(gaussian: sigma / scale, light: light)
    let frequencies = (0..<256).map { .pi * (Double($0) + 0.5) / 256 }
    let passed = frequencies.map { definition.passed(of: $0 * scale) }
    // The inverse Fourier transform.
    return BlurKernel(
      normalizing: (0...4).map { k in
        zip(frequencies, passed).reduce(0) { $0 + $1.1 * cos(Double(k) * $1.0) }
      }, sigma: sigma, light: light)
  }

  /// Returns the factor of a frequency in radians per sample.
  package func passed(of frequency: Double) -> Double {
    weights.indices.dropFirst().reduce(weights[0]) {
      $0 + 2 * weights[$1] * cos(Double($1) * frequency)
    }
  }

  private init(normalizing raw: [Double], sigma: Double, light: TransferEncoding) {
    let sum = raw.dropFirst().reduce(raw[0]) { $0 + 2 * $1 }
    (self.sigma, self.light) = (sigma, light)
    weights = raw.map { $0 / sum }
  }
}

/// A wide Gaussian as three narrow convolutions: to a coarse grid, along the grid, and back to
/// pixels.
///
/// Variances add up: σ² = k²·(v + s² + v), where k is the spacing of the grid, v the variance of
/// the spline that maps to the grid and back, and s² that of the Gaussian between. Because k grows
/// with σ, the cost per pixel is the same for every σ. The spline is the cubic B-spline (Schoenberg
/// 1946): four samples of the grid wide, and zero to the fourth order at the frequencies that the
/// grid aliases to the lowest ones; it keeps these zeros between pixels because k is an integer.
///
/// Half of Σ|w − d| over the effective weights w and those of the definition d is an upper bound of
/// the error for levels 0 to 1. Two axes together stay below 0.011 of 255 levels, and below 0.0034
/// for linear samples, where levels near black grow up to 12.92 times when they are gamma-encoded:
/// 0.044.
package struct CoarseGaussian: Sendable, Hashable {
  /// Pixels between two samples of the grid, at least two.
  package let spacing: Int
  /// The kernel applied along the grid.
  package let kernel: BlurKernel

  /// Returns the smallest standard deviation in spacings of the grid.
  ///
  /// A finer grid reproduces the truncation of the definition at 4σ more sharply, which is most of
  /// the error.
  package static func relativeSigma(in light: TransferEncoding) -> Double {
    light == .linear ? 16 : 6
  }

  /// Returns the standard deviation in pixels from which the grid replaces the direct convolution.
  package static func smallestSigma(in light: TransferEncoding) -> Double {
    2 * relativeSigma(in: light)
  }

  /// Chooses the grid; nil if direct convolution is used.
  package init?(_ definition: BlurKernel) {
    let (sigma, light) = (definition.sigma, definition.light)
    guard sigma >= Self.smallestSigma(in: light) else { return nil }
    spacing = Int(sigma / Self.relativeSigma(in: light))
    let relative = sigma / Double(spacing)
    // Truncated like the definition, because its tails are as large as the allowed error.
    let reach = (Double(definition.radius) + 0.5) / Double(spacing)
    let variance = relative * relative - 2 * CubicSpline.variance
    kernel = BlurKernel(gaussian: variance.squareRoot(), reach: reach, light: light)
  }

  /// Returns the grid along an axis with a number of pixels.
  ///
  /// It is symmetric about the center and continues at both ends until a sample depends only on the
  /// outermost pixel. All samples outside it would be the same: the outermost sample of the grid is
  /// extended there, exactly like the outermost pixel of the image.
  package func axis(count: Int) -> Axis {
    precondition(count > 0, "an axis has at least one sample")
    let width = Double(spacing)
    let samples = (count - 2) / spacing + 2 * Int(CubicSpline.support) + 2
    let first = Double(count - 1 - (samples - 1) * spacing) / 2
    return Axis(
      shrinking: ResamplingWeights(
        splinesAt: (0..<samples).map { first + Double($0 * spacing) }, width: width,
        source: count),
      enlarging: ResamplingWeights(
        splinesAt: (0..<count).map { (Double($0) - first) / width }, width: 1, source: samples))
  }

  /// The resampling to the grid and back along one axis.
  package struct Axis: Sendable, Hashable {
    /// Computes samples of the grid from pixels.
    package let shrinking: ResamplingWeights
    /// Computes pixels from samples of the grid.
    package let enlarging: ResamplingWeights

    /// The number of grid samples.
    package var sampleCount: Int { shrinking.starts.count }
  }
}

extension ResamplingWeights {
  /// Computes the weights of splines centered on some positions, folded at the ends: the outermost
  /// samples are extended.
  fileprivate init(splinesAt centers: [Double], width: Double, source: Int) {
    let reach = CubicSpline.support * width
    var starts: [Int] = []
    var offsets = [0]
    var all: [Float] = []
    for center in centers {
      let samples = Int((center - reach).rounded(.up))...Int((center + reach).rounded(.down))
      let first = min(max(samples.lowerBound, 0), source - 1)
      let last = min(max(samples.upperBound, 0), source - 1)
      var raw = [Double](repeating: 0, count: last - first + 1)
      for sample in samples {
        let index = min(max(sample, 0), source - 1)
        raw[index - first] += CubicSpline.value(at: (Double(sample) - center) / width)
      }
      let sum = raw.reduce(0, +)
      starts.append(first)
      all.append(contentsOf: raw.map { Float($0 / sum) })
      offsets.append(all.count)
    }
    (self.starts, self.offsets, self.weights) = (starts, offsets, all)
  }
}

/// The cubic B-spline: the density of the sum of four uniform random numbers of width one.
private enum CubicSpline {
  /// Half of its width.
  static let support = 2.0
  static let variance = 1.0 / 3

  static func value(at distance: Double) -> Double {
    let x = abs(distance)
    if x < 1 { return 2.0 / 3 + x * x * (x / 2 - 1) }
    let rest = max(0, support - x)
    return rest * rest * rest / 6
  }
}
