// SPDX-License-Identifier: Apache-2.0

public struct Vibrance: Filter {
  public static let schema = FilterSchema<Self>(
    "vibrance", version: 2,
    "Boosts muted colors more than saturated ones, and skin less.",
    equivalents:
      "Lightroom Vibrance; Core Image CIVibrance; darktable color balance rgb; ffmpeg vibrance",
    formula: """
      C·(1 + 2·amount·(1 − 0.6·skin)·(1 − C/Cmax)²), at least 0, in Oklch; increases end smoothly \
      at Cmax, the largest chroma of the hue and lightness; skin from 18° to 62°
      """,
    source: "Ottosson, 2020 (Oklab); Cmax by bisection at 65 lightnesses and 360 hues",
    transferEncoding: .linear, dependency: .color, tolerance: "F 0.1",
    parameters: [
      Parameter(
        "amount", \.amount, in: -1...1, identity: 0,
        "Above 0 boosts muted colors most; below 0 reduces them, and saturated colors least.")
    ])

  public static var previous: (any Filter.Type)? { EncodedVibrance.self }

  public var amount = 0.0

  public init() {}

  /// Creates the filter.
  public init(_ amount: Double) { self.amount = amount }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    let space = context.space ?? .sRGB
    return Oklab.mapping(ChromaBoost(amount: amount, space: space), in: space)
  }
}

/// Version 1: a factor of the encoded difference from luma, which clips saturated colors.
struct EncodedVibrance: Filter {
  static let schema = FilterSchema<Self>(
    "vibrance", "Boosts muted colors more than saturated ones.",
    equivalents: "ffmpeg vibrance with alternate=1; ReShade Vibrance",
    formula: "l + (x − l)·(1 + amount·(1 − sign(amount)·(max − min))), l the BT.709 luma",
    source: "ReShade Vibrance, as in ffmpeg vibrance with alternate=1, encoded",
    dependency: .color, tolerance: "T1",
    parameters: [
      Parameter(
        "amount", \.amount, in: -1...1, identity: 0,
        "Above 0 boosts muted colors most; below 0 reduces saturated colors most.")
    ])

  var amount = 0.0

  func upgraded() -> (any Filter)? { Vibrance(amount) }

  func lowered(in context: LoweringContext) -> [FilterOperation] {
    isIdentity ? [] : [.map(PixelMap(VibranceMap(amount)))]
  }
}
