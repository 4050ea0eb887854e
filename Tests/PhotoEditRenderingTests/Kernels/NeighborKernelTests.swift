// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import Testing

@testable import PhotoEditRendering

@Suite("Neighborhood kernels")
struct NeighborKernelTests {
  private static let weights = KernelSamples.levels(41, seed: 77)

  /// The sum of a row or a column around sample i, added one by one from the center outwards.
  private static func sum(_ radius: Int, _ sample: (Int) -> Float) -> Float {
    var sum = sample(0) * weights[0]
    for k in stride(from: 1, through: radius, by: 1) {
      sum += (sample(-k) + sample(k)) * weights[k]
    }
    return sum
  }

  @Test(arguments: KernelPath.all, [0, 1, 8, 40])
  func `a convolution adds from the center outwards`(_ path: KernelPath, radius: Int) {
    for count in KernelSamples.lengths where count > 0 {
      let samples = KernelSamples.floats(count + 2 * radius, seed: UInt64(count))
      let actual = run([samples], count: count, offset: count % 3) {
        path.kernels.convolve($0[0] + radius, count, Self.weights, radius, $1[0])
      }[0]
      let expected = (0..<count).map { i in Self.sum(radius) { samples[i + radius + $0] } }
      #expect(bits(actual) == bits(expected), "\(count) samples")
    }
  }

  @Test(arguments: KernelPath.all, [0, 1, 8])
  func `a convolution of rows does the same along columns`(_ path: KernelPath, radius: Int) {
    for count in KernelSamples.lengths where count > 0 {
      let height = 1 + count % 4
      let ahead = count % 3
      let rows = (0..<2 * radius + height + ahead).map {
        KernelSamples.floats(count + 3, seed: UInt64($0 + count))
      }
      let stride = count + 5
      let actual = run(rows, count: stride * height, offset: 1) { inputs, out in
        let pointers: [UnsafePointer<Float>?] = inputs
        pointers.withUnsafeBufferPointer {
          path.kernels.convolve_rows(
            $0.baseAddress.map { $0 + radius }, 3, count, Self.weights, radius, out[0], stride,
            height, ahead)
        }
      }[0]
      for y in 0..<height {
        let expected = (0..<count).map { i in Self.sum(radius) { rows[y + radius + $0][i + 3] } }
        #expect(
          bits(Array(actual[(y * stride)..<(y * stride + count)])) == bits(expected),
          "\(count) samples, row \(y)")
      }
    }
  }

  @Test(arguments: KernelPath.all, [1, 2, 6, 24])
  func `weighted rows are added from the top`(_ path: KernelPath, taps: Int) {
    for count in KernelSamples.lengths where count > 0 {
      let rows = (0..<taps).map { KernelSamples.floats(count + 3, seed: UInt64($0 + count)) }
      let actual = run(rows, count: count, offset: 1) { inputs, out in
        let pointers: [UnsafePointer<Float>?] = inputs
        path.kernels.weigh_rows(pointers, 3, count, Self.weights, taps, out[0])
      }[0]
      let expected = (0..<count).map { i in
        (1..<taps).reduce(rows[0][i + 3] * Self.weights[0]) {
          $0 + rows[$1][i + 3] * Self.weights[$1]
        }
      }
      #expect(bits(actual) == bits(expected), "\(count) samples")
    }
  }

  @Test(arguments: KernelPath.all, ResamplingKernel.allCases)
  func `resampling adds in eight lanes`(_ path: KernelPath, kernel: ResamplingKernel) {
    for (source, target) in [(131, 40), (131, 130), (131, 400), (9, 4), (1, 7), (300, 3)] {
      let weights = ResamplingWeights(source: source, target: target, kernel: kernel)
      let constants = RowConstants()
      let how = constants.resampling(weights)
      let samples = KernelSamples.levels(source, seed: UInt64(source))
      // Numbers after the end of the row, which must not count.
      let row = samples + [Float](repeating: 3, count: how.pointee.taps)
      let first = target / 3
      let actual = withExtendedLifetime(constants) {
        run([row], count: target - first, offset: 0) {
          path.kernels.resample($0[0], first, target - first, how, $1[0])
        }[0]
      }
      let expected = (first..<target).map { i -> Float in
        var lanes = [Float](repeating: 0, count: 8)
        for (k, s) in weights.sources(of: i).enumerated() {
          let product = samples[s] * weights.weights[weights.offsets[i] + k]
          lanes[k % 8] = k < 8 ? product : lanes[k % 8] + product
        }
        if how.pointee.taps == 1 { return lanes[0] }
        return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6]))
          + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
      }
      #expect(bits(actual) == bits(expected), "\(source) to \(target)")
    }
  }
}
