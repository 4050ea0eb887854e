// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
package import PhotoEditPixels

/// Noise with a triangular density between −1 and 1, added before rounding.
///
/// It depends only on the seed and the position. Each channel takes one word of Philox and adds its
/// upper two groups of 24 bits; a grayscale image takes that of the third channel.
public struct DitherNoise: Sendable, Hashable, PixelMapping {
  /// The first word of the key; the second distinguishes it from the noise of filters.
  public let seed: UInt64
  /// The factor of the noise: one level of the result.
  public let amplitude: Double
  // The origin of this image in the one that the noise was created for.
  private var firstColumn = 0
  private var firstRow = 0
  private static let version: UInt64 = 0x0064_6974_6865_7200

  /// Creates noise for 8-bit results.
  public init(seed: UInt64, amplitude: Double = 1.0 / 255) {
    (self.seed, self.amplitude) = (seed, amplitude)
  }

  /// Returns the noise for the three channels of a pixel.
  public func values(x: Int, y: Int) -> SIMD3<Double> {
    let words = PhiloxNoise.words(
      counter: SIMD4(UInt64(x + firstColumn), UInt64(y + firstRow), 0, 0),
      key: SIMD2(seed, Self.version))
    var values = SIMD3<Double>()
    for channel in 0..<3 {
      let sum = (words[channel] >> 40) + (words[channel] >> 16 & 0xFF_FFFF) + 1
      values[channel] = (Double(sum) / Double(1 << 24) - 1) * amplitude
    }
    return values
  }

  /// Returns the same noise for a part of the image.
  package func cropped(to region: Region) -> DitherNoise {
    var cropped = self
    cropped.firstColumn += region.x
    cropped.firstRow += region.y
    return cropped
  }

  package var preservesGray: Bool { true }
  package var dependsOnPosition: Bool { true }

  package func callAsFunction(_ color: SIMD3<Double>, x: Int, y: Int) -> SIMD3<Double> {
    color + values(x: x, y: y)
  }

  package var kernel: PixelKernel { pe_dither }

  package func constants(in memory: any KernelMemory) -> UnsafeRawPointer {
    let noise = pe_dither_noise(
      seed: seed, version: Self.version, amplitude: Float(amplitude), first_column: firstColumn,
      first_row: firstRow)
    return UnsafeRawPointer(memory.store([noise]))
  }
}
