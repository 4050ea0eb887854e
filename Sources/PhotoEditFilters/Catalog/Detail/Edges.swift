// SPDX-License-Identifier: Apache-2.0
public struct Edges: Filter {
  /// The component of the gradient that is output.
  public enum Output: String, Sendable, Hashable, CaseIterable {
    /// The gradient magnitude.
    case magnitude
    /// The horizontal gradient, positive to the right.
    case x
    /// The vertical gradient, positive downward.
    case y
  }

  public static let schema = FilterSchema<Self>(
    "edges", "Detects edges.",
    aliases: ["sobel"],
    equivalents: "Core Image CIEdges, CISobelGradients; ffmpeg sobel; libvips sobel; OpenCV Sobel",
    formula: "scale·√(gx² + gy²), scale·gx or scale·gy by the 3×3 Sobel kernels on luma",
    source: "OpenCV Sobel with BORDER_REPLICATE; BT.601 luma, encoded",
    dependency: .neighborhood, tolerance: "F",
    parameters: [
      Parameter("output", \.output, "Part of the gradient to show."),
      Parameter("scale", \.scale, in: 0...16, ui: 0...4, "Factor for the gradient."),
    ])

  public var output = Output.magnitude
  public var scale = 1.0

  public init() {}

  /// Creates the filter.
  public init(_ output: Output, scale: Double = 1) { (self.output, self.scale) = (output, scale) }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    let part: Gradient.Part =
      switch output {
      case .magnitude: .magnitude
      case .x: .x
      case .y: .y
      }
    return [
      .matrix(.sum(LumaWeights.rec601)),
      .area(.neighborhood(.gradient(Gradient(part, scale: scale)))),
    ]
  }
}
