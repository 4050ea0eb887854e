// SPDX-License-Identifier: Apache-2.0
import PhotoEdit

/// A filter that PhotoEdit does not have: it brightens light colors more than dark ones.
struct Glow: Filter {
  static let schema = FilterSchema<Self>(
    "com.example.glow", "Brightens light colors.", equivalents: "none",
    formula: "x + amount·x²", source: "none", dependency: .color, tolerance: "T1",
    parameters: [Parameter("amount", \.amount, in: 0...1, identity: 0, "Strength of the glow.")])

  var amount = 0.0

  func lowered(in context: LoweringContext) throws(ParameterError) -> [FilterOperation] {
    if amount == 0 { return [] }
    let side = 17
    let entries = (0..<side * side * side).map { i in
      let color =
        SIMD3<Float>(Float(i % side), Float(i / side % side), Float(i / side / side))
        / Float(side - 1)
      return color + Float(amount) * color * color
    }
    do {
      return [.map(PixelMap(try ColorLUT3D(size: side, entries: entries)))]
    } catch {
      throw .conflict(filter: Self.schema.name, reason: "\(error)")
    }
  }
}
