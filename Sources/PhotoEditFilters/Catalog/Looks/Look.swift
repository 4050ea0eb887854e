// SPDX-License-Identifier: Apache-2.0

/// A fixed chain of other filters with adjustable strength, defined by one row of the table of
/// looks.
///
/// The chain is part of the definition: other parameters would be another version.
public struct Look<let row: Int>: Filter {
  /// The schema created from the row.
  public static var schema: FilterSchema<Self> {
    let look = LookRow.all[row]
    return FilterSchema<Self>(
      "look." + look.name, version: look.version, look.summary, aliases: [look.name],
      equivalents: "Core Image \(look.equivalent), by its description", formula: look.formula,
      source: "fixed chain of built-in filters, encoded", dependency: .color,
      tolerance: "T1, like its parts",
      parameters: [
        Parameter(
          "amount", \.amount, unit: .fraction, in: 0...1, identity: 0, argument: 1,
          "Strength of the look.")
      ])
  }

  public static var previous: (any Filter.Type)? {
    switch row {
    case 2: Look<8>.self
    case 3: Look<9>.self
    default: nil
    }
  }

  public var amount = 0.0

  public init() {}

  /// Creates the filter.
  public init(amount: Double) { self.amount = amount }

  /// Returns the same strength of the later version.
  public func upgraded() -> (any Filter)? {
    switch row {
    case 8: LookNoir(amount: amount)
    case 9: LookChrome(amount: amount)
    default: nil
    }
  }

  public func lowered(in context: LoweringContext) throws(ParameterError) -> [FilterOperation] {
    if isIdentity { return [] }
    var operations: [FilterOperation] = []
    for filter in LookRow.all[row].filters { operations += try filter.lowered(in: context) }
    return amount == 1 ? operations : [.save] + operations + [.mix(opacity: amount)]
  }
}

/// `look.tonal`.
public typealias LookTonal = Look<0>

/// `look.mono`.
public typealias LookMono = Look<1>

/// `look.noir`.
public typealias LookNoir = Look<2>

/// `look.chrome`.
public typealias LookChrome = Look<3>

/// `look.fade`.
public typealias LookFade = Look<4>

/// `look.instant`.
public typealias LookInstant = Look<5>

/// `look.process`.
public typealias LookProcess = Look<6>

/// `look.transfer`.
public typealias LookTransfer = Look<7>

/// A row of the table of looks.
private struct LookRow: Sendable {
  let name: String
  let summary: String
  let formula: String
  let equivalent: String
  var version = 1
  /// The chain, each filter with all required parameters.
  let filters: [any Filter]

  static let all: [LookRow] = [
    .init(
      name: "tonal", summary: "Black and white with unchanged contrast.",
      formula: "grayscale mode luma709", equivalent: "CIPhotoEffectTonal",
      filters: [Grayscale(.luma709)]),
    .init(
      name: "mono", summary: "Black and white with low contrast.",
      formula: "look.tonal, then contrast 0.85", equivalent: "CIPhotoEffectMono",
      filters: [Grayscale(.luma709), Contrast(0.85)]),
    .init(
      name: "noir", summary: "Black and white with strong contrast.",
      formula: """
        grayscale mode luma709, then the curve 0:0/0.25:0.17/0.5:0.5/0.75:0.88/1:1
        """, equivalent: "CIPhotoEffectNoir", version: 2,
      filters: [
        Grayscale(.luma709),
        curve([(0, 0), (0.25, 0.17), (0.5, 0.5), (0.75, 0.88), (1, 1)]),
      ]),
    .init(
      name: "chrome", summary: "Exaggerated color.",
      formula: "vibrance 0.4, then the curve 0:0/0.25:0.21/0.75:0.8/1:1",
      equivalent: "CIPhotoEffectChrome", version: 2,
      filters: [
        Vibrance(0.4), curve([(0, 0), (0.25, 0.21), (0.75, 0.8), (1, 1)]),
      ]),
    .init(
      name: "fade", summary: "Diminished color with lifted blacks and lowered whites.",
      formula: "saturate 0.75, then levels to 0.06…0.96", equivalent: "CIPhotoEffectFade",
      filters: [Saturate(0.75), levels(0.06, 0.96)]),
    .init(
      name: "instant", summary: "Distorted colors, like vintage instant film.",
      formula: """
        a curve for each channel: red 0:0.04/0.5:0.52/1:0.98, green 0:0.03/0.5:0.5/1:0.97, \
        blue 0:0.1/0.5:0.47/1:0.88; then saturate 0.9
        """, equivalent: "CIPhotoEffectInstant",
      filters: [
        curve([(0, 0.04), (0.5, 0.52), (1, 0.98)], .r),
        curve([(0, 0.03), (0.5, 0.5), (1, 0.97)], .g),
        curve([(0, 0.1), (0.5, 0.47), (1, 0.88)], .b),
        Saturate(0.9),
      ]),
    .init(
      name: "process", summary: "Emphasized cool colors, like vintage film.",
      formula: "red times 0.95 and blue times 1.06, then the curve 0:0.02/0.5:0.52/1:1",
      equivalent: "CIPhotoEffectProcess",
      filters: [
        ColorMatrix([0.95, 0, 0, 0, 1, 0, 0, 0, 1.06]),
        curve([(0, 0.02), (0.5, 0.52), (1, 1)]),
      ]),
    .init(
      name: "transfer", summary: "Emphasized warm colors, like vintage film.",
      formula: "red times 1.06 and blue times 0.92, then levels to 0.04…0.97",
      equivalent: "CIPhotoEffectTransfer",
      filters: [
        ColorMatrix([1.06, 0, 0, 0, 1, 0, 0, 0, 0.92]), levels(0.04, 0.97),
      ]),
    // Version 1 of noir: foliage and dusk turn black.
    .init(
      name: "noir", summary: "Black and white with strong contrast.",
      formula: """
        grayscale mode luma709, then the curve 0:0/0.25:0.12/0.5:0.5/0.75:0.9/1:1
        """, equivalent: "CIPhotoEffectNoir",
      filters: [
        Grayscale(.luma709),
        curve([(0, 0), (0.25, 0.12), (0.5, 0.5), (0.75, 0.9), (1, 1)]),
      ]),
    // Version 1 of chrome: skin turns orange, and saturated colors are clipped.
    .init(
      name: "chrome", summary: "Exaggerated color.",
      formula: "saturate 1.3, then the curve 0:0/0.25:0.21/0.75:0.8/1:1",
      equivalent: "CIPhotoEffectChrome",
      filters: [
        Saturate(1.3), curve([(0, 0), (0.25, 0.21), (0.75, 0.8), (1, 1)]),
      ]),
  ]

  /// Returns a monotone curve through points.
  private static func curve(
    _ points: [(Double, Double)], _ target: Curve.Target = .master
  ) -> Curve {
    var curve = Curve(points.map { CurvePoint($0, $1) })
    curve.target = target
    return curve
  }

  /// Returns levels that omit the darkest and brightest output.
  private static func levels(_ black: Double, _ white: Double) -> Levels {
    var levels = Levels()
    levels.outBlack = black
    levels.outWhite = white
    return levels
  }
}
