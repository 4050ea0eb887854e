// SPDX-License-Identifier: Apache-2.0
public struct Threshold: Filter {
  /// The method that determines the threshold.
  public enum Method: String, Sendable, Hashable, CaseIterable {
    /// The given number.
    case fixed
    /// Otsu's method: the level that best separates the pixels of the image into two groups.
    case otsu
  }

  public static let schema = FilterSchema<Self>(
    "threshold", "Converts to black and white at a threshold.",
    equivalents: "OpenCV threshold; ImageMagick -threshold; Core Image CIColorThreshold",
    formula: "0.299 R + 0.587 G + 0.114 B > level ? 1 : 0",
    source: "OpenCV THRESH_BINARY and THRESH_OTSU on ITU-T T.871 luma; Otsu 1979",
    dependency: .statistics,
    tolerance: "E1",
    parameters: [
      Parameter("method", \.method, "How to choose the level; otsu derives it from the image."),
      Parameter(
        "level", \.level, unit: .fraction, in: 0...1,
        "Brightest luma mapped to black (method fixed)."),
    ])

  public var method = Method.fixed
  public var level = 0.5

  public init() {}

  /// Creates the filter.
  public init(level: Double) { self.level = level }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if method == .otsu { return [.adapt(.separate)] }
    return [.matrix(.sum(LumaWeights.rec601)), .curves(.init(.init([.threshold(level)])))]
  }
}
