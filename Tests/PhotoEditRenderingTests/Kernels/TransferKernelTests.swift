// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels
import Testing

@testable import PhotoEditRendering

@Suite("Transfer curve and dither kernels")
struct TransferKernelTests {
  private static let formulas = [
    // (0.9·0.05 + 0.1)^2 + 0.01 is 0.3·0.05 + 0.016025.
    ParametricCurve(g: 2, a: 0.9, b: 0.1, c: 0.3, d: 0.05, e: 0.01, f: 0.016_025),
    ParametricCurve(g: 1 / 0.45, a: 1 / 1.0993, b: 0.0993 / 1.0993, c: 1 / 4.5, d: 0.0812),
    ParametricCurve(g: 3, a: 1 / 1.16, b: 0.16 / 1.16, c: 2700.0 / 24_389, d: 0.08),
    ParametricCurve(g: 2.2, a: 0.9, b: 0.1, e: 0.05, f: 0.05),
  ]

  @Test(arguments: formulas)
  func `formulas and their inverses match double precision`(curve: ParametricCurve) {
    let constants = RowConstants()
    withExtendedLifetime(constants) {
      for (how, definition) in [
        (constants.curve(curve), { curve($0) }), (constants.inverse(of: curve), curve.inverse),
      ] as [(UnsafePointer<pe_two_piece_curve>, (Double) -> Double)] {
        for count in [0, 1, 63, 64, 65, 130, 1000] {
          let samples = KernelSamples.levels(count, seed: UInt64(count + 7)).enumerated().map {
            $0.offset % 5 == 4 ? -$0.element : $0.element
          }
          let results = KernelPath.all.map { other in
            run([samples], count: count, offset: 1) {
              other.kernels.two_pieces($0[0], count, how, $1[0])
            }[0]
          }
          for result in results { #expect(bits(result) == bits(results[0])) }
          for (sample, value) in zip(samples, results[0]) {
            let expected = definition(Double(sample))
            #expect(abs(Double(value) - expected) <= 1e-6 * max(1, abs(expected)), "\(sample)")
          }
        }
      }
    }
  }

  @Test(arguments: [2, 3, 256, 4096])
  func `the inverse of a table matches double precision`(count: Int) throws {
    let entries = (0..<count).map { step -> Double in
      let x = Double(step) / Double(count - 1)
      return 0.1 * x + 0.9 * x * x
    }
    let curve = try #require(SampledCurve(entries))
    let constants = RowConstants()
    withExtendedLifetime(constants) {
      let table = constants.table(curve)
      let samples = KernelSamples.levels(500, seed: 3) + [0, 1, -1, 2, .nan, .infinity, -.infinity]
      let results = KernelPath.all.map { path in
        run([samples], count: samples.count, offset: 1) {
          path.kernels.inverse_lut1d($0[0], samples.count, table, $1[0])
        }[0]
      }
      for result in results { #expect(bits(result) == bits(results[0])) }
      for (sample, value) in zip(samples, results[0]) {
        let expected = sample.isNaN ? 0 : curve.inverse(Double(sample))
        #expect(abs(Double(value) - expected) <= 1e-6, "\(sample): \(value), \(expected)")
      }
    }
  }

  @Test(arguments: KernelPath.all)
  func `dither noise matches its definition for any start of a run`(path: KernelPath) {
    let noise = DitherNoise(seed: 99).cropped(to: Region(x: 5, y: 7, width: 70, height: 3))
    let constants = RowConstants()
    withExtendedLifetime(constants) {
      let map = RowMap(PixelMap(noise), firstColumn: 0, constants)
      let samples = KernelSamples.levels(70, seed: 1)
      let results = run([samples, samples, samples], count: 70, offset: 1, outputs: 3) {
        var pixels = pe_pixel_run(
          r: $0[0], g: $0[1], b: $0[2], count: 70, x: $1[0], y: $1[1], z: $1[2], column: 11,
          row: 2)
        path.kernels.dither(&pixels, map.how)
      }
      for index in samples.indices {
        let expected = noise.values(x: 11 + index, y: 2)
        for channel in 0..<3 {
          let added = Double(results[channel][index]) - Double(samples[index])
          #expect(abs(added - expected[channel]) < 1e-6)
        }
      }
    }
  }

  @Test func `dither noise has a triangular density`() {
    let noise = DitherNoise(seed: 1, amplitude: 1)
    var (sum, squares, outside) = (0.0, 0.0, 0)
    let count = 3 * 128 * 128
    for y in 0..<128 {
      for x in 0..<128 {
        let values = noise.values(x: x, y: y)
        for channel in 0..<3 {
          #expect(abs(values[channel]) <= 1)
          sum += values[channel]
          squares += values[channel] * values[channel]
          if abs(values[channel]) > 0.5 { outside += 1 }
        }
      }
    }
    // A triangle from −1 to 1 has variance 1/6, and a quarter is in its outer halves.
    #expect(abs(sum / Double(count)) < 0.008)
    #expect(abs(squares / Double(count) - 1.0 / 6) < 0.005)
    #expect(abs(Double(outside) / Double(count) - 0.25) < 0.01)
  }
}
