// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

public struct Flip: Filter {
  /// The direction in which the image is flipped.
  public enum Axis: String, Sendable, Hashable, CaseIterable {
    /// Left and right.
    case horizontal
    /// Top and bottom.
    case vertical
  }

  public static let schema = FilterSchema<Self>(
    "flip", "Flips the image horizontally or vertically.",
    aliases: ["mirror"],
    equivalents: "ImageMagick -flop/-flip; libvips flip; ffmpeg hflip/vflip",
    formula: "out(x, y) = in(W − 1 − x, y), or in(x, H − 1 − y)",
    source: "index reversal", dependency: .geometry, tolerance: "E1",
    parameters: [
      Parameter("axis", \.axis, "Axis: horizontal swaps left and right, vertical top and bottom.")
    ])

  /// The direction in which the image is flipped.
  public var axis = Axis.horizontal

  public init() {}

  /// Creates the filter.
  public init(_ axis: Axis) { self.axis = axis }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    [.orient(axis == .horizontal ? .upMirrored : .downMirrored)]
  }
}
