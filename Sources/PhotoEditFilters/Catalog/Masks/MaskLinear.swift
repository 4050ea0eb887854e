// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

public struct MaskLinear: Filter {
  public static let schema = FilterSchema<Self>(
    "mask.linear", "Linear gradient mask.",
    equivalents: "Core Image CISmoothLinearGradient; CSS mask-image: linear-gradient()",
    formula: "t = clamp((p − from)·(to − from)/|to − from|²), or t²(3 − 2t)",
    source: "Core Image Filter Reference, CISmoothLinearGradient", dependency: .mask, inputs: .none,
    tolerance: "T1",
    parameters: [
      Parameter(
        "from", \.from, count: 2, in: -1...2, unit: .fraction,
        "Point where the mask is 0, as column and row."),
      Parameter(
        "to", \.to, count: 2, in: -1...2, unit: .fraction,
        "Point where the mask is 1, as column and row."),
      Parameter("smooth", \.isSmooth, "Use a smooth gradient; otherwise a linear one."),
    ])

  public var from: [Double] = [0.5, 0]
  public var to: [Double] = [0.5, 1]
  public var isSmooth = true

  public init() {}

  public func validate() throws(ParameterError) {
    if from == to {
      throw conflict("from and to must be different points")
    }
  }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    let size = SIMD2(Double(context.size.width), Double(context.size.height))
    let law = MaskGenerator.Law.linear(
      from: SIMD2(from[0], from[1]) * size, to: SIMD2(to[0], to[1]) * size, isSmooth: isSmooth)
    return [
      .layer(Layer(.mask(MaskGenerator(law, size: context.size)), rule: .mask(.multiply)))
    ]
  }
}
