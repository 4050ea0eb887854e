// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

public struct Crop: Filter {
  /// The unit of the four numbers.
  public enum Measure: String, Sendable, Hashable, CaseIterable {
    /// Fractions of width and height, 0 to 1.
    case fraction
    /// Whole pixels.
    case pixels
  }

  public static let schema = FilterSchema<Self>(
    "crop", "Crops the image to a rectangle.",
    equivalents: "Core Image CICrop; ImageMagick -crop; libvips extract_area; ffmpeg crop",
    formula: "x₀ = round(x·W), x₁ = round((x + w)·W), at least one pixel; same for y",
    source: "x0 = round(x·W), x1 = round((x + w)·W), at least one pixel; same for y",
    dependency: .geometry, tolerance: "E1",
    parameters: [
      Parameter("x", \.x, in: 0...65_500, ui: 0...1, identity: 0, "Left edge."),
      Parameter("y", \.y, in: 0...65_500, ui: 0...1, identity: 0, "Top edge."),
      Parameter("w", \.width, in: 0...65_500, ui: 0...1, identity: 1, "Width."),
      Parameter("h", \.height, in: 0...65_500, ui: 0...1, identity: 1, "Height."),
      Parameter("unit", \.measure, "Unit of x, y, w and h: fraction of the image or pixels."),
    ])

  public var x = 0.0
  public var y = 0.0
  public var width = 1.0
  public var height = 1.0
  /// The unit of the four numbers.
  public var measure = Measure.fraction

  public init() {}

  /// Creates the filter from fractions of width and height.
  public init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// Creates the filter from whole pixels.
  public init(pixels region: Region) {
    self.init(
      x: Double(region.x), y: Double(region.y), width: Double(region.width),
      height: Double(region.height))
    measure = .pixels
  }

  public func validate() throws(ParameterError) {
    guard width > 0 && height > 0 else {
      throw conflict("w and h must be greater than 0")
    }
    switch measure {
    case .fraction:
      // A fraction written with nine digits may exceed one by its rounding error.
      guard x + width <= 1 + 1e-8 && y + height <= 1 + 1e-8 else {
        throw conflict("x + w and y + h must be at most 1; use unit=pixels for whole pixels")
      }
    case .pixels:
      for value in [x, y, width, height] where value != value.rounded() {
        throw conflict("with unit=pixels, x, y, w and h must be whole numbers")
      }
    }
  }

  public func lowered(in context: LoweringContext) throws(ParameterError) -> [FilterOperation] {
    let region = region(in: context)
    guard Region(context.size).contains(region) else {
      throw conflict("\(region) is outside the image of \(context.size)")
    }
    return region == Region(context.size) ? [] : [.crop(region)]
  }

  /// Returns the rectangle that is kept of the image at a point of the graph.
  private func region(in context: LoweringContext) -> Region {
    let size = context.size
    if measure == .pixels {
      let columns = context.coordinates(Int(x), Int(width), along: size.width)
      let rows = context.coordinates(Int(y), Int(height), along: size.height)
      return Region(x: columns.start, y: rows.start, width: columns.length, height: rows.length)
    }
    return NormalizedRect(x: x, y: y, width: width, height: height).region(in: size)
  }
}
