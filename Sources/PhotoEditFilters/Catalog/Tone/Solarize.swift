// SPDX-License-Identifier: Apache-2.0
public struct Solarize: Filter {
  public static let schema = FilterSchema<Self>(
    "solarize", "Inverts values above a threshold.",
    equivalents: "ImageMagick -solarize; Pillow ImageOps.solarize",
    formula: "x < threshold ? x : 1 − x", source: "Pillow ImageOps.solarize, encoded",
    dependency: .curve, tolerance: "E1",
    parameters: [
      Parameter(
        "threshold", \.threshold, unit: .fraction, in: 0...1, identity: 1, argument: 0.5,
        "Darkest value to invert; 1 leaves the image unchanged.")
    ])

  public var threshold = 1.0

  public init() {}

  /// Creates the filter.
  public init(threshold: Double) { self.threshold = threshold }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    isIdentity ? [] : [.curves(.init(.init([.solarize(threshold)])))]
  }
}
