// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import Testing

@testable import PhotoEditRendering

@Suite("Blend mode kernels")
struct BlendKernelTests {
  /// Two rows of pixels with alpha for each length, seven of eight values between 0 and 1.
  private static let rows = KernelSamples.lengths.map { (count: $0, rows: rows($0)) }

  private static func rows(_ count: Int) -> [[Float]] {
    (0..<8).map { plane in
      let levels = KernelSamples.levels(count, seed: UInt64(plane * 77 + count))
      let outside = KernelSamples.levels(count, seed: UInt64(plane * 31 + 5))
      return zip(levels, outside).enumerated().map { i, pair in
        // Black, white, gray and outside, where the formulas have their corners.
        switch (i + plane * 5) % 16 {
        case 0: 0
        case 1: 1
        case 2: 0.5
        case 3 where plane % 4 != 3: pair.1 * 4 - 1
        case 4: [0.25, 0.25, 0.25, 1][plane % 4]
        default: pair.0
        }
      }
    }
  }

  private func results(
    _ rows: [[Float]], _ mode: BlendMode, alpha: Bool, _ path: KernelPath
  ) -> [[Float]] {
    let count = rows[0].count
    let used = alpha ? rows : Array(rows[0..<3] + rows[4..<7])
    return run(used, count: count, offset: count % 3, outputs: alpha ? 4 : 3) { inputs, outputs in
      let half = inputs.count / 2
      let (backdrop, source) = (Array(inputs[..<half]), Array(inputs[half...]))
      path.kernels.blend(
        mode.kernel, backdrop.map { Optional($0) }, source.map { Optional($0) }, count,
        alpha ? 1 : 0, outputs.map { Optional($0) })
    }
  }

  @Test(arguments: KernelPath.all, BlendMode.allCases)
  func `opaque pixels match the mode in double precision`(
    _ path: KernelPath, _ mode: BlendMode
  ) {
    for (count, rows) in Self.rows {
      let actual = results(rows, mode, alpha: false, path)
      #expect(
        actual.map { bits($0) }
          == results(rows, mode, alpha: false, KernelPath.all[0]).map { bits($0) })
      let wrong = (0..<count).filter { i in
        let expected = mode(backdrop: Self.color(rows, i, 0), source: Self.color(rows, i, 4))
        return !(Self.difference(expected, Self.color(actual, i, 0)) <= 5e-6)
      }
      #expect(wrong.isEmpty, "\(wrong.prefix(3).map { i in rows.map { $0[i] } })")
    }
  }

  @Test(arguments: KernelPath.all, BlendMode.allCases)
  func `colors are weighted by their alphas`(_ path: KernelPath, _ mode: BlendMode) {
    for (count, rows) in Self.rows {
      let actual = results(rows, mode, alpha: true, path)
      #expect(
        actual.map { bits($0) }
          == results(rows, mode, alpha: true, KernelPath.all[0]).map { bits($0) })
      let wrong = (0..<count).filter { i in
        let (b, s) = (Self.color(rows, i, 0), Self.color(rows, i, 4))
        let (below, above) = (Double(rows[3][i]), Double(rows[7][i]))
        let alpha = above + below * (1 - above)
        let blended = mode(backdrop: b, source: s)
        // The standard gives premultiplied colors.
        let expected = above * ((1 - below) * s + below * blended) + (1 - above) * below * b
        let result = Self.color(actual, i, 0)
        return
          !(abs(Double(actual[3][i]) - alpha) <= 1e-6
          && Self.difference(expected, alpha * result) <= 5e-6 && (alpha > 0 || result == .zero))
      }
      #expect(wrong.isEmpty, "\(wrong.prefix(3).map { i in rows.map { $0[i] } })")
    }
  }

  /// One pixel of each mode, computed by hand from the text of the standard.
  @Test(
    arguments: [
      (.normal, SIMD3(0.5, 0.25, 1)), (.multiply, SIMD3(0.4, 0.1, 0.2)),
      (.screen, SIMD3(0.9, 0.55, 1)), (.overlay, SIMD3(0.8, 0.2, 0.4)),
      (.darken, SIMD3(0.5, 0.25, 0.2)), (.lighten, SIMD3(0.8, 0.4, 1)),
      (.colorDodge, SIMD3(1, 0.4 / 0.75, 1)), (.colorBurn, SIMD3(0.6, 0, 0.2)),
      (.hardLight, SIMD3(0.8, 0.2, 1)), (.softLight, SIMD3(0.8, 0.28, 0.448)),
      (.difference, SIMD3(0.3, 0.15, 0.8)), (.exclusion, SIMD3(0.5, 0.45, 0.8)),
      // Lum 0.498 and 0.4075, Sat 0.6 and 0.75.
      (.hue, SIMD3(0.572, 0.372, 0.972)), (.saturation, SIMD3(0.8755, 0.3755, 0.1255)),
      (.color, SIMD3(0.5905, 0.3405, 1.0905)), (.luminosity, SIMD3(0.7095, 0.3095, 0.1095)),
    ] as [(BlendMode, SIMD3<Double>)])
  func `pixels match hand-computed values`(mode: BlendMode, expected: SIMD3<Double>) {
    let result = mode(backdrop: SIMD3(0.8, 0.4, 0.2), source: SIMD3(0.5, 0.25, 1))
    var expected = expected
    if expected.max() > 1 {
      // Above white: towards the gray of the same luminosity.
      let gray = 0.498
      expected = gray + (expected - gray) * (1 - gray) / (expected.max() - gray)
    }
    #expect(Self.difference(result, expected) <= 1e-12, "\(result)")
  }

  private static func color(_ rows: [[Float]], _ i: Int, _ first: Int) -> SIMD3<Double> {
    SIMD3(Double(rows[first][i]), Double(rows[first + 1][i]), Double(rows[first + 2][i]))
  }

  private static func difference(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
    let d = a - b
    return max(abs(d.x), abs(d.y), abs(d.z))
  }
}
