// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels

/// A map of linear light that compresses highlights between a knee and a white, which becomes 1.
///
/// With u = (x − k)/(1 − k) and U the same for the white, k + (1 − k)·u·(1 + u/U²)/(1 + u) above the
/// knee k: 70 % by the largest channel, with the ratios of the channels kept, and 30 % by channel.
///
/// - Source: Reinhard et al., "Photographic tone reproduction for digital images", 2002, the
///   operator with a white, on the segment above the knee.
struct RollOff: PixelMapping {
  let knee: Double
  let white: Double

  var preservesGray: Bool { true }

  private func callAsFunction(_ x: Double) -> Double {
    guard x > knee else { return x }
    let (u, most) = ((x - knee) / (1 - knee), (white - knee) / (1 - knee))
    return knee + (1 - knee) * u * (1 + u / (most * most)) / (1 + u)
  }

  func callAsFunction(_ color: SIMD3<Double>, x: Int, y: Int) -> SIMD3<Double> {
    let largest = color.max()
    guard largest > knee else { return color }
    let byChannel = SIMD3(self(color.x), self(color.y), self(color.z))
    return 0.7 * (color * (self(largest) / largest)) + 0.3 * byChannel
  }

  var kernel: PixelKernel { pe_roll_off }

  /// The parameters in the form that kernels take.
  var curve: pe_roll_off_curve {
    let most = (white - knee) / (1 - knee)
    return pe_roll_off_curve(
      knee: Float(knee), range: Float(1 - knee), per_range: Float(1 / (1 - knee)),
      per_white: Float(1 / (most * most)))
  }

  func constants(in memory: any KernelMemory) -> UnsafeRawPointer {
    UnsafeRawPointer(memory.store([curve]))
  }
}
