// SPDX-License-Identifier: Apache-2.0
public struct Bilateral: Filter {
  public static let schema = FilterSchema<Self>(
    "bilateral", "Smooths surfaces while preserving edges (bilateral filter).",
    equivalents: "OpenCV bilateralFilter; ffmpeg bilateral; GEGL bilateral-filter",
    formula: """
      Σ w·in / Σ w over a disc, w = exp(−s²/2·sigmaSpace² − c²/2·sigmaColor²), s the distance in \
      pixels, c = |ΔR| + |ΔG| + |ΔB|
      """,
    source: "Tomasi and Manduchi 1998, as OpenCV bilateralFilter with BORDER_REPLICATE",
    dependency: .neighborhood, tolerance: "F",
    parameters: [
      Parameter(
        "diameter", \.diameter, unit: .pixels, in: 3...31, "Diameter of the disc, an odd number."),
      Parameter(
        "sigmaColor", \.sigmaColor, in: 0.001...3, ui: 0.01...0.5,
        "Color difference treated as the same surface."),
      Parameter(
        "sigmaSpace", \.sigmaSpace, unit: .pixels, in: 0.1...50, ui: 1...15,
        "Standard deviation of the distance weights."),
    ])

  public var diameter = 9
  public var sigmaColor = 0.1
  public var sigmaSpace = 3.0

  public init() {}

  /// Creates the filter.
  public init(diameter: Int, sigmaColor: Double, sigmaSpace: Double) {
    (self.diameter, self.sigmaColor, self.sigmaSpace) = (diameter, sigmaColor, sigmaSpace)
  }

  public func validate() throws(ParameterError) {
    try requireOdd("diameter", diameter)
  }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    let reach = context.pixels(diameter / 2)
    if reach == 0 { return [] }
    let mean = BilateralFilter(
      reach: reach, sigmaColor: sigmaColor, sigmaSpace: sigmaSpace * context.scale)
    return [.area(.neighborhood(.bilateral(mean)))]
  }
}
