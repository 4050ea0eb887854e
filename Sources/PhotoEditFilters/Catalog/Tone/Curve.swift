// SPDX-License-Identifier: Apache-2.0
public struct Curve: Filter {
  /// The channels that the curve changes.
  public enum Target: String, Sendable, Hashable, CaseIterable {
    /// All three channels.
    case master
    /// Only red.
    case r
    /// Only green.
    case g
    /// Only blue.
    case b
  }

  /// The interpolation between points.
  public enum Interpolation: String, Sendable, Hashable, CaseIterable {
    /// A smooth line that never overshoots.
    case monotone
    /// Straight lines.
    case linear
  }

  public static let schema = FilterSchema<Self>(
    "curve", "Applies a tone curve through control points.",
    aliases: ["toneCurve", "curves"],
    equivalents: "Core Image CIToneCurve; Lightroom ToneCurvePV2012; ffmpeg curves",
    formula: "piecewise cubic through the points with harmonic mean slopes (PCHIP)",
    source: "Fritsch and Butland 1984 (scipy PchipInterpolator), flat outside, encoded",
    dependency: .curve, tolerance: "T1",
    parameters: [
      Parameter(
        "points", \.points, count: 2...32, identity: [CurvePoint(0, 0), CurvePoint(1, 1)],
        "Control points x:y with increasing x."),
      Parameter("channel", \.target, "Channel to change; master is all channels."),
      Parameter("interp", \.interpolation, "Interpolation between points."),
    ])

  public var points = [CurvePoint(0, 0), CurvePoint(1, 1)]
  /// The channels that the curve changes.
  public var target = Target.master
  public var interpolation = Interpolation.monotone

  public init() {}

  /// Creates the filter.
  public init(_ points: [CurvePoint]) { self.points = points }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    let curve = ToneCurve([.spline(.init(points, isLinear: interpolation == .linear))])
    let channel = Channel(rawValue: target.rawValue) ?? .rgb
    return [.curves(channel.curves(curve))]
  }
}
