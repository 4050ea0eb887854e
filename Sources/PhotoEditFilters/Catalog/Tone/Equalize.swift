// SPDX-License-Identifier: Apache-2.0

public struct Equalize: Filter {
  /// The quantity whose histogram is equalized.
  public enum Target: String, Sendable, Hashable, CaseIterable {
    /// The luma of BT.601; color differences are preserved.
    case luma
  }

  public static let schema = FilterSchema<Self>(
    "equalize", "Equalizes the histogram.",
    aliases: ["histogramEqualization"],
    equivalents: "OpenCV equalizeHist; ImageMagick -equalize; libvips hist_equal; ffmpeg histeq",
    formula: "Y' = round((cdf(Y) − h₀)·255/(N − h₀)), h₀ the count of the lowest level; x + Y' − Y",
    source: "OpenCV equalizeHist on BT.601 luma", dependency: .statistics, tolerance: "E1",
    parameters: [Parameter("channel", \.channel, "What to equalize.")])

  public var channel = Target.luma

  public init() {}

  public func lowered(in context: LoweringContext) -> [FilterOperation] { [.adapt(.equalize)] }
}
