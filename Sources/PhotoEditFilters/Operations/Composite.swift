// SPDX-License-Identifier: Apache-2.0

/// The combination of two images: the image below and one composited over it.
public struct Composite: Sendable, Hashable {
  /// The rule for combining two colors.
  public enum Rule: Sendable, Hashable {
    /// A blend mode; with alpha, source-over.
    case blend(BlendMode)
    /// Noise n, added as x + amount·4Y(1 − Y)·n with the luma Y of BT.601.
    case grain(amount: Double)
    /// Two masks a and b.
    case mask(MaskCombination)
    /// The image above replaces the one below, including alpha.
    case exchange
    /// An image above of one plane replaces a mask below, whose copy is filtered with it as a guide.
    case guide
  }

  /// The image that is composited over.
  public enum Above: Sendable, Hashable {
    /// The image processed since the last `save`.
    case top
    /// The second input named in the node's `in`.
    case secondInput
    /// Another part of a lowered graph.
    case part(Int)
  }

  /// The rule for combining two colors.
  public var rule: Rule
  /// The image that is composited over.
  public var above: Above
  /// The opacity of the effect, 0 to 1.
  public var opacity = 1.0
  /// Indicates whether the image above, which is a mask, is inverted first.
  public var isInverted = false
  /// The part of a lowered graph that is the mask of the effect.
  public var mask: Int?

  /// Creates a merge.
  public init(_ rule: Rule, above: Above, opacity: Double = 1, mask: Int? = nil) {
    (self.rule, self.above, self.opacity, self.mask) = (rule, above, opacity, mask)
  }

  /// The parts of the graph that it reads, in the order of a stage's sides.
  package var parts: [Int] {
    var parts: [Int] = []
    if case .part(let index) = above { parts.append(index) }
    if let mask { parts.append(mask) }
    return parts
  }
}

/// The rule for combining two masks.
public enum MaskCombination: String, Sendable, Hashable, CaseIterable {
  /// 1 − (1 − a)(1 − b).
  case add
  /// a·b.
  case multiply
  /// a·(1 − b).
  case subtract

  /// Returns the combined mask value in double precision.
  public func callAsFunction(_ a: Double, _ b: Double) -> Double {
    switch self {
    case .add: 1 - (1 - a) * (1 - b)
    case .multiply: a * b
    case .subtract: a * (1 - b)
    }
  }

  /// Returns the factor and the summand that make of the second mask, or of its inverse, one with
  /// which the combination has a share of its effect: a + opacity·(self(a, b) − a).
  package func weights(
    opacity: Double, isInverted: Bool
  ) -> (factor: Double, summand: Double) {
    let least = self == .multiply ? 1 - opacity : 0
    return isInverted ? (-opacity, opacity + least) : (opacity, least)
  }
}

/// An image generated in addition to the main image and composited over it.
public struct Layer: Sendable, Hashable {
  /// The input of a layer.
  public enum Source: Sendable, Hashable {
    /// An image attached to the graph.
    case image(AttachmentImage)
    /// A value for every pixel, computed from its position.
    case mask(MaskGenerator)
    /// The input image of the node.
    case input
  }

  /// The input.
  public var source: Source
  /// The operations applied to the input; the result has the size of the image.
  public var operations: [FilterOperation]
  /// The rule for combining the image and the layer.
  public var rule: Composite.Rule
  /// The mask of the layer; nil uses all of it.
  public var mask: MaskGenerator?

  /// Creates a layer.
  public init(
    _ source: Source, _ operations: [FilterOperation] = [], rule: Composite.Rule,
    mask: MaskGenerator? = nil
  ) {
    (self.source, self.operations, self.rule, self.mask) = (source, operations, rule, mask)
  }
}

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
