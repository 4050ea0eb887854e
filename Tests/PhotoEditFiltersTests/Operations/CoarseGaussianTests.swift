// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditFilters

@Suite("Wide Gaussians on a coarse grid")
struct CoarseGaussianTests {
  /// The maximum of Σ|w − d|/2 along one axis, so that two axes give at most 0.011 levels.
  ///
  /// An error in linear values grows 12.92 times when it is gamma-encoded.
  private static func allowed(_ light: TransferEncoding) -> Double {
    (light == .linear ? 0.0034 : 0.011) / 255 / 2
  }

  private static let sigmas = [
    12, 12.4, 13, 13.9, 15.5, 18, 22.3, 29.7, 32, 33.1, 41, 64.4, 100, 173.2, 250, 333.3, 500,
  ]

  @Test(arguments: sigmas, [TransferEncoding.encoded, .linear])
  func `no image differs from the definition by more than the class allows`(
    sigma: Double, light: TransferEncoding
  ) throws {
    if sigma < CoarseGaussian.smallestSigma(in: light) { return }
    let definition = BlurKernel(gaussian: sigma, light: light)
    let gaussian = try #require(CoarseGaussian(definition))
    let radius = definition.radius
    for count in [1, 2, 7, radius / 3, radius, 3 * radius + 1] {
      let axis = gaussian.axis(count: count)
      let middle = count / 2
      let phases = (0..<9).map { middle + $0 * max(1, gaussian.spacing / 8) }
      for output in Set([0, 1, 3, count / 7, count - 1] + phases) where output < count {
        let actual = Self.weights(gaussian.kernel, axis, of: output, count: count)
        let expected = Self.weights(definition, of: output, count: count)
        let error = zip(actual, expected).reduce(0) { $0 + abs($1.0 - $1.1) } / 2
        #expect(error <= Self.allowed(light), "pixel \(output) of \(count)")
      }
    }
  }

