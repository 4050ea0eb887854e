// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

public struct MaskBrush: Filter {
  public static let schema = FilterSchema<Self>(
    "mask.brush", "Mask painted with a brush.",
    equivalents: "Lightroom Brush; darktable brush mask; Photoshop layer mask",
    formula: """
      s = flow·(1 − smoothstep(hardness, 1, d/r)), d/r the least over the path of the distance by \
      the radius times the pressure; in order, a stroke paints 1 − (1 − m)(1 − s) or erases \
      m·(1 − s); then m + edge·(G(m) − m), G the guided filter with the luma of the image as its \
      guide, a radius of 1 % of the longer side and ε = 0.0004
      """,
    source: """
      smoothstep of the distance from a path; coverage algebra, Porter and Duff 1984; \
      He, Sun and Tang 2013 for edges
      """,
    dependency: .mask, inputs: .optionalImage, tolerance: "T1",
    parameters: [
      Parameter(
        "strokes", \.strokes, count: 1...512, points: 20000,
        """
        Strokes: the radius as a fraction of the longer side, the share of it with full coverage, \
        the coverage, and the path as columns and rows, each possibly with a pressure; "erase:" \
        before a stroke removes coverage.
        """),
      Parameter("invert", \.isInverted, "Invert the mask: 0 on the strokes, 1 outside."),
      Parameter(
        "edge", \.edge, unit: .fraction, in: 0...1,
        """
        How far the mask follows edges of the image in "in", or of the preceding one; at 0 it does \
        not depend on an image.
        """),
    ])

  public var strokes = [BrushStroke(radius: 0.15, points: [.init(0.3, 0.5), .init(0.7, 0.5)])]
  public var isInverted = false
  public var edge = 0.0

  public init() {}

  /// Creates the mask.
  public init(_ strokes: [BrushStroke]) { self.strokes = strokes }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    let law = MaskGenerator.Law.strokes(
      strokes.map { MaskStroke($0, size: context.size) }, isInverted: isInverted)
    let layer = FilterOperation.layer(
      Layer(.mask(MaskGenerator(law, size: context.size)), rule: .mask(.multiply)))
    guard edge > 0 else { return [layer] }
    let filter = GuidedMask(radius: context.pixels(ofLongSide: 0.01))
    return [
      layer, .save, .merge(Composite(.guide, above: .secondInput)),
      .area(.neighborhood(.guidedMask(filter))), .mix(opacity: edge),
      .curves(.init(.init([.clamp(0...1)]))),
    ]
  }
}
