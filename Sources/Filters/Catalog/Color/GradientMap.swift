// SPDX-License-Identifier: Apache-2.0
/// Gives each brightness a colour of a gradient.
public struct GradientMap: Filter {
  public static let schema = FilterSchema<Self>(
    "gradientMap", "Gives each brightness a colour of a gradient.",
    aliases: ["duotone", "falseColor"],
    peers: "Core Image CIFalseColor and CIColorMap; Pillow ImageOps.colorize; ImageMagick -clut",
    formula: "the colour of the gradient at 0.299 R + 0.587 G + 0.114 B, straight between stops",
    source: "Pillow ImageOps.colorize on the luma of ITU-T T.871, encoded", family: .color,
    tolerance: "T1",
    parameters: [
      Parameter(
        "stops", \.stops, count: 2...16, "Colours and the brightness, 0 to 1, that becomes them.")
    ])

  /// Colours and the brightness that becomes them; flat outside.
  public var stops = [ColorStop(0, Background(red: 0, green: 0, blue: 0)), ColorStop(1, .white)]

  public init() {}

  /// Makes the filter.
  public init(_ stops: [ColorStop]) { self.stops = stops }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    func curve(_ level: KeyPath<Background, UInt8>) -> ToneCurve {
      let points = stops.map { CurvePoint($0.position, Double($0.color[keyPath: level]) / 255) }
      return ToneCurve([.spline(MonotoneSpline(points, isLinear: true))])
    }
    return [
      .matrix(.sum(LumaWeights.rec601)),
      .curves(.init(red: curve(\.red), green: curve(\.green), blue: curve(\.blue))),
    ]
  }
}
