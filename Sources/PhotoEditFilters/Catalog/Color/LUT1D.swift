// SPDX-License-Identifier: Apache-2.0
public struct LUT1D: Filter {
  public static let schema = FilterSchema<Self>(
    "lut1d", "Applies a 1D lookup table from a file.",
    aliases: ["tableCurve"],
    equivalents: "OpenColorIO FileTransform; ffmpeg lut1d; libvips maplut; ImageMagick -clut",
    formula: "y = t[k]·(1 − f) + t[k+1]·f, k + f = (x − low)/(high − low)·(n − 1) clamped to 0…n−1",
    source: "Adobe Cube LUT Specification 1.0, LUT_1D_SIZE, encoded", dependency: .curve,
    tolerance: "F 0.02 of OpenColorIO",
    parameters: [
      Parameter(asset: "asset", \.asset, kind: .lookupTable, "1D lookup table: a .cube file.")
    ])

  /// The name of the table among the graph's attachments.
  public var asset = ""

  public init() {}

  /// Creates the filter with a table attached to the graph.
  public init(asset: String) { self.asset = asset }

  public func lowered(in context: LoweringContext) throws(ParameterError) -> [FilterOperation] {
    [.curves(try context.table(asset, filter: Self.schema.name).curves)]
  }
}
