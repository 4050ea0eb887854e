// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

public struct Lens: Filter {
  public static let schema = FilterSchema<Self>(
    "lens", "Corrects the distortion, the color fringes and the vignetting of a lens.",
    aliases: ["lensCorrection"],
    equivalents: """
      Lensfun (darktable, RawTherapee); Lightroom and DNG lens corrections; Core Image \
      CILensCorrection; ImageMagick -distort Barrel
      """,
    formula: "in(c + u·s·f(s·r)) with u from the center c to the pixel, r = |u|, and s the largest "
      + "scale without empty corners; f(r) = Σ modelᵢrⁱ, for red and blue times Σ fringeᵢ(r·f)ⁱ; "
      + "before that, linear light divided by 1 + k₁r² + k₂r⁴ + k₃r⁶; 1 is half of the diagonal",
    source: "Brown 1966, Decentering Distortion of Lenses; Lensfun 0.3, lensfun.h",
    dependency: .geometry, tolerance: "T1",
    parameters: [
      Parameter(
        "distortion", \.distortion, unit: .fraction, in: 0...1,
        "Amount of the corrected distortion."),
      Parameter(
        "fringes", \.fringes, unit: .fraction, in: 0...1, "Amount of the corrected color fringes."),
      Parameter(
        "vignetting", \.vignetting, unit: .fraction, in: 0...1,
        "Amount of the corrected vignetting."),
      Parameter(
        "model", \.model, count: 5, in: -4...4, identity: RadialMap.identity.factors,
        "Coefficients of the distortion, from that of r⁰ on."),
      Parameter(
        "red", \.red, count: 3, in: -2...2, identity: RadialMap.identity.fringe,
        "Coefficients of red relative to green."),
      Parameter(
        "blue", \.blue, count: 3, in: -2...2, identity: RadialMap.identity.fringe,
        "Coefficients of blue relative to green."),
      Parameter(
        "falloff", \.falloff, count: 3, in: -4...4, identity: [0, 0, 0],
        "Coefficients of the light, of r², r⁴ and r⁶."),
      Parameter(
        text: "profile", \.profile, maximumBytes: 256, "Name of the lens, for information."),
      Parameter("kernel", \.kernel, "Resampling kernel."),
    ])

  public var distortion = 1.0
  public var fringes = 1.0
  public var vignetting = 1.0
  public var model = RadialMap.identity.factors
  public var red = RadialMap.identity.fringe
  public var blue = RadialMap.identity.fringe
  public var falloff: [Double] = [0, 0, 0]
  public var profile = ""
  public var kernel = ResamplingKernel.catmullRom

  public init() {}

  public func validate() throws(ParameterError) {
    let map = RadialMap(size: PixelSize(width: 1, height: 1), factors: model, red: red, blue: blue)
    for step in 0...32 {
      let factors = map.factors(at: Double(step) / 32)
      guard factors.min() >= 0.4, factors.max() <= 2.5 else {
        throw conflict("model, red and blue move pixels by more than a factor of 2.5")
      }
    }
  }

  public func lowered(in context: LoweringContext) throws(ParameterError) -> [FilterOperation] {
    var operations: [FilterOperation] = []
    if vignetting > 0, falloff != [0, 0, 0] {
      let gain = RadialGain(
        .inverse(SIMD3(falloff[0], falloff[1], falloff[2])), amount: vignetting,
        size: context.size, center: (0.5, 0.5), roundness: 1)
      operations += [.radialGain(gain)].inEncoding(.linear)
    }
    let map = RadialMap(
      size: context.size, factors: Self.share(distortion, of: model),
      red: Self.share(fringes, of: red), blue: Self.share(fringes, of: blue))
    guard map != RadialMap(size: context.size) else { return operations }
    let scale = map.scale(filling: context.size)
    let center = map.center
    var warp = Warp(
      Projection([
        scale, 0, (1 - scale) * center.x, 0, scale, (1 - scale) * center.y, 0, 0, 1,
      ]), size: context.size, kernel: kernel)
    warp.radial = map
    return operations + [.area(.warp(warp))]
  }

  /// Returns coefficients between those that change nothing and the given ones.
  private static func share(_ amount: Double, of coefficients: [Double]) -> [Double] {
    coefficients.enumerated().map { index, value in
      index == 0 ? 1 + amount * (value - 1) : amount * value
    }
  }
}