  @Test(arguments: sigmas)
  func `typical rows of samples match the definition`(sigma: Double) throws {
    let definition = BlurKernel(gaussian: sigma)
    let gaussian = try #require(CoarseGaussian(definition))
    let count = min(600, 2 * definition.radius)
    var state: UInt64 = 1
    let images: [[Double]] = [
      (0..<count).map { $0 < count / 3 ? 0 : 1 },
      (0..<count).map { $0 == 0 ? 1 : 0 },
      (0..<count).map { $0 == count - 2 ? 1 : 0 },
      (0..<count).map { Double($0 % 2) },
      (0..<count).map { Double($0 % gaussian.spacing / (gaussian.spacing / 2)) },
      (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 63 == 0 ? 0 : 1
      },
    ]
    let axis = gaussian.axis(count: count)
    for (index, image) in images.enumerated() {
      let coarse = Self.convolved(Self.resampled(image, axis.shrinking), gaussian.kernel)
      let actual = Self.resampled(coarse, axis.enlarging)
      let outputs = stride(from: 0, to: count, by: 1 + count / 40)
      for output in outputs {
        let weights = Self.weights(definition, of: output, count: count)
        let expected = zip(weights, image).reduce(0) { $0 + $1.0 * $1.1 }
        #expect(
          abs(actual[output] - expected) <= Self.allowed(.encoded), "picture \(index) at \(output)")
      }
    }
  }

  @Test func `the direct sum is used up to 12 pixels, in linear light up to 32`() {
    #expect(CoarseGaussian(BlurKernel(gaussian: 11.999)) == nil)
    #expect(CoarseGaussian(BlurKernel(gaussian: 12)) != nil)
    #expect(CoarseGaussian(BlurKernel(gaussian: 31.999, light: .linear)) == nil)
    #expect(CoarseGaussian(BlurKernel(gaussian: 32, light: .linear)) != nil)
  }

  @Test(arguments: [12, 17.7, 500], [1, 2, 5, 100, 1001])
  func `the grid ends with samples of only the outermost pixels`(sigma: Double, count: Int) throws {
    let gaussian = try #require(CoarseGaussian(BlurKernel(gaussian: sigma)))
    let axis = gaussian.axis(count: count)
    #expect(axis.shrinking.sources(of: 0) == 0..<1)
    #expect(axis.shrinking.sources(of: axis.sampleCount - 1) == count - 1..<count)
    #expect(axis.enlarging.starts.count == count)
    for output in 0..<count {
      let sources = axis.enlarging.sources(of: output)
      #expect(sources.lowerBound >= 0 && sources.upperBound <= axis.sampleCount)
      #expect(sources.count <= 5)
    }
    #expect(axis.sampleCount <= count / gaussian.spacing + 6)
  }

  @Test(arguments: [12, 33.3], [1, 6, 401])
  func `a mirrored image has a mirrored grid`(sigma: Double, count: Int) throws {
    let gaussian = try #require(CoarseGaussian(BlurKernel(gaussian: sigma)))
    let axis = gaussian.axis(count: count)
    for weights in [axis.shrinking, axis.enlarging] {
      let outputs = weights.starts.count
      let inputs = weights == axis.shrinking ? count : axis.sampleCount
      for output in 0..<outputs {
        let there = Self.row(weights, of: output, count: inputs)
        let back = Self.row(weights, of: outputs - 1 - output, count: inputs).reversed()
        #expect(zip(there, back).allSatisfy { abs($0 - $1) < 1e-6 })
        #expect(abs(there.reduce(0, +) - 1) < 1e-6)
      }
    }
  }

  // MARK: Sums in double precision

  /// The weight of each pixel in one pixel of the blurred row, by the definition.
  private static func weights(_ kernel: BlurKernel, of output: Int, count: Int) -> [Double] {
    var result = [Double](repeating: 0, count: count)
    for offset in -kernel.radius...kernel.radius {
      result[min(max(output + offset, 0), count - 1)] += kernel.weights[abs(offset)]
    }
    return result
  }

  /// The same weights computed with the grid.
  private static func weights(
    _ kernel: BlurKernel, _ axis: CoarseGaussian.Axis, of output: Int, count: Int
  ) -> [Double] {
    let enlarging = row(axis.enlarging, of: output, count: axis.sampleCount)
    // The kernel is symmetric only inside: weights after the end count for the last sample.
    var coarse = [Double](repeating: 0, count: axis.sampleCount)
    for (sample, weight) in enlarging.enumerated() where weight != 0 {
      for offset in -kernel.radius...kernel.radius {
        let position = min(max(sample + offset, 0), axis.sampleCount - 1)
        coarse[position] += weight * kernel.weights[abs(offset)]
      }
    }
    var result = [Double](repeating: 0, count: count)
    for (sample, weight) in coarse.enumerated() where weight != 0 {
      let first = axis.shrinking.offsets[sample]
      for (index, pixel) in axis.shrinking.sources(of: sample).enumerated() {
        result[pixel] += weight * Double(axis.shrinking.weights[first + index])
      }
    }
    return result
  }

  private static func row(_ weights: ResamplingWeights, of output: Int, count: Int) -> [Double] {
    var result = [Double](repeating: 0, count: count)
    for (index, source) in weights.sources(of: output).enumerated() {
      result[source] = Double(weights.weights[weights.offsets[output] + index])
    }
    return result
  }

  private static func resampled(_ row: [Double], _ weights: ResamplingWeights) -> [Double] {
    weights.starts.indices.map { output in
      weights.sources(of: output).enumerated().reduce(0) {
        $0 + Double(weights.weights[weights.offsets[output] + $1.offset]) * row[$1.element]
      }
    }
  }

  private static func convolved(_ row: [Double], _ kernel: BlurKernel) -> [Double] {
    row.indices.map { output in
      (-kernel.radius...kernel.radius).reduce(0) {
        $0 + kernel.weights[abs($1)] * row[min(max(output + $1, 0), row.count - 1)]
      }
    }
  }
}
