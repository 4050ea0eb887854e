// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage

extension Definition {
  /// Tone filters that change each channel separately.
  static let tones: [Definition] =
    [
      Definition("brightnessScale", make("brightnessScale:amount=1.7")) { 1.7 * $0 },
      Definition("blackWhitePoint", make("blackWhitePoint:black=0.1,white=0.7")) {
        min(max(($0 - 0.1) / 0.6, 0), 1)
      },
      Definition("solarize", make("solarize:threshold=0.35")) { $0 < 0.35 ? $0 : 1 - $0 },
      Definition("posterize", make("posterize:levels=5")) { ($0 * 4).rounded() / 4 },
      Definition("posterize to most levels", make("posterize:levels=256")) {
        ($0 * 255).rounded() / 255
      },
      Definition(
        "colorPolynomial",
        make("colorPolynomial:red=0.1:0.5:-0.3:0.7,green=0:1:0:0,blue=1:-2:3:-1.5")
      ) { p in
        func polynomial(_ c: [Double], _ x: Double) -> Double {
          c[0] + c[1] * x + c[2] * x * x + c[3] * x * x * x
        }
        return SIMD3(
          polynomial([0.1, 0.5, -0.3, 0.7], p.x), p.y, polynomial([1, -2, 3, -1.5], p.z))
      },
    ]
    + [(5.0, 0.5), (20, 0.3), (0.01, 0.8), (3, 0)].map { amount, mid in
      Definition(
        "sigmoidalContrast \(amount)", make("sigmoidalContrast:amount=\(amount),mid=\(mid)")
      ) { x in
        func s(_ t: Double) -> Double { 1 / (1 + exp(amount * (mid - t))) }
        return (s(x) - s(0)) / (s(1) - s(0))
      }
    }
    + [
      [0.4, 1, 1, 1, 1, 1], [1.7, 1, 1, 1, 1, 1], [1, 0.4, 1, 1, 1, 1], [1, 1.7, 1, 1, 1, 1],
      [1, 1, 0.5, 1, 1, 1], [1, 1, 1.6, 1, 1, 1], [1, 1, 1, 0.5, 1, 1], [1, 1, 1, 1.6, 1, 1],
      [1, 1, 1, 1, 0.4, 1], [1, 1, 1, 1, 1.8, 1], [1, 1, 1, 1, 1, 0.5], [1, 1, 1, 1, 1, 1.9],
      [0.7, 1.4, 1.3, 0.8, 1.2, 1.3], [1.3, 0.6, 0.7, 1.3, 0.8, 0.6],
    ].map(parametricTone)

  private static func parametricTone(_ v: [Double]) -> Definition {
    let names = ["shadows", "highlights", "whites", "blacks", "midtones", "contrast"]
    let pairs = zip(names, v).map { "\($0)=\($1)" }.joined(separator: ",")
    let tone = TestTone(
      shadows: v[0], highlights: v[1], whites: v[2], blacks: v[3], midtones: v[4], contrast: v[5])
    // A chart has each level many times.
    let known = LockedValue<[Double: Double]>([:])
    return Definition("parametricTone \(v)", make("parametricTone:" + pairs)) { level in
      known.withLock { known in
        if let result = known[level] { return result }
        let result = tone(level)
        known[level] = result
        return result
      }
    }
  }
}

/// The tonal curves of OpenColorIO's GradingTone, as functions of t between knots instead of
/// pieces.
struct TestTone: Sendable {
  var shadows = 1.0
  var highlights = 1.0
  var whites = 1.0
  var blacks = 1.0
  var midtones = 1.0
  var contrast = 1.0

  func callAsFunction(_ x: Double) -> Double {
    var t = Self.middle(x, midtones)
    t = Self.half(t, 0.2, 1, 1, 2 - highlights)
    t = Self.whites(t, whites, from: Self.half(0.5, 0.2, 1, 1, 2 - highlights))
    t = Self.half(t, 0, 0.6, shadows, 1)
    t = Self.blacks(t, blacks, from: Self.half(0.4, 0, 0.6, shadows, 1))
    return Self.sigmoid(t, contrast)
  }

