// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

public struct MaskImage: Filter {
  /// The method for scaling the mask image to the size of the photo.
  public enum Fit: String, Sendable, Hashable, CaseIterable {
    /// Each side independently.
    case stretch
  }

  public static let schema = FilterSchema<Self>(
    "mask.image", "Mask from an image file.",
    equivalents: "Core Image CIBlendWithMask; CSS mask-image: url(); ImageMagick -mask",
    formula: "BT.601 luma of the mask image, its gamma ignored, resized with the triangle kernel",
    source: "coverage, 0 black to 1 white; Pillow resize in mode F", dependency: .mask,
    inputs: .none, tolerance: "F",
    parameters: [
      Parameter(asset: "asset", \.asset, kind: .image, "Mask image; black is 0, white is 1."),
      Parameter("fit", \.fit, "How to resize the mask to the image."),
    ])

  /// The name of the mask image among the graph's attachments.
  public var asset = ""
  public var fit = Fit.stretch

  public init() {}

  /// Creates the mask.
  public init(asset: String) { self.asset = asset }

  public func lowered(in context: LoweringContext) throws(ParameterError) -> [FilterOperation] {
    let drawing = try context.image(asset, filter: Self.schema.name)
    var operations: [FilterOperation] = []
    if drawing.orientation != .up { operations.append(.orient(drawing.orientation)) }
    operations.append(.matrix(.sum(LumaWeights.rec601)))
    if drawing.size != context.size {
      operations.append(.resample(Resampling(size: context.size, kernel: .bilinear)))
    }
    return [.layer(Layer(.image(drawing), operations, rule: .mask(.multiply)))]
  }
}
