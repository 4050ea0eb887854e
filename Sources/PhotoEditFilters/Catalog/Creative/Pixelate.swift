// SPDX-License-Identifier: Apache-2.0
public struct Pixelate: Filter {
  public static let schema = FilterSchema<Self>(
    "pixelate", "Pixelates the image into square cells.",
    equivalents: "Core Image CIPixellate; ffmpeg pixelize; ImageMagick -scale down and up",
    formula:
      "mean of the cell around a pixel; cells start at the top left, the last may be partial",
    source: "Pillow reduce and resize with NEAREST",
    dependency: .neighborhood, tolerance: "T1",
    parameters: [
      Parameter(
        "cell", \.cell, unit: .pixels, in: 1...1000, identity: 1, argument: 16,
        "Cell size.")
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
