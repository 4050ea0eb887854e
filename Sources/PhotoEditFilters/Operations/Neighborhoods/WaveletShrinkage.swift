// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels
import PhotoEditPlatform

/// Noise reduction for a whole image by shrinking the coefficients of its wavelet transform.
///
/// The wavelet is Daubechies' with two vanishing moments (db2); at the edges the image is mirrored,
/// including its outermost pixels. Luma and color differences of JFIF are transformed separately;
/// the coefficients of each band are shrunk toward zero by strength·σ²/√max(m − σ², ε), m being the
/// mean of their squares (BayesShrink). Alpha is unchanged.
///
/// - Source: S. Chang, B. Yu and M. Vetterli, "Adaptive wavelet thresholding for image denoising
///   and compression", 2000; noise estimated as by D. Donoho and I. Johnstone (1994); together
///   equivalent to scikit-image's `denoise_wavelet(wavelet='db2', convert2ycbcr=True)`.
public struct WaveletShrinkage: Sendable, Hashable {
  /// The number of decomposition levels; nil for three fewer than the maximum, but at least one.
  public let levels: Int?
  /// The standard deviation of the noise in red, green and blue; nil to estimate it.
  public let sigma: Double?
  /// The factor of the thresholds.
  public let strength: Double

  /// Creates a wavelet shrinkage.
  public init(levels: Int?, sigma: Double?, strength: Double) {
    self.levels = levels
    self.sigma = sigma
    self.strength = strength
  }

  /// Luma and color differences (ITU-T T.871) from red, green and blue, without offsets.
  package static let fromRGB: [[Double]] = [
    [0.299, 0.587, 0.114],
    [-0.299 / 1.772, -0.587 / 1.772, 0.886 / 1.772],
    [0.701 / 1.402, -0.587 / 1.402, -0.114 / 1.402],
  ]

  /// Red, green and blue from luma and color differences.
  package static let toRGB: [[Double]] = [
    [1, 0, 1.402],
    [1, -0.114 * 1.772 / 0.587, -0.299 * 1.402 / 0.587],
    [1, 1.772, 0],
  ]

  /// Returns the number of decomposition levels for an image.
  package func levels(width: Int, height: Int) -> Int {
    if let levels { return levels }
    let most = log2(Double(min(width, height)) / 3).rounded(.down)
    return most > 4 ? Int(most) - 3 : 1
  }

  /// Returns the sizes of the images that are decomposed: the image, and the low bands of all
  /// levels except the last one.
  package func levelSizes(of size: PixelSize) -> [PixelSize] {
    var next = size
    return (0..<levels(width: size.width, height: size.height)).map { _ in
      let size = next
      next = Self.bandSize(of: size)
      return size
    }
  }

  /// Returns the size of each band of an image.
  package static func bandSize(of size: PixelSize) -> PixelSize {
    PixelSize(width: (size.width + 3) / 2, height: (size.height + 3) / 2)
  }
}

// The whole image is transformed before the first row of the result is computed.
extension WaveletShrinkage: AreaFacts {
  package func inputRows(for rows: Range<Int>, input: PixelSize) -> Range<Int> { 0..<input.height }
  package func transformBytes(of size: PixelSize) -> Int {
    levelSizes(of: size).reduce(0) {
      $0 + 4 * Self.bandSize(of: $1).pixelCount * MemoryLayout<Float>.stride
    }
  }
  package var summary: String { "wavelet shrinkage" }
}
