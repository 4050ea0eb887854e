// SPDX-License-Identifier: Apache-2.0
public struct ASCCDL: Filter {
  /// The handling of values below black and above white.
  public enum Style: String, Sendable, Hashable, CaseIterable {
    /// They are clamped before the power and at the end, as the standard specifies.
    case clamp
    /// They are kept; the power leaves values below black unchanged.
    case noClamp
  }

  public static let schema = FilterSchema<Self>(
    "asccdl", "Applies an ASC CDL: slope, offset, power and saturation.",
    aliases: ["cdl"],
    equivalents: "OpenColorIO CDLTransform; ImageMagick -cdl; DaVinci Resolve, Baselight",
    formula: "y = clamp(slope·x + offset)^power; clamp(l + saturation·(y − l)), l the BT.709 luma",
    source: "ASC Color Decision List, version 1.2, encoded", dependency: .color,
    tolerance: "F 0.02 of OpenColorIO",
    parameters: [
      Parameter(
        "slope", \.slope, count: 3, in: 0...4, identity: [1, 1, 1],
        "Factors for red, green and blue."),
      Parameter(
        "offset", \.offset, count: 3, in: -1...1, identity: [0, 0, 0],
        "Offsets for red, green and blue."),
      Parameter(
        "power", \.power, count: 3, in: 0.1...4, identity: [1, 1, 1],
        "Exponents for red, green and blue."),
      Parameter(
        "saturation", \.saturation, in: 0...4, ui: 0...2, identity: 1,
        "Saturation; 0 is gray, 1 unchanged."),
      Parameter("style", \.style, "Clamping of values below black and above white."),
    ])

  public var slope: [Double] = [1, 1, 1]
  public var offset: [Double] = [0, 0, 0]
  public var power: [Double] = [1, 1, 1]
  public var saturation = 1.0
  public var style = Style.clamp

  public init() {}

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    let curves = (0..<3).map { channel in
      let line = ToneCurve.Step.affine(scale: slope[channel], offset: offset[channel])
      return switch style {
      case .clamp: ToneCurve([line, .clamp(0...1), .power(power[channel])])
      case .noClamp: ToneCurve([line, .powerAboveZero(power[channel])])
      }
    }
    var operations: [FilterOperation] = [
      .curves(.init(red: curves[0], green: curves[1], blue: curves[2]))
    ]
    if saturation != 1 {
      operations.append(.matrix(.sum(LumaWeights.rec709).scaled(by: 1 - saturation)))
      if style == .clamp { operations.append(.curves(.init(.init([.clamp(0...1)])))) }
    }
    return operations
  }
}
