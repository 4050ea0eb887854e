// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import Testing

@testable import PhotoEditRendering

@Suite("Piecewise parabola kernel")
struct ParabolaKernelTests {
  private typealias Piece = PiecewiseQuadratic.Piece

  private static let curves: [PiecewiseQuadratic] = [
    PiecewiseQuadratic([Piece(start: 0.3, y: 0.1, slope: 2)]),
    // A line, a parabola that ends with slope 3, another line.
    PiecewiseQuadratic([
      Piece(start: 0.2, y: 0.2, slope: 1), Piece(start: 0.2, y: 0.2, slope: 1, bend: 2),
      Piece(start: 0.7, y: 1.2, slope: 3),
    ]),
    // The same mirrored at the diagonal.
    PiecewiseQuadratic([
      Piece(start: 0.2, y: 0.2, slope: 1, hasHorizontalAxis: true),
      Piece(start: 0.2, y: 0.2, slope: 1, bend: 2, hasHorizontalAxis: true),
      Piece(start: 1.2, y: 0.7, slope: 3, hasHorizontalAxis: true),
    ]),
    // Nearly a right angle at the end of a horizontal parabola.
    PiecewiseQuadratic([
      Piece(start: 0, y: 0, slope: 1, bend: -0.495, hasHorizontalAxis: true),
      Piece(start: 0.505, y: 1, slope: 0.01, hasHorizontalAxis: true),
    ]),
    PiecewiseQuadratic([Piece(start: 0, y: 1, slope: 0), Piece(start: 1.0 / 3, y: 0, slope: 0)]),
  ]

  @Test(arguments: KernelPath.all, curves.indices)
  func `samples match the definition in double precision`(_ path: KernelPath, index: Int) {
    let curve = Self.curves[index]
    for count in KernelSamples.lengths {
      let samples = KernelSamples.floats(count, seed: UInt64(count + 31))
      let actual = results(samples, curve, path)
      #expect(bits(actual) == bits(results(samples, curve, KernelPath.all[0])))
      for (sample, value) in zip(samples, actual) {
        // NaN counts as black.
        let x: Double = sample.isNaN ? -1e18 : min(max(Double(sample), -1e18), 1e18)
        let expected = curve(x)
        // At a slope of 100, the rounding error of a float is multiplied by 100.
        let allowed = index == 3 ? 4e-6 : 5e-7
        #expect(
          abs(Double(value) - expected) <= allowed * max(1, abs(expected)),
          "\(sample): \(value), \(expected)")
      }
    }
  }

  @Test(arguments: KernelPath.all)
  func `a start belongs to the preceding piece`(_ path: KernelPath) {
    let third = Float(1.0 / 3)
    let samples = [third.nextDown, third, third.nextUp]
    // A third as a float is above a third: the rest of the start decides nothing.
    #expect(results(samples, Self.curves[4], path) == [1, 1, 0])
  }

  private func results(
    _ samples: [Float], _ curve: PiecewiseQuadratic, _ path: KernelPath
  ) -> [Float] {
    let constants = RowConstants()
    let pieces = constants.curve(curve)
    return withExtendedLifetime(constants) {
      run([samples], count: samples.count, offset: 1) {
        path.kernels.parabolas($0[0], samples.count, pieces, $1[0])
      }[0]
    }
  }
}
