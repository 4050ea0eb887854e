// SPDX-License-Identifier: Apache-2.0
public struct LUT3D: Filter {
  public static let schema = FilterSchema<Self>(
    "lut3d", "Applies a 3D lookup table from a .cube file.",
    aliases: ["lut", "colorCube"],
    equivalents: "Core Image CIColorCube; OpenColorIO FileTransform; ffmpeg lut3d; darktable lut3d",
    formula: "the four or eight entries around a color, weighted by its position between them",
    source: "Adobe Cube LUT Specification 1.0, LUT_3D_SIZE", dependency: .color,
    tolerance: "F 0.02 of OpenColorIO",
    parameters: [
      Parameter(asset: "asset", \.asset, kind: .lookupCube, "3D lookup table: a .cube file."),
      Parameter(
        "interpolation", \.interpolation, "Interpolation between entries."),
      Parameter("light", \.light, "Transfer encoding that the lookup table expects."),
    ])

  /// The name of the cube among the graph's attachments.
  public var asset = ""
  public var interpolation = ColorLUT3D.Interpolation.tetrahedral
  public var light = TransferEncoding.encoded

  public init() {}

  /// Creates the filter with a cube attached to the graph.
  public init(
    asset: String, interpolation: ColorLUT3D.Interpolation = .tetrahedral,
    light: TransferEncoding = .encoded
  ) {
    (self.asset, self.interpolation, self.light) = (asset, interpolation, light)
  }

  public func lowered(in context: LoweringContext) throws(ParameterError) -> [FilterOperation] {
    let (table, cube) = try context.cube(asset, filter: Self.schema.name)
    let curves: [FilterOperation] = table.map { [.curves($0.curves)] } ?? []
    return (curves + [.map(PixelMap(CubeMap(cube: cube, interpolation: interpolation)))])
      .inEncoding(light)
  }
}
