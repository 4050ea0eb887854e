// SPDX-License-Identifier: Apache-2.0

public struct CLAHE: Filter {
  public static let schema = FilterSchema<Self>(
    "clahe", version: 2,
    "Equalizes local contrast with a clip limit (CLAHE).",
    aliases: ["adaptiveEqualize"],
    equivalents: "OpenCV createCLAHE; ImageMagick 7 -clahe; libvips hist_local",
    formula: """
      in·Z/Y, Z = Y + amount·(Y' − Y), an increase times min(1, (1 − max)/0.35), max the largest \
      channel; Y' by tables per tile, clipped at clipLimit·A/256, interpolated
      """,
    source: """
      Zuiderveld, Graphics Gems IV, 1994, as in OpenCV, on BT.601 luma; a luma below 1/255 counts as \
      1/255 in the ratio, and the remainder is added
      """,
    dependency: .statistics, tolerance: "F",
    parameters: [
      Parameter(
        "amount", \.amount, unit: .fraction, in: 0...1, identity: 0, argument: 0.5,
        "Share of the equalized luma; 1 replaces the luma."),
      Parameter(
        "clipLimit", \.clipLimit, in: 1...40, ui: 1...8,
        "Contrast limit: maximum slope of a table."),
      Parameter("tilesX", \.columns, in: 1...64, "Number of tiles across."),
      Parameter("tilesY", \.rows, in: 1...64, "Number of tiles down."),
    ])

  public static var previous: (any Filter.Type)? { AddingCLAHE.self }

  public var amount = 0.0
  public var clipLimit = 1.5
  public var columns = 8
  public var rows = 8

  public init() {}

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if amount == 0 { return [] }
    return [
      .adapt(
        .equalizeTiles(columns: columns, rows: rows, clipLimit: clipLimit, amount: amount))
    ]
  }
}

/// Version 1: the whole change of luma is added to every channel, which makes colors pale.
struct AddingCLAHE: Filter {
  static let schema = FilterSchema<Self>(
    "clahe", CLAHE.schema.summary, equivalents: CLAHE.schema.equivalents,
    formula: "tables per tile, clipped at clipLimit·A/256, interpolated; x + Y' − Y",
    source: "Zuiderveld, Graphics Gems IV, 1994, as in OpenCV, on BT.601 luma",
    dependency: .statistics, tolerance: "T1; E1 on whole tiles of gray",
    parameters: [
      Parameter(
        "clipLimit", \.newest.clipLimit, in: 1...40, ui: 1...8,
        "Contrast limit: maximum slope of a table."),
      Parameter("tilesX", \.newest.columns, in: 1...64, "Number of tiles across."),
      Parameter("tilesY", \.newest.rows, in: 1...64, "Number of tiles down."),
    ])

  private(set) var newest: CLAHE

  init() {
    newest = CLAHE()
    newest.clipLimit = 2
  }

  func upgraded() -> (any Filter)? {
    var upgraded = newest
    upgraded.amount = 0.5
    return upgraded
  }

  func lowered(in context: LoweringContext) -> [FilterOperation] {
    [
      .adapt(
        .equalizeTiles(
          columns: newest.columns, rows: newest.rows, clipLimit: newest.clipLimit, amount: nil))
    ]
  }
}
