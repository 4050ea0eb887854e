// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels
import PhotoEditPlatform

/// Noise taken out of a whole picture by shrinking the coefficients of its wavelet transform.
///
/// The wavelet is Daubechies' with two vanishing moments (db2); beyond the edge the picture is
/// mirrored, its outermost pixels included. Luma and colour differences of JFIF are transformed by
/// themselves; each band of coefficients loses strength·σ²/√max(m − σ², ε) of their size, m being
/// the mean of their squares (BayesShrink), and no more than all. Alpha stays.
///
/// - Source: S. Chang, B. Yu and M. Vetterli, "Adaptive wavelet thresholding for image denoising
///   and compression", 2000; noise as D. Donoho and I. Johnstone estimate it (1994); together what
///   scikit-image's `denoise_wavelet(wavelet='db2', convert2ycbcr=True)` does.
public struct WaveletShrinkage: Sendable, Hashable {
  /// How often the picture is halved; nil for three times less than would be possible.
  public let levels: Int?
  /// Standard deviation of the noise in red, green and blue; nil where it is estimated.
  public let sigma: Double?
  /// What thresholds are multiplied by.
  public let strength: Double

  /// Makes a shrinkage.
  public init(levels: Int?, sigma: Double?, strength: Double) {
    self.levels = levels
    self.sigma = sigma
    self.strength = strength
  }

  /// Luma and colour differences (ITU-T T.871) out of red, green and blue, without offsets.
  package static let fromRGB: [[Double]] = [
    [0.299, 0.587, 0.114],
    [-0.299 / 1.772, -0.587 / 1.772, 0.886 / 1.772],
    [0.701 / 1.402, -0.587 / 1.402, -0.114 / 1.402],
  ]

  /// Red, green and blue out of these.
  package static let toRGB: [[Double]] = [
    [1, 0, 1.402],
    [1, -0.114 * 1.772 / 0.587, -0.299 * 1.402 / 0.587],
    [1, 1.772, 0],
  ]

  /// How often a picture is halved.
  package func levels(width: Int, height: Int) -> Int {
    if let levels { return levels }
    let most = log2(Double(min(width, height)) / 3).rounded(.down)
    return most > 4 ? Int(most) - 3 : 1
  }
}

// It is made in one piece, out of the whole picture.
extension WaveletShrinkage: AreaFacts {
  package func inputRows(for rows: Range<Int>, input: PixelSize) -> Range<Int> { 0..<input.height }
  package func alignment(height: Int) -> Int { max(1, height) }
  package var summary: String { "wavelet shrinkage" }
}
