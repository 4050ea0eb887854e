// SPDX-License-Identifier: Apache-2.0
public struct UnsharpMask: Filter {
  /// The channels that are sharpened.
  public enum Channels: String, Sendable, Hashable, CaseIterable {
    /// Each channel by itself.
    case rgb
    /// Only brightness (Rec. 601 luma).
    case luma
  }

  public static let schema = FilterSchema<Self>(
    "unsharpMask", "Sharpens with an unsharp mask.",
    aliases: ["unsharp", "sharpen"],
    equivalents: "Core Image CIUnsharpMask; ImageMagick -unsharp 0xσ+amount+threshold",
    formula: "x + amount·(x − G(x)) where |x − G(x)| > threshold",
    source: "x + amount·(x − G(x)) where |x − G(x)| > threshold, encoded; G as in gaussianBlur",
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
      Parameter("channels", \.channels, "Channels to sharpen."),
    ])

  public var sigma = 2.0
  public var amount = 0.0
  public var threshold = 0.0
  public var channels = Channels.rgb

  public init() {}

  /// Creates the filter.
  public init(sigma: Double, amount: Double) { (self.sigma, self.amount) = (sigma, amount) }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity { return [] }
    let sharpening = Sharpening(
      amount: amount, threshold: threshold, isLumaOnly: channels == .luma)
    return [.save, .blur(BlurKernel(gaussian: sigma * context.scale)), .sharpen(sharpening)]
  }
}
