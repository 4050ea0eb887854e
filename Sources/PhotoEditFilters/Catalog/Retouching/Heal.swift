// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

public struct Heal: Filter {
  /// The treatment of the copied pixels.
  public enum Mode: String, Sendable, Hashable, CaseIterable {
    /// They take on the brightness and color of what surrounds the spot.
    case heal
    /// They stay as they are.
    case clone
  }

  public static let schema = FilterSchema<Self>(
    "heal", "Replaces spots by other places of the image.",
    equivalents: "Lightroom Remove (Heal, Clone); OpenCV seamlessClone; darktable retouch",
    formula: """
      x + (1 − smoothstep(1 − feather, 1, d/radius))·(S + M − x), S the source; M the harmonic \
      function with x − S on the rim, from its first 256 harmonics, and 0 in mode clone
      """,
    source: "Pérez, Gangnet and Blake 2003, as OpenCV seamlessClone(NORMAL_CLONE) in a disc",
    dependency: .neighborhood, tolerance: "T2",
    parameters: [
      Parameter(
        "spots", \.spots, counts: (1...200).map { 5 * $0 }, in: 0...1,
        """
        Spots x:y:radius:sourceX:sourceY, one after another: the centers of the spot and of its \
        source as column and row, the radius as a fraction of the longer side.
        """),
      Parameter("mode", \.mode, "Adapt the source to the surroundings of the spot, or copy it."),
      Parameter(
        "feather", \.feather, unit: .fraction, in: 0...1,
        "Width of the transition inside the spot, as a fraction of the radius."),
    ])

  public var spots: [Double] = [0.5, 0.5, 0, 0.5, 0.5]
  public var mode = Mode.heal
  public var feather = 0.2

  public init() {}

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    let size = SIMD2(Double(context.size.width), Double(context.size.height))
    let pixels = stride(from: 0, to: spots.count, by: 5).compactMap { first -> Healing.Spot? in
      let center = SIMD2(spots[first], spots[first + 1])
      let offset = (SIMD2(spots[first + 3], spots[first + 4]) - center) * size
      let (x, y) = (Int(offset.x.rounded()), Int(offset.y.rounded()))
      let radius = spots[first + 2] * size.max()
      if radius == 0 || (x, y) == (0, 0) { return nil }
      return Healing.Spot(center: center * size, radius: radius, offset: SIMD2(x, y))
    }
    return Healing.steps(pixels, feather: feather, isSeamless: mode == .heal).map {
      .area(.healing($0))
    }
  }
}
