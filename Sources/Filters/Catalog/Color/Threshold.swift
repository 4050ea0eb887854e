// SPDX-License-Identifier: Apache-2.0
/// Makes the picture black and white, without grays.
public struct Threshold: Filter {
  public static let schema = FilterSchema<Self>(
    "threshold", "Makes white of what is brighter than a level, and black of the rest.",
    peers: "OpenCV threshold; ImageMagick -threshold; Core Image CIColorThreshold",
    formula: "0.299 R + 0.587 G + 0.114 B > level ? 1 : 0",
    source: "OpenCV THRESH_BINARY on the luma of ITU-T T.871, encoded", family: .color,
    tolerance: "E1",
    parameters: [
      Parameter("level", \.level, unit: .fraction, in: 0...1, "The brightest luma that is black.")
    ])

  /// The brightest luma that is black.
  public var level = 0.5

  public init() {}

  /// Makes the filter.
  public init(level: Double) { self.level = level }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    [.matrix(.sum(LumaWeights.rec601)), .curves(.init(.init([.threshold(level)])))]
  }
}
