// SPDX-License-Identifier: Apache-2.0

public struct CLAHE: Filter {
  public static let schema = FilterSchema<Self>(
    "clahe",
    "Equalizes local contrast with a clip limit (CLAHE).",
    aliases: ["adaptiveEqualize"],
    equivalents: "OpenCV createCLAHE; ImageMagick 7 -clahe; libvips hist_local",
    formula: "tables per tile, clipped at clipLimit·A/256, interpolated; x + Y' − Y",
    source: "Zuiderveld, Graphics Gems IV, 1994, as in OpenCV, on BT.601 luma",
    dependency: .statistics, tolerance: "T1; E1 on whole tiles of gray",
    parameters: [
      Parameter(
        "clipLimit", \.clipLimit, in: 1...40, ui: 1...8,
        "Contrast limit: maximum slope of a table."),
      Parameter("tilesX", \.columns, in: 1...64, "Number of tiles across."),
      Parameter("tilesY", \.rows, in: 1...64, "Number of tiles down."),
    ])

  public var clipLimit = 2.0
  public var columns = 8
  public var rows = 8

  public init() {}

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    [.adapt(.equalizeTiles(columns: columns, rows: rows, clipLimit: clipLimit))]
  }
}
