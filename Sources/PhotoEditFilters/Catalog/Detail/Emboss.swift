// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

public struct Emboss: Filter {
  public static let schema = FilterSchema<Self>(
    "emboss", "Applies an emboss effect.",
    equivalents: "ImageMagick -emboss; ffmpeg convolution; Pillow EMBOSS",
    formula: """
      in + strength·√2·Σ (i·cos φ + j·sin φ)·in(x + i, y + j), i and j from −1 to 1, \
      φ = 45° + angle: at angle 0 the kernel −2 −1 0, −1 1 1, 0 1 2
      """,
    source: "a kernel as in convolve",
    dependency: .neighborhood, tolerance: "F",
    parameters: [
      Parameter(
        "angle", \.angle, unit: .degrees, in: -180...180,
        "Direction of the light, clockwise; 0 points to the lower right."),
      Parameter("strength", \.strength, in: 0...10, ui: 0...3, "Height of the relief."),
    ])

  public var angle = 0.0
  public var strength = 1.0

  public init() {}

  /// Creates the filter.
  public init(angle: Double, strength: Double = 1) {
    (self.angle, self.strength) = (angle, strength)
  }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    let direction = (45 + angle) * .pi / 180
    let across = strength * 2.0.squareRoot() * cos(direction)
    let down = strength * 2.0.squareRoot() * sin(direction)
    var weights: [Double] = []
    for j in [-1.0, 0, 1] {
      for i in [-1.0, 0, 1] { weights.append(i * across + j * down) }
    }
    weights[4] = 1
    return [.area(.neighborhood(.correlation(Correlation(weights))))]
  }
}
