// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

public struct Pad: Filter {
  /// The content of the border.
  public enum Mode: String, Sendable, Hashable, CaseIterable {
    /// One color.
    case color
    /// The outermost pixels, repeated.
    case edge
  }

  public static let schema = FilterSchema<Self>(
    "pad", version: 2, "Adds a border around the image.",
    aliases: ["frame", "border"],
    equivalents:
      "Core Image CIAffineClamp; ImageMagick -extent, -border; libvips embed; ffmpeg pad",
    formula: "in(x − left, y − top) inside; the color, or the nearest pixel, outside",
    source: "index arithmetic", dependency: .geometry, tolerance: "E1",
    parameters: [
      Parameter(
        "top", \.top, unit: .pixels, in: 0...20_000, identity: 0, "Rows above the image."),
      Parameter(
        "right", \.right, unit: .pixels, in: 0...20_000, identity: 0,
        "Columns to the right of the image."),
      Parameter(
        "bottom", \.bottom, unit: .pixels, in: 0...20_000, identity: 0, "Rows below the image."),
      Parameter(
        "left", \.left, unit: .pixels, in: 0...20_000, identity: 0,
        "Columns to the left of the image."),
      Parameter("mode", \.mode, "How to fill the border."),
      Parameter("color", \.color, "Border color, in sRGB."),
    ])

  public static var previous: (any Filter.Type)? { NumericVersion<Self>.self }

  public var top = 0
  public var right = 0
  public var bottom = 0
  public var left = 0
  public var mode = Mode.color
  public var color = Background.white

  public init() {}

  public func lowered(in context: LoweringContext) throws(ParameterError) -> [FilterOperation] {
    if isIdentity { return [] }
    // Opposite borders are rounded together, so that proportions are preserved.
    let size = PixelSize(
      width: context.size.width + context.coordinates(left + right),
      height: context.size.height + context.coordinates(top + bottom))
    try requireStorable(size)
    return [
      .area(
        .pad(
          Padding(
            left: context.coordinates(left), top: context.coordinates(top), size: size,
            fill: mode == .edge ? .edge : .color(context.numbers(of: color)))))
    ]
  }
}
