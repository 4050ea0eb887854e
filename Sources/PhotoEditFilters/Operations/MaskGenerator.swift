// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels
import PhotoEditPlatform

/// A value for every pixel, computed from its position alone.
public struct MaskGenerator: Sendable, Hashable {
  /// The formula for the value.
  public enum Law: Sendable, Hashable {
    /// 0 before the first point, 1 after the second, along the line between; in pixels.
    case linear(from: SIMD2<Double>, to: SIMD2<Double>, isSmooth: Bool)
    /// 1 around a center, 0 outside an ellipse, smooth between; lengths in pixels, the angle of the
    /// ellipse in radians, clockwise.
    case radial(
      center: SIMD2<Double>, radius: SIMD2<Double>, angle: Double, feather: Double,
      isInverted: Bool)
    /// One step of a smooth falloff to both sides of a line: the smoothstep between two distances
    /// from it, in pixels, stretched so that `steps` become 0 and 1. The angle of the line is in
    /// radians, clockwise.
    case band(
      center: SIMD2<Double>, angle: Double, distances: ClosedRange<Double>,
      steps: ClosedRange<Double>)
    /// The coverage by strokes of a brush, in order.
    case strokes([MaskStroke], isInverted: Bool)
    /// Random numbers of variance one around zero, for one or three planes.
    case noise(seed: UInt64, planes: Int)
  }

  /// The formula for the value.
  public let law: Law
  /// The size of the image.
  public let size: PixelSize

  /// Creates a value for every pixel of an image.
  public init(_ law: Law, size: PixelSize) { (self.law, self.size) = (law, size) }

  /// The number of values per pixel.
  public var planes: Int {
    if case .noise(_, let planes) = law { planes } else { 1 }
  }

  /// Returns the value of a pixel in double precision; pixel centers are at halves.
  public func value(x: Int, y: Int, plane: Int = 0) -> Double {
    let point = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
    switch law {
    case .linear(let from, let to, let isSmooth):
      let direction = to - from
      let t = min(max(((point - from) * direction).sum() / (direction * direction).sum(), 0), 1)
      return isSmooth ? smoothStep(t) : t
    case .radial(let center, let radius, let angle, let feather, let isInverted):
      let (d, c, s) = (point - center, cos(angle), sin(angle))
      let rotated = SIMD2(c * d.x + s * d.y, c * d.y - s * d.x) / radius
      let distance = (rotated * rotated).sum().squareRoot()
      let inner = 1 - feather
      let t =
        feather > 0 ? min(max((distance - inner) / feather, 0), 1) : distance > 1 ? 1 : 0
      let inside = 1 - smoothStep(t)
      return isInverted ? 1 - inside : inside
    case .band(let center, let angle, let distances, let steps):
      let d = point - center
      let distance = abs(cos(angle) * d.y - sin(angle) * d.x)
      let share = smoothStep(distances.lowerBound, distances.upperBound, distance)
      return min(
        max((share - steps.lowerBound) / (steps.upperBound - steps.lowerBound), 0), 1)
    case .strokes(let strokes, let isInverted):
      let coverage = strokes.reduce(0) { $1.coverage(point, over: $0) }
      return isInverted ? 1 - coverage : coverage
    case .noise(let seed, _):
      return PhiloxNoise(seed: seed).value(x: UInt64(x), y: UInt64(y), plane: UInt64(plane))
    }
  }
}

/// Random numbers computed from the position alone: the same for every order and thread.
///
/// - Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011;
///   Philox4x64 with ten rounds.
public struct PhiloxNoise: Sendable, Hashable {
  /// The first word of the key; the second is the version of the noise.
  public let seed: UInt64
  package static let version: UInt64 = 1

  /// Creates a source of noise.
  public init(seed: UInt64) { self.seed = seed }

  /// Returns four random words for a counter.
  public static func words(counter: SIMD4<UInt64>, key: SIMD2<UInt64>) -> SIMD4<UInt64> {
    var (c, k) = (counter, key)
    for round in 0..<10 {
      if round > 0 {
        k.x &+= 0x9E37_79B9_7F4A_7C15
        k.y &+= 0xBB67_AE85_84CA_A73B
      }
      let a = (0xD2E7_470E_E14C_6C93 as UInt64).multipliedFullWidth(by: c.x)
      let b = (0xCA5A_8263_9512_1157 as UInt64).multipliedFullWidth(by: c.z)
      c = SIMD4(b.high ^ c.y ^ k.x, b.low, a.high ^ c.w ^ k.y, a.low)
    }
    return c
  }

  /// Returns the sum of four uniform numbers, scaled to variance one: between −√12 and √12.
  ///
  /// Only the upper 24 bits of each word are used, which a float represents exactly, so the sum
  /// needs no rounding and no library.
  public func value(x: UInt64, y: UInt64, plane: UInt64) -> Double {
    let words = Self.words(
      counter: SIMD4(x, y, plane, 0), key: SIMD2(seed, Self.version))
    let sum = (0..<4).reduce(0.0) { $0 + Double(words[$1] >> 40) + 0.5 }
    return (sum / Double(1 << 24) - 2) * 3.0.squareRoot()
  }
}
