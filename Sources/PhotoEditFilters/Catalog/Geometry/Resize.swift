// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

public struct Resize: Filter {
  public static let schema = FilterSchema<Self>(
    "resize", "Resamples the image to a new size.",
    aliases: ["scale"],
    equivalents:
      "Core Image CILanczosScaleTransform; ImageMagick -resize; libvips resize; ffmpeg scale",
    formula: "Σ k((j + ½ − c)/s)·in(j) / Σ k, with c = (i + ½)·m/n and s = max(1, m/n)",
    source: "centers at (i + ½)·m/n, support widened when shrinking; Duchon 1979, Keys 1981",
    dependency: .geometry, tolerance: "F",
    parameters: [
      Parameter(
        "width", \.width, unit: .pixels, in: 0...65_500, identity: 0,
        "New width; 0 derives it from the height and the aspect ratio."),
      Parameter(
        "height", \.height, unit: .pixels, in: 0...65_500, identity: 0,
        "New height; 0 derives it from the width and the aspect ratio."),
      Parameter(
        "scale", \.scale, in: 0.0001...64, ui: 0.1...4, identity: 1,
        "Scale factor if neither width nor height is given."),
      Parameter("kernel", \.kernel, "Resampling kernel."),
      Parameter("light", \.light, "Transfer encoding to resample in: gamma-encoded or linear."),
    ])

  /// The new width in pixels; 0 computes it from the height.
  public var width = 0
  /// The new height in pixels; 0 computes it from the width.
  public var height = 0
  public var scale = 1.0
  public var kernel = ResamplingKernel.lanczos3
  /// The transfer encoding in which samples are mixed.
  public var light = TransferEncoding.encoded

  public init() {}

  /// Creates the filter; a side of 0 is computed from the other one.
  public init(width: Int = 0, height: Int = 0, kernel: ResamplingKernel = .lanczos3) {
    (self.width, self.height, self.kernel) = (width, height, kernel)
  }

  public func lowered(in context: LoweringContext) throws(ParameterError) -> [FilterOperation] {
    let (w, h) = (Double(context.size.width), Double(context.size.height))
    func pixels(_ value: Double) -> Int { max(1, Int(min(value, 1e9).rounded())) }
    let size: PixelSize
    let width = width == 0 ? 0 : max(1, context.coordinates(width))
    let height = height == 0 ? 0 : max(1, context.coordinates(height))
    switch (width, height) {
    case (0, 0): size = PixelSize(width: pixels(w * scale), height: pixels(h * scale))
    case (_, 0): size = PixelSize(width: width, height: pixels(h * Double(width) / w))
    case (0, _): size = PixelSize(width: pixels(w * Double(height) / h), height: height)
    default: size = PixelSize(width: width, height: height)
    }
    try requireStorable(size)
    if size == context.size { return [] }
    return [.resample(Resampling(size: size, kernel: kernel))].inEncoding(light)
  }
}
