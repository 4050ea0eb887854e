// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels
import PhotoEditPlatform

/// A function of one number, defined everywhere, composed of steps that the engine can run fast.
public struct ToneCurve: Sendable, Hashable {
  /// One step of a curve.
  public enum Step: Sendable, Hashable {
    /// scale·x + offset.
    case affine(scale: Double, offset: Double)
    /// sign(x)·|x|^exponent.
    case power(Double)
    /// x^exponent for x ≥ 0, x below.
    case powerAboveZero(Double)
    /// c₀ + c₁·x + c₂·x² + c₃·x³.
    case polynomial([Double])
    /// 1 above a level, otherwise 0.
    case hyperbolic
    /// 1 above a level, otherwise 0.
    case threshold(Double)
    /// x below a level, 1 − x from there on.
    case solarize(Double)
    /// floor(x·steps + ½)/steps: quantization to steps from 0 to 1.
    case quantize(steps: Double)
    /// Adjacent parabolas.
    case parabolas(PiecewiseQuadratic)
    /// Clamping to a range.
    case clamp(ClosedRange<Double>)
    /// The sRGB transfer curve to linear values, mirrored below zero.
    case decode
    /// The sRGB transfer curve from linear values, mirrored below zero.
    case encode
    /// A smooth or linear curve through points, constant outside them.
    case spline(MonotoneSpline)
    /// Linear interpolation between the evenly spaced entries of a table, constant outside them.
    case table(LookupCurve)
    /// Encoded values of a channel to linear values.
    case transfer(TransferCurve)
    /// Linear values to encoded values of a channel.
    case inverseTransfer(TransferCurve)
  }

  /// The steps, applied in order.
  public var steps: [Step]

  /// Creates a curve from steps.
  public init(_ steps: [Step]) {
    self.steps = steps
  }

  /// Returns the value of the curve in double precision.
  public func callAsFunction(_ x: Double) -> Double {
    var x = x
    for step in steps {
      switch step {
      case .affine(let scale, let offset): x = scale * x + offset
      case .power(let exponent): x = x < 0 ? -pow(-x, exponent) : pow(x, exponent)
      case .powerAboveZero(let exponent): x = x < 0 ? x : pow(x, exponent)
      case .polynomial(let c): x = ((c[3] * x + c[2]) * x + c[1]) * x + c[0]
      case .hyperbolic: x = tanh(x)
      case .threshold(let level): x = x > level ? 1 : 0
      case .solarize(let level): x = x < level ? x : 1 - x
      case .quantize(let steps): x = (x * steps + 0.5).rounded(.down) / steps
      case .parabolas(let parabolas): x = parabolas(x)
      case .clamp(let range): x = min(max(x, range.lowerBound), range.upperBound)
      case .decode: x = SRGBTransfer.decode(x)
      case .encode: x = SRGBTransfer.encode(x)
      case .spline(let spline): x = spline(x)
      case .table(let table): x = table(x)
      case .transfer(let curve): x = curve(x)
      case .inverseTransfer(let curve): x = curve.inverse(x)
      }
    }
    return x
  }

  /// Indicates whether the curve is discontinuous.
  package var jumps: Bool {
    steps.contains { step in
      switch step {
      case .threshold, .solarize, .quantize: true
      case .affine, .power, .powerAboveZero, .polynomial, .hyperbolic, .parabolas, .clamp,
        .decode, .encode, .spline, .table, .transfer, .inverseTransfer:
        false
      }
    }
  }

  /// Returns this curve followed by another one.
  public func followed(by next: ToneCurve) -> ToneCurve { ToneCurve(steps + next.steps) }
}

/// The transfer curve of sRGB, mirrored below zero as in scRGB.
///
/// - Source: IEC 61966-2-1.
public enum SRGBTransfer {
  /// Converts a gamma-encoded value to a linear value.
  public static func decode(_ v: Double) -> Double {
    if v < 0 { return -decode(-v) }
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)
  }

  /// Converts a linear value to a gamma-encoded value.
  public static func encode(_ v: Double) -> Double {
    if v < 0 { return -encode(-v) }
    return v <= 0.0031308 ? v * 12.92 : 1.055 * pow(v, 1 / 2.4) - 0.055
  }
}

