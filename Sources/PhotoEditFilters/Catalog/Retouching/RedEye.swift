// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

public struct RedEye: Filter {
  public static let schema = FilterSchema<Self>(
    "redEye", "Removes the red of a flash from pupils.",
    equivalents: "GEGL red-eye-removal; Core Image CIRedEyeCorrection; Lightroom Red Eye",
    formula: """
      in each disc: R + (1 − smoothstep(0.75, 1, distance/radius))·((G + 0.1933·B)/1.0266 − R) \
      where 0.5133·R ≥ G − s and 0.5133·R ≥ 0.1933·B − s, s = 2·(threshold − 0.4)
      """,
    source: "GEGL red-eye-removal, encoded, in discs with a soft edge", dependency: .position,
    tolerance: "T1",
    parameters: [
      Parameter(
        "pupils", \.pupils, counts: (1...16).map { 3 * $0 }, in: 0...1,
        """
        Discs x:y:radius, one after another: the center as column and row, the radius as a fraction \
        of the longer side.
        """),
      Parameter(
        "threshold", \.threshold, unit: .fraction, in: 0...0.8,
        "How much red a pixel needs to be changed; more changes more pixels."),
    ])

  public var pupils: [Double] = [0.5, 0.5, 0]
  public var threshold = 0.4

  public init() {}

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    let size = SIMD2(Double(context.size.width), Double(context.size.height))
    let discs = stride(from: 0, to: pupils.count, by: 3).compactMap { first -> RedEyeMap.Disc? in
      let radius = pupils[first + 2] * size.max()
      if radius == 0 { return nil }
      return RedEyeMap.Disc(
        center: SIMD2(pupils[first], pupils[first + 1]) * size, radius: radius)
    }
    return discs.isEmpty ? [] : [.map(PixelMap(RedEyeMap(discs: discs, threshold: threshold)))]
  }
}
