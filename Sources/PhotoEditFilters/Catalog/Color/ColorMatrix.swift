// SPDX-License-Identifier: Apache-2.0
public struct ColorMatrix: Filter {
  public static let schema = FilterSchema<Self>(
    "colorMatrix", "Applies a 3×3 color matrix with offsets.",
    aliases: ["channelMixer"],
    equivalents:
      "Core Image CIColorMatrix; SVG feColorMatrix; libvips recomb; ffmpeg colorchannelmixer",
    formula: "M·x + bias",
    source: "M·x + bias, encoded, straight alpha", dependency: .color, tolerance: "T1",
    parameters: [
      Parameter(
        "matrix", \.matrix, count: 9, in: -16...16, identity: [1, 0, 0, 0, 1, 0, 0, 0, 1],
        "Nine coefficients, row by row, for red, green and blue."),
      Parameter(
        "bias", \.bias, count: 3, in: -4...4, identity: [0, 0, 0],
        "Offsets for red, green and blue."),
      Parameter("monochrome", \.isMonochrome, "Use the first row for every channel."),
    ])

  public var matrix: [Double] = [1, 0, 0, 0, 1, 0, 0, 0, 1]
  public var bias: [Double] = [0, 0, 0]
  public var isMonochrome = false

  public init() {}

  /// Creates the filter from nine coefficients, row by row, and three offsets.
  public init(_ matrix: [Double], bias: [Double] = [0, 0, 0]) {
    (self.matrix, self.bias) = (matrix, bias)
  }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    if isIdentity && !isMonochrome { return [] }
    if isMonochrome {
      let row = Array(matrix[0..<3])
      return [.matrix(.init(rows: [row, row, row], bias: [bias[0], bias[0], bias[0]]))]
    }
    let rows = [Array(matrix[0..<3]), Array(matrix[3..<6]), Array(matrix[6..<9])]
    return [.matrix(.init(rows: rows, bias: bias))]
  }
}
