// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPlatform
import Testing

@Suite("Blurs of reduced images")
struct ReducedBlurTests {
  @Test(arguments: [0.01, 0.2, 0.3, 0.45, 0.53, 0.7, 0.99, 1, 4])
  func `a frequency passes as with the Gaussian`(sigma: Double) {
    let kernel = BlurKernel(gaussian: sigma).ofImage(reducedBy: 0.1)
    #expect(kernel.sigma == sigma && kernel.light == .encoded)
    for share in [0, 0.1, 0.25, 0.5, 0.75] {
      let frequency = share * Double.pi
      let passed = kernel.weights.enumerated().reduce(0.0) { sum, weight in
        sum + (weight.offset == 0 ? 1 : 2) * weight.element * cos(Double(weight.offset) * frequency)
      }
      #expect(abs(passed - exp(-sigma * sigma * frequency * frequency / 2)) < 0.01, "\(share)")
    }
  }

  @Test(arguments: [0.3, 0.5, 0.7, 0.9], [0.6, 0.8, 0.95, 1])
  func `a narrow kernel passes what its definition passes`(sigma: Double, scale: Double) {
    let definition = BlurKernel(gaussian: sigma)
    let kernel = BlurKernel(gaussian: sigma * scale).ofImage(reducedBy: scale)
    for share in [0, 0.1, 0.25, 0.5, 0.75] {
      let difference = kernel.passed(of: share * .pi) - definition.passed(of: share * .pi * scale)
      #expect(abs(difference) < (scale == 1 ? 1e-12 : 0.01), "\(share)")
    }
  }
}
