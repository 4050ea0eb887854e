// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform
import Testing

@testable import PhotoEditRendering

@Suite("Curve and radial gain kernels")
struct CurveKernelTests {
  private typealias Call = (
    pe_kernel_table, UnsafePointer<Float>, Int, UnsafeMutablePointer<Float>
  ) -> Void
  private typealias Kernel =
    @Sendable (
      pe_kernel_table, UnsafePointer<Float>, Int, UnsafeMutablePointer<Float>
    ) -> Void

  /// Every exponent of a float, both sides of every octave, and the ends of the pieces.
  private static let samples: [Float] = {
    var samples: [Float] = KernelSamples.floats(2000, seed: 5)
    for i in 0...8000 { samples.append(Float(i) / 2000) }
    for exponent in -149...127 {
      let octave = Float(sign: .plus, exponent: exponent, significand: 1)
      samples += [octave, octave.nextUp, octave.nextDown, octave * 1.4999999, octave * 1.5]
    }
    for knee: Float in [0.04045, 0.0031308] { samples += [knee, knee.nextUp, knee.nextDown] }
    return samples + samples.map { -$0 }
  }()

  /// Expects the error bound declared in the header.
  private func expect(
    _ path: KernelPath, _ kernel: Call, is exact: (Double) -> Double, _ comment: String = ""
  ) {
    let samples = Self.samples
    let actual = results(samples, kernel, path)
    for (sample, value) in zip(samples, actual) {
      let expected = exact(Double(sample))
      if expected.isNaN || abs(expected) >= Double(Float.greatestFiniteMagnitude) * 0.99999 {
        #expect(
          value.isNaN == expected.isNaN
            && (expected.isNaN || abs(value) >= .greatestFiniteMagnitude * 0.999),
          "\(comment) \(sample): \(value)")
        continue
      }
      let allowed = abs(expected) <= 2 ? 0.001 / 255 : 2e-6 * abs(expected)
      #expect(
        abs(Double(value) - expected) <= allowed, "\(comment) \(sample): \(value), \(expected)")
    }
  }

  private func results(_ samples: [Float], _ kernel: Call, _ path: KernelPath) -> [Float] {
    run([samples], count: samples.count, offset: 1) {
      kernel(path.kernels, $0[0], samples.count, $1[0])
    }[0]
  }

  @Test(arguments: KernelPath.all)
  func `transfer curves stay within their error bound`(_ path: KernelPath) {
    expect(path, { $0.srgb_decode($1, $2, $3) }, is: SRGBTransfer.decode)
    expect(path, { $0.srgb_encode($1, $2, $3) }, is: SRGBTransfer.encode)
  }

  @Test(arguments: KernelPath.all, [0.1, 0.45, 1 / 2.2, 1, 1.3, 2.2, 10, 0, -0.5, -2] as [Float])
  func `powers stay within their error bound`(_ path: KernelPath, exponent: Float) {
    expect(
      path, { $0.power($1, $2, exponent, $3) },
      is: { x in
        copysign(pow(abs(x), Double(exponent)), x)
      })
  }

  @Test(arguments: KernelPath.all, [0.1, 0.45, 1, 1.3, 4] as [Float])
  func `powers above zero leave negative values unchanged`(_ path: KernelPath, exponent: Float) {
    expect(
      path, { $0.power_above_zero($1, $2, exponent, $3) },
      is: { $0 < 0 ? $0 : pow($0, Double(exponent)) })
  }

  @Test(arguments: KernelPath.all)
  func `the hyperbolic tangent is accurate for small samples, too`(_ path: KernelPath) {
    let actual = results(Self.samples, { $0.hyperbolic($1, $2, $3) }, path)
    for (sample, value) in zip(Self.samples, actual) {
      let expected = tanh(Double(sample))
      #expect(value.isNaN == sample.isNaN)
      // A subnormal number has an error of its own.
      let least = Double(Float.leastNonzeroMagnitude)
      #expect(
        sample.isNaN || abs(Double(value) - expected) <= 2e-7 * abs(expected) + least,
        "\(sample): \(value), \(expected)")
    }
  }

  private static let curves: [(name: String, kernel: Kernel)] = [
    ("decode", { $0.srgb_decode($1, $2, $3) }), ("encode", { $0.srgb_encode($1, $2, $3) }),
    ("power", { $0.power($1, $2, 1.3, $3) }),
    ("power above zero", { $0.power_above_zero($1, $2, 1.3, $3) }),
    ("hyperbolic", { $0.hyperbolic($1, $2, $3) }),
  ]

  @Test(arguments: curves.indices)
  func `every path and every length give identical results`(index: Int) {
    let (name, kernel) = Self.curves[index]
    let expected = results(Self.samples, kernel, KernelPath.all[0])
    for path in KernelPath.all {
      #expect(bits(results(Self.samples, kernel, path)) == bits(expected), "\(name)")
      for count in KernelSamples.lengths {
        let part = results(Array(Self.samples[3..<3 + count]), kernel, path)
        #expect(bits(part) == bits(expected[3..<3 + count]), "\(name) \(count)")
      }
    }
  }

  private static let splines: [MonotoneSpline] = [
    MonotoneSpline([CurvePoint(0, 0.2), CurvePoint(1, 0.7)], isLinear: false),
    MonotoneSpline(
      [CurvePoint(0, 0.1), CurvePoint(0.4, 0.6), CurvePoint(0.41, 0.65), CurvePoint(1, 0.9)],
      isLinear: false),
    MonotoneSpline([CurvePoint(0.2, 1), CurvePoint(0.5, 0), CurvePoint(0.8, 1)], isLinear: true),
    MonotoneSpline(
      (0..<32).map { CurvePoint(Double($0) / 31, $0 % 2 == 0 ? 1 : 0) }, isLinear: false),
    // Points that no float can distinguish.
    MonotoneSpline(
      [CurvePoint(0, 0), CurvePoint(0.5, 0.2), CurvePoint(0.5.nextUp, 0.8), CurvePoint(1, 1)],
      isLinear: false),
  ]

  @Test(arguments: KernelPath.all, splines.indices)
  func `a spline matches its definition in double precision`(_ path: KernelPath, index: Int) {
    let spline = Self.splines[index]
    let constants = RowConstants()
    let curve = constants.curve(spline)
    withExtendedLifetime(constants) {
      for count in KernelSamples.lengths {
        let samples = KernelSamples.floats(count, seed: UInt64(count + 9))
        let kernel: Call = { $0.spline($1, $2, curve, $3) }
        let actual = results(samples, kernel, path)
        #expect(bits(actual) == bits(results(samples, kernel, KernelPath.all[0])))
        for (sample, value) in zip(samples, actual) where abs(sample - 0.5) > 1e-6 || index < 4 {
          #expect(abs(Double(value) - spline(Double(sample))) <= 1e-6, "\(sample): \(value)")
        }
      }
    }
  }

  @Test(
    arguments: KernelPath.all,
    [
      RadialGain.Model.cosine(angle: 36), .cosine(angle: 90),
      .smooth(inner: 0.3, outer: 0.9), .smooth(inner: 0.5, outer: 0.5),
      .inverse(SIMD3(-0.55, -0.23, -0.08)), .inverse(SIMD3(-2, 0.1, 0)),
    ])
  func `a radial gain matches its definition in double precision`(
    _ path: KernelPath, model: RadialGain.Model
  ) {
    let size = PixelSize(width: 1200, height: 900)
    for amount in [1, 0.4, -0.7] {
      let radialGain = RadialGain(
        model, amount: amount, size: size, center: (0.4, 0.6), roundness: 0.5)
      for (y, first, count) in [(0, 0, 1200), (899, 3, 130), (540, 1100, 100), (541, 17, 1)] {
        let rows = RowGain(radialGain, firstColumn: 0)
        func factors(_ path: KernelPath, _ first: Int, _ count: Int) -> [Float] {
          run([], count: count, offset: 0) { _, out in
            withUnsafePointer(to: rows.law) { law in
              let kernels = path.kernels
              let kernel =
                switch model {
                case .cosine: kernels.gain_cosine
                case .smooth: kernels.gain_smooth
                case .inverse: kernels.gain_inverse
                }
              kernel?(first, count, law, rows.square(y: y), out[0])
            }
          }[0]
        }
        let actual = factors(path, first, count)
        #expect(bits(actual) == bits(factors(KernelPath.all[0], first, count)))
        // For any start of a block.
        #expect(bits(actual.suffix(1)) == bits(factors(path, first + count - 1, 1)))
        for (i, value) in actual.enumerated() {
          let expected = radialGain.factor(x: first + i, y: y)
          #expect(abs(Double(value) - expected) <= 1e-6 * max(1, expected))
        }
      }
    }
  }
}
