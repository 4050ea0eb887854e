// SPDX-License-Identifier: Apache-2.0

/// A blend mode for the colors of an image and of its backdrop.
///
/// Backdrop b and source s, gamma-encoded, channel by channel for the first twelve. Values outside
/// 0 to 1 are passed through, except where a formula is defined only between 0 and 1: colorDodge,
/// colorBurn, softLight and the last four clamp theirs.
///
/// - Source: W3C Compositing and Blending Level 1.
public enum BlendMode: String, Sendable, Hashable, CaseIterable {
  /// s.
  case normal
  /// b·s.
  case multiply
  /// b + s − b·s.
  case screen
  /// hardLight with b and s exchanged.
  case overlay
  /// The smaller of b and s.
  case darken
  /// The larger of b and s.
  case lighten
  /// b/(1 − s), at most 1.
  case colorDodge
  /// 1 − (1 − b)/s, at least 0.
  case colorBurn
  /// multiply by 2s up to one half, screen with 2s − 1 above.
  case hardLight
  /// b curved by s: darker below one half, brighter above.
  case softLight
  /// |b − s|.
  case difference
  /// b + s − 2·b·s.
  case exclusion
  /// Hue of s; saturation and luminosity of b.
  case hue
  /// Saturation of s; hue and luminosity of b.
  case saturation
  /// Hue and saturation of s; luminosity of b.
  case color
  /// Luminosity of s; hue and saturation of b.
  case luminosity

  /// Returns the blended color in double precision.
  public func callAsFunction(
    backdrop b: SIMD3<Double>, source s: SIMD3<Double>
  ) -> SIMD3<Double> {
    let (unitB, unitS) = (Self.clamped(b), Self.clamped(s))
    switch self {
    case .hue:
      return Self.setLum(Self.setSat(unitS, Self.sat(unitB)), Self.lum(unitB))
    case .saturation:
      return Self.setLum(Self.setSat(unitB, Self.sat(unitS)), Self.lum(unitB))
    case .color: return Self.setLum(unitS, Self.lum(unitB))
    case .luminosity: return Self.setLum(unitB, Self.lum(unitS))
    default: return SIMD3(channel(b.x, s.x), channel(b.y, s.y), channel(b.z, s.z))
    }
  }

  private func channel(_ b: Double, _ s: Double) -> Double {
    switch self {
    case .multiply: b * s
    case .screen: b + s - b * s
    case .overlay: Self.hardLight(s, b)
    case .darken: min(b, s)
    case .lighten: max(b, s)
    case .colorDodge: Self.colorDodge(Self.clamped(b), Self.clamped(s))
    case .colorBurn: Self.colorBurn(Self.clamped(b), Self.clamped(s))
    case .hardLight: Self.hardLight(b, s)
    case .softLight: Self.softLight(Self.clamped(b), Self.clamped(s))
    case .difference: abs(b - s)
    case .exclusion: b + s - 2 * b * s
    case .normal, .hue, .saturation, .color, .luminosity: s
    }
  }

  private static func clamped(_ v: Double) -> Double { min(max(v, 0), 1) }

  private static func clamped(_ v: SIMD3<Double>) -> SIMD3<Double> {
    v.clamped(lowerBound: .zero, upperBound: .one)
  }

  private static func hardLight(_ b: Double, _ s: Double) -> Double {
    if s <= 0.5 { return b * 2 * s }
    let t = 2 * s - 1
    return b + t - b * t
  }

  private static func colorDodge(_ b: Double, _ s: Double) -> Double {
    b == 0 ? 0 : s == 1 ? 1 : min(1, b / (1 - s))
  }

  private static func colorBurn(_ b: Double, _ s: Double) -> Double {
    b == 1 ? 1 : s == 0 ? 0 : 1 - min(1, (1 - b) / s)
  }

  private static func softLight(_ b: Double, _ s: Double) -> Double {
    if s <= 0.5 { return b - (1 - 2 * s) * b * (1 - b) }
    let d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
    return b + (2 * s - 1) * (d - b)
  }

  // MARK: Hue, saturation and luminosity

  private static func lum(_ c: SIMD3<Double>) -> Double { 0.3 * c.x + 0.59 * c.y + 0.11 * c.z }
  private static func sat(_ c: SIMD3<Double>) -> Double { c.max() - c.min() }

  private static func setSat(_ c: SIMD3<Double>, _ s: Double) -> SIMD3<Double> {
    sat(c) > 0 ? (c - c.min()) / sat(c) * s : .zero
  }

  private static func setLum(_ c: SIMD3<Double>, _ l: Double) -> SIMD3<Double> {
    let moved = c + (l - lum(c))
    let (gray, low, high) = (lum(moved), moved.min(), moved.max())
    // A gray that rounding has put out of range is the closest possible result.
    if low < 0 { return gray + (gray > low ? (moved - gray) * gray / (gray - low) : .zero) }
    if high > 1 {
      return gray + (high > gray ? (moved - gray) * (1 - gray) / (high - gray) : .zero)
    }
    return moved
  }
}
