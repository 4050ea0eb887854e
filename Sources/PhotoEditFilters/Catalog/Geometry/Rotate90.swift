// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

public struct Rotate90: Filter {
  public static let schema = FilterSchema<Self>(
    "rotate90", "Rotates the image clockwise in 90° steps.",
    aliases: ["rotate"],
    equivalents: "ImageMagick -rotate; libvips rot; ffmpeg transpose",
    formula: "out(x, y) = in(y, H − 1 − x), once per turn",
    source: "index permutation", dependency: .geometry, tolerance: "E1",
    parameters: [
      Parameter(
        "turns", \.turns, unit: .rotations, in: 0...3, identity: 0, argument: 1,
        "Number of clockwise 90° rotations.")
    ])

  public var turns = 0

  public init() {}

  /// Creates the filter.
  public init(turns: Int) { self.turns = turns }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    turns == 0 ? [] : [.orient(Orientation(clockwiseRotations: turns))]
  }
}
