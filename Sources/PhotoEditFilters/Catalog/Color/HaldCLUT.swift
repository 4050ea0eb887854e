// SPDX-License-Identifier: Apache-2.0
public struct HaldCLUT: Filter {
  public static let schema = FilterSchema<Self>(
    "haldClut", "Applies a 3D lookup table stored as a Hald CLUT image.",
    aliases: ["hald"],
    equivalents:
      "ImageMagick -hald-clut; ffmpeg haldclut; RawTherapee film simulation; darktable lut3d",
    formula: "as lut3d; pixel p of a level-n image is entry p of a cube with n² entries per side",
    source: "Quelsolaar, Hald images; levels 2 to 16, encoded", dependency: .color,
    tolerance: "T1 of ImageMagick",
    parameters: [
      Parameter(
        asset: "asset", \.asset, kind: .haldImage, "Hald CLUT image: a PNG of n³ × n³ pixels."),
      Parameter(
        "interpolation", \.interpolation, "Interpolation between entries."),
    ])

  /// The name of the image among the graph's attachments.
  public var asset = ""
  public var interpolation = ColorLUT3D.Interpolation.tetrahedral

  public init() {}

  /// Creates the filter with an image attached to the graph.
  public init(asset: String, interpolation: ColorLUT3D.Interpolation = .tetrahedral) {
    (self.asset, self.interpolation) = (asset, interpolation)
  }

  public func lowered(in context: LoweringContext) throws(ParameterError) -> [FilterOperation] {
    let (_, cube) = try context.cube(asset, filter: Self.schema.name, kind: .haldImage)
    return [.map(PixelMap(CubeMap(cube: cube, interpolation: interpolation)))]
  }
}
