// SPDX-License-Identifier: Apache-2.0

public struct CLAHE: Filter {
  public static let schema = FilterSchema<Self>(
    "clahe",
    "Distributes brightness evenly in each part of the picture, as far as a limit lets it.",
    aliases: ["adaptiveEqualize"],
    peers: "OpenCV createCLAHE; ImageMagick 7 -clahe; libvips hist_local",
    formula: "tables of tiles, cut at clipLimit·A/256 and spread, mixed by place; x + Y' − Y",
    source: "Zuiderveld, Graphics Gems IV, 1994, as OpenCV has it, on the luma of BT.601",
    family: .statistics, tolerance: "T1; E1 on whole tiles of gray",
    parameters: [
      Parameter(
        "clipLimit", \.clipLimit, in: 1...40, ui: 1...8, "How steep a table may become."),
      Parameter("tilesX", \.columns, in: 1...64, "Tiles along a row."),
      Parameter("tilesY", \.rows, in: 1...64, "Tiles down a column."),
    ])

  public var clipLimit = 2.0
  public var columns = 8
  public var rows = 8

  public init() {}

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    [.adapt(.equalizeTiles(columns: columns, rows: rows, clipLimit: clipLimit))]
  }
}