/// A curve through points that never overshoots them; constant outside the first and the last.
///
/// - Source: Fritsch and Butland, "A method for constructing local monotone piecewise cubic
///   interpolants", 1984: slopes are weighted harmonic means, the ends use three points.
public struct MonotoneSpline: Sendable, Hashable {
  let xs: [Double]
  let ys: [Double]
  let slopes: [Double]
  let isLinear: Bool

  /// Creates the curve through at least two points with strictly increasing x.
  public init(_ points: [CurvePoint], isLinear: Bool) {
    precondition(points.count >= 2, "a curve needs two points")
    xs = points.map(\.x)
    ys = points.map(\.y)
    self.isLinear = isLinear
    slopes = isLinear ? [] : Self.slopes(xs: xs, ys: ys)
  }

  /// Returns the value of the curve at x.
  public func callAsFunction(_ x: Double) -> Double {
    guard x > xs[0] else { return ys[0] }
    guard let right = xs.firstIndex(where: { x <= $0 }) else { return ys[ys.count - 1] }
    let i = right - 1
    let h = xs[right] - xs[i]
    let t = (x - xs[i]) / h
    if isLinear { return ys[i] + t * (ys[right] - ys[i]) }
    let t2 = t * t
    let t3 = t2 * t
    return (2 * t3 - 3 * t2 + 1) * ys[i] + (t3 - 2 * t2 + t) * h * slopes[i]
      + (3 * t2 - 2 * t3) * ys[right] + (t3 - t2) * h * slopes[right]
  }

  private static func slopes(xs: [Double], ys: [Double]) -> [Double] {
    let h = zip(xs.dropFirst(), xs).map { $0 - $1 }
    let secants = zip(zip(ys.dropFirst(), ys).map { $0 - $1 }, h).map { $0 / $1 }
    guard secants.count > 1 else { return [secants[0], secants[0]] }
    var slopes = [end(h[0], h[1], secants[0], secants[1])]
    for i in 1..<secants.count {
      let (left, right) = (secants[i - 1], secants[i])
      guard left * right > 0 else {
        slopes.append(0)
        continue
      }
      let w1 = 2 * h[i] + h[i - 1]
      let w2 = h[i] + 2 * h[i - 1]
      slopes.append((w1 + w2) / (w1 / left + w2 / right))
    }
    let n = secants.count
    slopes.append(end(h[n - 1], h[n - 2], secants[n - 1], secants[n - 2]))
    return slopes
  }

  /// Returns the slope at an end by the three-point formula, limited to preserve the shape.
  private static func end(_ h0: Double, _ h1: Double, _ d0: Double, _ d1: Double) -> Double {
    let slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1)
    if slope * d0 <= 0 { return 0 }
    if d0 * d1 <= 0 && abs(slope) > abs(3 * d0) { return 3 * d0 }
    return slope
  }

  /// The curve between two points as Σ coefficients[k]·tᵏ, with t from 0 at the first point to 1.
  package struct Cubic {
    package let start: Double
    package let end: Double
    /// The four coefficients.
    package let coefficients: [Double]
  }

  /// The pieces between the points, in order.
  package var cubics: [Cubic] {
    (1..<xs.count).map { right in
      let i = right - 1
      let (y0, y1) = (ys[i], ys[right])
      var coefficients = [y0, y1 - y0, 0, 0]
      if !isLinear {
        let h = xs[right] - xs[i]
        let (d0, d1) = (h * slopes[i], h * slopes[right])
        coefficients = [y0, d0, 3 * (y1 - y0) - 2 * d0 - d1, 2 * (y0 - y1) + d0 + d1]
      }
      return Cubic(start: xs[i], end: xs[right], coefficients: coefficients)
    }
  }

  /// The start of the curve; it is constant before.
  package var firstPoint: (x: Double, y: Double) { (xs[0], ys[0]) }
  /// The end of the curve; it is constant after.
  package var lastPoint: (x: Double, y: Double) { (xs[xs.count - 1], ys[ys.count - 1]) }
}
