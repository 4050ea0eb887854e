// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

public struct HueRotate: Filter {
  /// The color circle along which hues are rotated.
  public enum Method: String, Sendable, Hashable, CaseIterable {
    /// The matrix of CSS hue-rotate(), gamma-encoded.
    case css
    /// The hue of Oklch, which preserves perceived lightness.
    case oklch
  }

  public static let schema = FilterSchema<Self>(
    "hueRotate", version: 2, "Rotates the hue.",
    aliases: ["hue"],
    equivalents: "CSS hue-rotate(); Core Image CIHueAdjust (radians); ffmpeg hue",
    formula: "W + cos·(I − W) + sin·C of the standard; oklch: the hue angle plus angle, "
      + "by the photo's primaries; css: encoded values",
    source: "Filter Effects Module 1, hue-rotate(); Ottosson, Oklab, 2020",
    dependency: .color, tolerance: "T1",
    parameters: [
      Parameter(
        "angle", \.angle, unit: .degrees, in: -180...180, identity: 0, "Hue rotation angle."),
      Parameter("method", \.method, "Color space in which to rotate the hue."),
    ])

  public static var previous: (any Filter.Type)? { NumericVersion<Self>.self }

  public var angle = 0.0
  public var method = Method.css

  public init() {}

  /// Creates the filter.
  public init(angle: Double) { self.angle = angle }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    let (c, s) = (cos(angle * .pi / 180), sin(angle * .pi / 180))
    if method == .oklch {
      return Oklab.applying(
        ColorTransform(rows: [[1, 0, 0], [0, c, -s], [0, s, c]]), in: context.space)
    }
    return [.matrix(Self.cssMatrix(c, s))]
  }

  private static func cssMatrix(_ c: Double, _ s: Double) -> ColorTransform {
    ColorTransform(rows: [
      [
        0.213 + c * 0.787 - s * 0.213, 0.715 - c * 0.715 - s * 0.715, 0.072 - c * 0.072 + s * 0.928,
      ],
      [
        0.213 - c * 0.213 + s * 0.143, 0.715 + c * 0.285 + s * 0.140, 0.072 - c * 0.072 - s * 0.283,
      ],
      [
        0.213 - c * 0.213 - s * 0.787, 0.715 - c * 0.715 + s * 0.715, 0.072 + c * 0.928 + s * 0.072,
      ],
    ])
  }
}
