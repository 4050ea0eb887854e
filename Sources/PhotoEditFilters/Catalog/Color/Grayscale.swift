// SPDX-License-Identifier: Apache-2.0
public struct Grayscale: Filter {
  /// The formula for computing brightness from the channels.
  public enum Mode: String, Sendable, Hashable, CaseIterable {
    /// 0.299 R + 0.587 G + 0.114 B, gamma-encoded; the Y of a JPEG.
    case luma601
    /// 0.2126 R + 0.7152 G + 0.0722 B, gamma-encoded; CSS grayscale().
    case luma709
    /// (R + G + B) / 3, gamma-encoded.
    case average
    /// The linear luminance, CIE Y, from the primaries of the photo.
    case luminance
    /// The largest channel.
    case max
    /// The smallest channel.
    case min
  }

  public static let schema = FilterSchema<Self>(
    "grayscale", version: 2, "Converts to grayscale with a choice of weightings.",
    aliases: ["greyscale", "gray", "grey"],
    equivalents: """
      luma601: djpeg -grayscale, Pillow L; luma709: CSS grayscale(), ImageMagick Rec709Luma; \
      average: ImageMagick Average; luminance: libvips b-w; max, min: CIMaximumComponent
      """,
    formula: "x + amount·(l − x), with l the weighting named by the mode; luminance: row Y of the "
      + "photo's primaries; the others: encoded values",
    source: "ITU-T T.871 (luma601); ITU-R BT.709; IEC 61966-2-1 for linear light",
    dependency: .color, tolerance: "T1; luma601 of a YCbCr JPEG is lossless",
    parameters: [
      Parameter("mode", \.mode, "Channel weighting."),
      Parameter(
        "amount", \.amount, unit: .fraction, in: 0...1, identity: 0, argument: 1,
        "Strength; 1 removes all color."),
    ])

  public static var previous: (any Filter.Type)? { NumericVersion<Self>.self }

  public var mode = Mode.luma601
  public var amount = 0.0

  public init() {}

  /// Creates the filter.
  public init(_ mode: Mode, amount: Double = 1) { (self.mode, self.amount) = (mode, amount) }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    switch mode {
    case .luma601: return [.matrix(.sum(LumaWeights.rec601).scaled(by: amount))]
    case .luma709: return [.matrix(.sum(LumaWeights.rec709).scaled(by: amount))]
    case .average:
      return [.matrix(.sum([1.0 / 3, 1.0 / 3, 1.0 / 3]).scaled(by: amount))]
    case .luminance:
      let weights = context.space?.luminance ?? LumaWeights.rec709
      return mixed([.matrix(.sum(weights))].inEncoding(.linear))
    case .max: return mixed([.extremum(.maximum)])
    case .min: return mixed([.extremum(.minimum)])
    }
  }

  private func mixed(_ operations: [FilterOperation]) -> [FilterOperation] {
    amount == 1 ? operations : [.save] + operations + [.mix(opacity: amount)]
  }
}
