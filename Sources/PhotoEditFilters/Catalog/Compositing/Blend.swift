// SPDX-License-Identifier: Apache-2.0

public struct Blend: Filter {
  public static let schema = FilterSchema<Self>(
    "blend", "Blends two images with a blend mode.",
    equivalents: "Core Image CI…BlendMode; CSS mix-blend-mode; ImageMagick -compose; ffmpeg blend",
    formula: "αₛ(1 − α)s + αₛ·α·B(b, s) + (1 − αₛ)α·b, with αₛ times opacity and mask",
    source: "W3C Compositing and Blending Level 1", dependency: .compositing, inputs: .twoImages,
    tolerance: "T2",
    parameters: [Parameter("mode", \.mode, "Blend mode.")])

  public var mode = BlendMode.normal

  public init() {}

  /// Creates the filter.
  public init(_ mode: BlendMode) { self.mode = mode }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    [.merge(Composite(.blend(mode), above: .secondInput))]
  }
}