  /// The integral of slopes that are linear between knots, from the first knot on.
  private static func integral(_ t: Double, _ positions: [Double], _ slopes: [Double]) -> Double {
    if t < positions[0] { return (t - positions[0]) * slopes[0] }
    var sum = 0.0
    for i in 1..<positions.count {
      let (width, done) = (positions[i] - positions[i - 1], min(t, positions[i]) - positions[i - 1])
      if done <= 0 { break }
      let slope = slopes[i - 1] + (slopes[i] - slopes[i - 1]) * done / width
      sum += (slopes[i - 1] + slope) / 2 * done
    }
    let last = positions[positions.count - 1]
    return t > last ? sum + (t - last) * slopes[slopes.count - 1] : sum
  }

  /// The x at which an increasing function has a value.
  private static func inverse(_ value: Double, _ function: (Double) -> Double) -> Double {
    var (low, high) = (-100.0, 100.0)
    while true {
      let middle = (low + high) / 2
      if middle == low || middle == high { return middle }
      if function(middle) < value { low = middle } else { high = middle }
    }
  }

  private static func middle(_ t: Double, _ value: Double) -> Double {
    if value == 1 { return t }
    let a = (value - 1) * 0.9
    let x = [0, 0.05, 0.225, 0.575, 0.75, 1]
    func curve(_ t: Double, _ last: Double) -> Double {
      integral(t, x, [1, 1 + 0.4 * a, 1 + a, 1 - a, last, 1])
    }
    // The slope before white is the one that leads to white.
    return curve(t, inverse(1) { curve(1, $0) })
  }

  /// Slopes m0 at x0 and m2 at x2, both unchanged.
  private static func half(
    _ t: Double, _ x0: Double, _ x2: Double, _ m0: Double, _ m2: Double
  ) -> Double {
    if m0 == 1 && m2 == 1 { return t }
    if m0 > 1 || m2 > 1 {
      return inverse(t) { half($0, x0, x2, m0 > 1 ? 2 - m0 : 1, m2 > 1 ? 2 - m2 : 1) }
    }
    let (x1, h) = ((x0 + x2) / 2, (x2 - x0) / 2)
    let y1 = ((2 * x0 + m0 * h) + (2 * x2 - m2 * h)) / 4
    return x0 + integral(t, [x0, x1, x2], [m0, 2 * (y1 - x0) / h - m0, m2])
  }

  private static func whites(_ t: Double, _ value: Double, from x0: Double) -> Double {
    if value == 1 { return t }
    func falling(_ t: Double, _ slope: Double) -> Double {
      x0 + integral(t, [x0, 1], [1, slope])
    }
    if value < 1 { return falling(t, value) }
    let slope = 2 - value
    let gain = (1 + slope) / 2
    func rising(_ t: Double) -> Double {
      x0 + (inverse(x0 + (t - x0) * gain) { falling($0, slope) } - x0) / gain
    }
    if t <= 1 { return rising(t) }
    // A parabola that continues with the slopes at 0.99 of the way and at white.
    let near = 1 / (1 + 0.99 * (slope - 1))
    let a = (1 / slope - near) / (2 * 0.01 * (1 - x0))
    return rising(1) + (t - 1) / slope + a * (t - 1) * (t - 1)
  }

  private static func blacks(_ t: Double, _ value: Double, from x1: Double) -> Double {
    if value == 1 { return t }
    func falling(_ t: Double, _ slope: Double) -> Double {
      x1 - (integral(x1, [0, x1], [slope, 1]) - integral(t, [0, x1], [slope, 1]))
    }
    if value > 1 { return falling(t, 2 - value) }
    let gain = (1 + value) / 2
    return x1 + (inverse(x1 + (t - x1) * gain) { falling($0, value) } - x1) / gain
  }

  private static func sigmoid(_ t: Double, _ value: Double) -> Double {
    if value == 1 { return t }
    let m = value > 1 ? 1 / (1.8125 - 0.8125 * value) : 0.28125 + 0.71875 * value
    let pivot = 0.4
    /// The upper half of an S-curve through the origin that meets the diagonal at a given height.
    func half(_ t: Double, _ height: Double) -> Double {
      let start = height / (4 * m)
      func curve(_ t: Double, _ end: Double, _ last: Double) -> Double {
        m * start + integral(t, [start, end], [m, last])
      }
      let end = 2 * height / (m + 1) - start
      let least = start + 0.3 * (height - start)
      if end >= least { return curve(t, end, 1 / m) }
      return curve(t, least, -inverse(-height) { -curve(height, least, -$0) })
    }
    return t > pivot ? pivot + half(t - pivot, 0.6) : pivot - half(pivot - t, 0.4)
  }
}
