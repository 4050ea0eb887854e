// SPDX-License-Identifier: Apache-2.0

/// A filter that is a frozen chain of other filters, of which any share can be used.
///
/// The chain is part of the definition: other parameters would be another version.
protocol Look: Filter {
  /// The chain, each filter with every parameter that it needs.
  static var recipe: [any Filter] { get }
  /// How much of the look is used, 0 to 1.
  var amount: Double { get set }
}

extension Look {
  /// The declaration of a look: all have one parameter.
  static func lookSchema(
    _ name: String, _ summary: String, formula: String, peer: String
  ) -> FilterSchema<Self> {
    FilterSchema(
      "look." + name, summary, aliases: [name], peers: "Core Image \(peer), by its description",
      formula: formula, source: "frozen chain of this catalogue's filters, encoded",
      family: .color, tolerance: "T1, as its parts",
      parameters: [
        Parameter(
          "amount", \.amount, unit: .fraction, in: 0...1, neutral: 0, argument: 1,
          "How much of the look is used.")
      ])
  }

  public func lowered(in context: LoweringContext) throws(ParameterError) -> [FilterOperation] {
    if isNeutral { return [] }
    var operations: [FilterOperation] = []
    for filter in Self.recipe { operations += try filter.lowered(in: context) }
    return amount == 1 ? operations : [.save] + operations + [.mix(opacity: amount)]
  }

  /// A monotone curve through points.
  static func curve(_ points: [(Double, Double)], _ target: Curve.Target = .master) -> Curve {
    var curve = Curve(points.map { CurvePoint($0, $1) })
    curve.target = target
    return curve
  }

  /// Levels that leave out the darkest and brightest output.
  static func levels(_ black: Double, _ white: Double) -> Levels {
    var levels = Levels()
    levels.outBlack = black
    levels.outWhite = white
    return levels
  }
}
