// SPDX-License-Identifier: Apache-2.0
public struct Pixelate: Filter {
  public static let schema = FilterSchema<Self>(
    "pixelate", "Shows the picture in large square cells.",
    peers: "Core Image CIPixellate; ffmpeg pixelize; ImageMagick -scale down and up",
    formula:
      "mean of the cell that holds a pixel; cells begin at the top left, the last may be cut",
    source: "Pillow reduce and resize with NEAREST",
    family: .neighbourhood, tolerance: "T1",
    parameters: [
      Parameter(
        "cell", \.cell, unit: .pixels, in: 1...1000, neutral: 1, argument: 16,
        "Side of a cell.")
    ])

  public var cell = 1

  public init() {}

  /// Creates the filter.
  public init(cell: Int) { self.cell = cell }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    let side = max(1, context.pixels(cell))
    return side == 1 ? [] : [.area(.cells(side))]
  }
}
