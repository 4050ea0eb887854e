// SPDX-License-Identifier: Apache-2.0
public struct SharpenLuma: Filter {
  public static let schema = FilterSchema<Self>(
    "sharpenLuma", "Sharpens luma only.",
    equivalents: "Core Image CISharpenLuminance; libvips sharpen (L of Lab)",
    formula: "in + amount·(Y − G(Y)) where |Y − G(Y)| > threshold, Y the BT.601 luma",
    source: "unsharpMask with channels luma; G as in gaussianBlur",
    dependency: .neighborhood, tolerance: "T2",
    parameters: [
      Parameter(
        "sigma", \.sigma, unit: .pixels, in: 0.1...250, ui: 0.5...20,
        "Standard deviation of the blur."),
      Parameter(
        "amount", \.amount, in: 0...10, ui: 0...3, identity: 0, argument: 0.5,
        "Strength: factor for the difference."),
      Parameter(
        "threshold", \.threshold, unit: .fraction, in: 0...1, ui: 0...0.2,
        "Smallest difference that is sharpened."),
    ])

  public var sigma = 2.0
  public var amount = 0.0
  public var threshold = 0.0

  public init() {}

  /// Creates the filter.
  public init(sigma: Double, amount: Double) { (self.sigma, self.amount) = (sigma, amount) }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    var mask = UnsharpMask(sigma: sigma, amount: amount)
    mask.threshold = threshold
    mask.channels = .luma
    return mask.lowered(in: context)
  }
}
