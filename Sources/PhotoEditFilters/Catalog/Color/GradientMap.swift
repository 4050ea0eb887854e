// SPDX-License-Identifier: Apache-2.0
public struct GradientMap: Filter {
  public static let schema = FilterSchema<Self>(
    "gradientMap", version: 2, "Maps brightness to a color gradient.",
    aliases: ["duotone", "falseColor"],
    equivalents:
      "Core Image CIFalseColor and CIColorMap; Pillow ImageOps.colorize; ImageMagick -clut",
    formula: "the gradient color at 0.299 R + 0.587 G + 0.114 B of the encoded values, "
      + "linear between stops, which are sRGB colors",
    source: "Pillow ImageOps.colorize on ITU-T T.871 luma, encoded", dependency: .color,
    tolerance: "T1",
    parameters: [
      Parameter(
        "stops", \.stops, count: 2...16, "Brightness positions, 0 to 1, and their colors.")
    ])

  public static var previous: (any Filter.Type)? { NumericVersion<Self>.self }

  /// Brightness values and their colors; constant outside the first and last.
  public var stops = [ColorStop(0, Background(red: 0, green: 0, blue: 0)), ColorStop(1, .white)]

  public init() {}

  /// Creates the filter.
  public init(_ stops: [ColorStop]) { self.stops = stops }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    let colors = stops.map { context.numbers(of: $0.color) }
    func curve(_ channel: Int) -> ToneCurve {
      let points = zip(stops, colors).map { CurvePoint($0.position, $1[channel]) }
      return ToneCurve([.spline(MonotoneSpline(points, isLinear: true))])
    }
    return [
      .matrix(.sum(LumaWeights.rec601)),
      .curves(.init(red: curve(0), green: curve(1), blue: curve(2))),
    ]
  }
}
