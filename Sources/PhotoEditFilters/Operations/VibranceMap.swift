// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditPixels

/// A map that saturates pale colors more than others.
package struct VibranceMap: PixelMapping {
  /// The strength, −1 to 1.
  let amount: Double

  package init(_ amount: Double) { self.amount = amount }

  package var preservesGray: Bool { true }

  package func callAsFunction(_ color: SIMD3<Double>, x: Int, y: Int) -> SIMD3<Double> {
    let weights = LumaWeights.rec709
    let luma = (color * SIMD3(weights[0], weights[1], weights[2])).sum()
    let range = color.max() - color.min()
    return luma + (color - luma) * (1 + amount * (1 - (amount < 0 ? -range : range)))
  }

  package var kernel: PixelKernel { pe_vibrance }

  package func constants(in memory: any KernelMemory) -> UnsafeRawPointer {
    UnsafeRawPointer(memory.store([Float(amount)]))
  }
}
