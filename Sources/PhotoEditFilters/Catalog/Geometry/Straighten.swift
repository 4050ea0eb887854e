// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditPlatform

public struct Straighten: Filter {
  /// The handling of the corners.
  public enum Fit: String, Sendable, Hashable, CaseIterable {
    /// The largest axis-aligned rectangle inside the rotated image with its aspect ratio, at the
    /// old scale.
    case keepAspect
    /// The axis-aligned rectangle of the largest area inside the rotated image.
    case maxArea
    /// The whole image is kept, and a color fills the corners.
    case expand
  }

  public static let schema = FilterSchema<Self>(
    "straighten", version: 2, "Rotates the image by a small angle to level the horizon.",
    equivalents: """
      Core Image CIStraightenFilter (which keeps the size and magnifies); ImageMagick \
      -distort SRT; libvips similarity; ffmpeg rotate
      """,
    formula:
      "in(R(−angle)·(p − center) + center); keepAspect: sides / (cos α + sin α·max(w/h, h/w))",
    source: "rotation around the center, pixel centers at halves; kernels as in resize",
    dependency: .geometry, tolerance: "T1",
    parameters: [
      Parameter(
        "angle", \.angle, unit: .degrees, in: -45...45, ui: -10...10, identity: 0,
        "Clockwise rotation angle."),
      Parameter("fit", \.fit, "How to handle the corners."),
      Parameter("kernel", \.kernel, "Resampling kernel."),
      Parameter("color", \.color, "Color of the corners (fit expand), in sRGB."),
      Parameter("light", \.light, "Transfer encoding to resample in: gamma-encoded or linear."),
    ])

  public static var previous: (any Filter.Type)? { NumericVersion<Self>.self }

  public var angle = 0.0
  public var fit = Fit.keepAspect
  public var kernel = ResamplingKernel.catmullRom
  public var color = Background.white
  public var light = TransferEncoding.encoded

  public init() {}

  /// Creates the filter.
  public init(angle: Double, fit: Fit = .keepAspect) { (self.angle, self.fit) = (angle, fit) }

  public func lowered(in context: LoweringContext) throws(ParameterError) -> [FilterOperation] {
    if isIdentity { return [] }
    let (w, h) = (Double(context.size.width), Double(context.size.height))
    let (s, c) = (abs(sin(angle * .pi / 180)), cos(angle * .pi / 180))
    let sides: (width: Double, height: Double)
    switch fit {
    case .keepAspect:
      let scale = 1 / (c + s * max(w / h, h / w))
      sides = (w * scale, h * scale)
    case .maxArea: sides = Self.largestArea(w, h, s, c)
    case .expand: sides = (w * c + h * s, w * s + h * c)
    }
    // An inner rectangle keeps only whole pixels; an outer one includes all pixels it touches.
    func whole(_ side: Double) -> Int {
      max(1, Int(fit == .expand ? (side - 1e-9).rounded(.up) : (side + 1e-9).rounded(.down)))
    }
    let size = PixelSize(width: whole(sides.width), height: whole(sides.height))
    try requireStorable(size)
    let projection = Projection.rotation(
      by: angle * .pi / 180, about: (Double(size.width) / 2, Double(size.height) / 2),
      showing: (w / 2, h / 2))
    let surround = fit == .expand ? fill(in: context) : nil
    return [.area(.warp(Warp(projection, size: size, kernel: kernel, surround: surround)))]
      .inEncoding(light)
  }

  /// Returns the values of the color that fills the corners, in the transfer encoding in which
  /// samples are mixed.
  private func fill(in context: LoweringContext) -> SIMD3<Double> {
    let numbers = context.numbers(of: color)
    // Version 1 used the values as linear values without conversion.
    guard light == .linear, context.space != nil else { return numbers }
    return SIMD3(
      SRGBTransfer.decode(numbers.x), SRGBTransfer.decode(numbers.y),
      SRGBTransfer.decode(numbers.z))
  }

  /// Returns the sides of the largest axis-aligned rectangle inside a rotated one.
  private static func largestArea(
    _ w: Double, _ h: Double, _ s: Double, _ c: Double
  ) -> (width: Double, height: Double) {
    let (long, short) = (max(w, h), min(w, h))
    if short <= 2 * s * c * long {
      // Two corners touch the long sides; the other two are inside.
      let half = short / 2
      return w > h ? (half / s, half / c) : (half / c, half / s)
    }
    let d = c * c - s * s
    return ((w * c - h * s) / d, (h * c - w * s) / d)
  }
}
