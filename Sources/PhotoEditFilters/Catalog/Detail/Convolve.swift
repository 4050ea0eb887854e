// SPDX-License-Identifier: Apache-2.0
public struct Convolve: Filter {
  public static let schema = FilterSchema<Self>(
    "convolve", "Applies a convolution kernel.",
    equivalents: """
      Core Image CIConvolution3X3 and 5X5; SVG feConvolveMatrix (which rotates the kernel 180°); \
      ImageMagick -morphology Convolve; OpenCV filter2D
      """,
    formula: "Σ kernel(i, j)·in(x + i, y + j)/divisor + bias: a correlation",
    source: "OpenCV filter2D with BORDER_REPLICATE",
    dependency: .neighborhood, tolerance: "E1",
    parameters: [
      Parameter(
        "kernel", \.kernel, counts: [9, 25, 49], in: -1000...1000,
        "Weights of 3×3, 5×5 or 7×7 pixels, row by row."),
      Parameter(
        "divisor", \.divisor, in: -1_000_000...1_000_000, ui: 0...100,
        "Divisor of the sums; 0 uses the sum of the weights, or 1 if that is 0."),
      Parameter("bias", \.bias, in: -1...1, "Offset added to the result."),
    ])

  public var kernel: [Double] = [0, 0, 0, 0, 1, 0, 0, 0, 0]
  public var divisor = 0.0
  public var bias = 0.0

  public init() {}

  /// Creates the filter.
  public init(kernel: [Double], divisor: Double = 0, bias: Double = 0) {
    (self.kernel, self.divisor, self.bias) = (kernel, divisor, bias)
  }

  public func validate() throws(ParameterError) {
    if divisor != 0 && abs(divisor) < 0.001 {
      throw .invalidValue(
        filter: Self.schema.name, parameter: "divisor", value: "\(divisor)",
        allowed: "0, or a number with an absolute value of at least 0.001")
    }
  }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    let sum = Correlation(kernel).sum
    let divisor = divisor != 0 ? divisor : sum != 0 ? sum : 1
    return [
      .area(.neighborhood(.correlation(Correlation(kernel.map { $0 / divisor }, bias: bias))))
    ]
  }
}
