// SPDX-License-Identifier: Apache-2.0

public struct AutoLevels: Filter {
  public static let schema = FilterSchema<Self>(
    "autoLevels",
    "Stretches contrast so that the darkest and brightest pixels become black and white.",
    aliases: ["autoContrast", "contrastStretch"],
    equivalents: "ImageMagick -contrast-stretch; Pillow ImageOps.autocontrast; ffmpeg normalize",
    formula: "(x − low)/(high − low), low and high the levels left after clipping ⌊N·clip⌋ pixels",
    source: "Pillow ImageOps.autocontrast with a cutoff; 256 levels for each channel",
    dependency: .statistics, tolerance: "T1",
    parameters: [
      Parameter(
        "clipLow", \.clipLow, unit: .percent, in: 0...10, "Percentage of pixels clipped to black."),
      Parameter(
        "clipHigh", \.clipHigh, unit: .percent, in: 0...10,
        "Percentage of pixels clipped to white."),
      Parameter(
        "linked", \.isLinked, "Stretch all channels equally; otherwise color casts are removed too."
      ),
    ])

  public var clipLow = 0.5
  public var clipHigh = 0.5
  public var isLinked = false

  public init() {}

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    [
      .adapt(
        .stretch(clipLow: clipLow / 100, clipHigh: clipHigh / 100, isLinked: isLinked))
    ]
  }
}
