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
    "curve", "Maps values through a line drawn through points.",
    aliases: ["toneCurve", "curves"],
    peers: "Core Image CIToneCurve; Lightroom ToneCurvePV2012; ffmpeg curves",
    formula: "the piecewise cubic through the points whose slopes are harmonic means (PCHIP)",
    source: "Fritsch and Butland 1984 (scipy PchipInterpolator), flat outside, encoded",
    family: .curve, tolerance: "T1",
    parameters: [
      Parameter(
        "points", \.points, count: 2...32, neutral: [CurvePoint(0, 0), CurvePoint(1, 1)],
        "Points x:y of the line, x rising."),
      Parameter("channel", \.target, "The channel that is changed; master is all of them."),
      Parameter("interp", \.interpolation, "How the line runs between points."),
    ])

  public var points = [CurvePoint(0, 0), CurvePoint(1, 1)]
  /// The channels that the curve changes.
  public var target = Target.master
  public var interpolation = Interpolation.monotone

  public init() {}

  /// Creates the filter.
  public init(_ points: [CurvePoint]) { self.points = points }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isNeutral { return [] }
    let curve = ToneCurve([.spline(.init(points, isLinear: interpolation == .linear))])
    let channel = Channel(rawValue: target.rawValue) ?? .rgb
    return [.curves(channel.curves(curve))]
  }
}
