// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels

/// A map of cube roots of cone responses (Oklab) to how near a color is to any of several.
///
/// At the distance d from the nearest sample, where d² = (ΔL/2)² + Δa² + Δb², all channels become
/// 1 − smoothstep(tolerance, tolerance + softness, d). Lightness counts half, because light and
/// shadow change it more than they change a color.
struct ColorRange: PixelMapping {
  /// Lightness and the two opponent axes of each sample.
  let samples: [SIMD3<Double>]
  private let tolerance: Double
  private let end: Double

  /// Creates the map.
  init(samples: [SIMD3<Double>], tolerance: Double, softness: Double) {
    (self.samples, self.tolerance) = (samples, tolerance)
    // A transition without any width would be one that rounding decides.
    end = tolerance + max(softness, 1e-4)
  }

  var preservesGray: Bool { true }

  func callAsFunction(_ color: SIMD3<Double>, x: Int, y: Int) -> SIMD3<Double> {
    let lab = Oklab.opponent.applied(to: color)
    let nearest = samples.map { sample in
      let difference = (lab - sample) * SIMD3(0.5, 1, 1)
      return (difference * difference).sum().squareRoot()
    }.min()
    return SIMD3(repeating: 1 - smoothStep(tolerance, end, nearest ?? .infinity))
  }

  var kernel: PixelKernel { pe_color_range }

  func constants(in memory: any KernelMemory) -> UnsafeRawPointer {
    let how = pe_color_samples(
      oklab: Oklab.constants,
      samples: memory.store(samples.flatMap { [Float($0.x), Float($0.y), Float($0.z)] }),
      count: samples.count, low: Float(tolerance), high: Float(end))
    return UnsafeRawPointer(memory.store([how]))
  }
}
