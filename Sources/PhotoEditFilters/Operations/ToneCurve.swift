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
