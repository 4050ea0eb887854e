// SPDX-License-Identifier: Apache-2.0

public struct MaskLuma: Filter {
  public static let schema = FilterSchema<Self>(
    "mask.luma", "Mask of a luma range.",
    aliases: ["luminosityMask"],
    equivalents: "Lightroom luminance range; darktable parametric mask",
    formula: "smoothstep(lo0, lo1, Y)·(1 − smoothstep(hi1, hi0, Y)), Y the BT.601 luma",
    source: "a trapezoid with smooth shoulders", dependency: .mask, inputs: .image,
    tolerance: "F",
    parameters: [
      Parameter("lo0", \.low0, unit: .fraction, in: 0...1, "Luma up to which the mask is 0."),
      Parameter("lo1", \.low1, unit: .fraction, in: 0...1, "Luma from which the mask is 1."),
      Parameter("hi1", \.high1, unit: .fraction, in: 0...1, "Luma up to which the mask is 1."),
      Parameter("hi0", \.high0, unit: .fraction, in: 0...1, "Luma from which the mask is 0."),
    ])

  public var low0 = 0.0
  public var low1 = 0.5
  public var high1 = 1.0
  /// The level from which the mask is 0; at 1 it does not fall off.
  public var high0 = 1.0

  public init() {}

  public func validate() throws(ParameterError) {
    guard low0 <= low1, low1 <= high1, high1 <= high0 else {
      throw conflict("lo0, lo1, hi1 and hi0 must be in ascending order")
    }
  }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    // A monotone spline has zero slope next to a level segment, which makes it a smoothstep between
    // the two.
    var points: [CurvePoint]
    if low1 > 0 {
      points = [
        CurvePoint(low0 - 1, 0), CurvePoint(low0, 0), CurvePoint(max(low1, low0 + Self.step), 1),
      ]
    } else {
      points = [CurvePoint(-1, 1)]
    }
    if high1 > points[points.count - 1].x { points.append(CurvePoint(high1, 1)) }
    if high1 < 1 || high0 < 1 {
      let last = points[points.count - 1].x
      let end = max(high0, last + Self.step)
      points += [CurvePoint(end, 0), CurvePoint(end + 1, 0)]
    } else {
      points.append(CurvePoint(points[points.count - 1].x + 1, 1))
    }
    return [
      .matrix(.sum(LumaWeights.rec601)),
      .curves(.init(.init([.spline(.init(points, isLinear: false))]))),
    ]
  }

  /// The smallest transition between equal limits, a small fraction of a level.
  private static let step = 1e-5
}
