// SPDX-License-Identifier: Apache-2.0

public struct Grain: Filter {
  public static let schema = FilterSchema<Self>(
    "grain", "Adds film grain.",
    aliases: ["noise"],
    equivalents:
      "Core Image CIRandomGenerator with a blend; ImageMagick +noise; libvips gaussnoise",
    formula: "x + amount/4·4Y(1 − Y)·n, n with unit variance per pixel and seed",
    source: "Philox4x64-10, Salmon et al. 2011, counter (x, y, plane, 0), key (seed, 1)",
    dependency: .position, tolerance: "E1",
    parameters: [
      Parameter(
        "amount", \.amount, unit: .fraction, in: 0...1, identity: 0, argument: 0.25,
        "Strength; 1 is a standard deviation of 0.25 at middle gray."),
      Parameter(
        "size", \.size, unit: .pixels, in: 0...20, ui: 0...5,
        "Grain size: standard deviation of a Gaussian blur; 0 is single pixels."),
      Parameter("monochrome", \.isMonochrome, "Use the same grain in all channels."),
      Parameter(
        "seed", \.seed, in: 0...9_007_199_254_740_991,
        "Random seed; each value gives another pattern."),
    ])

  public var amount = 0.0
  /// The standard deviation of the grains, in pixels.
  public var size = 0.0
  public var isMonochrome = true
  public var seed = 0

  public init() {}

  /// Creates the filter.
  public init(amount: Double, seed: Int = 0) { (self.amount, self.seed) = (amount, seed) }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    let noise = MaskGenerator(
      .noise(seed: UInt64(seed), planes: isMonochrome ? 1 : 3), size: context.size)
    var operations: [FilterOperation] = []
    let sigma = size * context.scale
    if sigma > 0 {
      let kernel = BlurKernel(gaussian: sigma)
      // A sum of neighbors has less variance; dividing by the square root of the remaining variance
      // restores it.
      let row = kernel.weights.dropFirst().reduce(kernel.weights[0] * kernel.weights[0]) {
        $0 + 2 * $1 * $1
      }
      operations = [.blur(kernel), .curves(.init(.init([.affine(scale: 1 / row, offset: 0)])))]
    }
    return [.layer(Layer(.mask(noise), operations, rule: .grain(amount: amount / 4)))]
  }
}
