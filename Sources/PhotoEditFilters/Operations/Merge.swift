// SPDX-License-Identifier: Apache-2.0

/// Two pictures become one: the picture below and one that is laid over it.
public struct Merge: Sendable, Hashable {
  /// What becomes of two colours.
  public enum Rule: Sendable, Hashable {
    /// A blend mode; where there is alpha, source-over.
    case blend(BlendMode)
    /// Noise n, added as x + amount·4Y(1 − Y)·n with the luma Y of BT.601.
    case grain(amount: Double)
    /// Two coverages a and b.
    case coverage(CoverageRule)
    /// The picture above takes the place of the one below, with its alpha.
    case exchange
  }

  /// The picture that is laid over.
  public enum Above: Sendable, Hashable {
    /// The one that was worked on since the last `save`.
    case top
    /// What the second name of the node's `in` stands for.
    case secondInput
    /// Another part of a lowered graph.
    case part(Int)
  }

  /// What becomes of two colours.
  public var rule: Rule
  /// The picture that is laid over.
  public var above: Above
  /// How much of the effect is used, 0 to 1.
  public var opacity = 1.0
  /// The part of a lowered graph that says how much of it is used at each pixel.
  public var mask: Int?

  /// Makes a merge.
  public init(_ rule: Rule, above: Above, opacity: Double = 1, mask: Int? = nil) {
    self.rule = rule
    self.above = above
    self.opacity = opacity
    self.mask = mask
  }

  /// The parts of the graph that it reads, in the order of a stage's sides.
  package var parts: [Int] {
    var parts: [Int] = []
    if case .part(let index) = above { parts.append(index) }
    if let mask { parts.append(mask) }
    return parts
  }
}

/// How two masks become one.
public enum CoverageRule: String, Sendable, Hashable, CaseIterable {
  /// 1 − (1 − a)(1 − b).
  case add
  /// a·b.
  case multiply
  /// a·(1 − b).
  case subtract

  /// The coverage in double precision.
  public func callAsFunction(_ a: Double, _ b: Double) -> Double {
    switch self {
    case .add: 1 - (1 - a) * (1 - b)
    case .multiply: a * b
    case .subtract: a * (1 - b)
    }
  }
}

/// Something made besides the picture and laid over it.
public struct Layer: Sendable, Hashable {
  /// What it begins with.
  public enum Source: Sendable, Hashable {
    /// A picture that belongs to the recipe.
    case picture(AssetPicture)
    /// A value for every pixel, worked out from its place.
    case coverage(Coverage)
    /// The picture that the node works on.
    case input
  }

  /// What it begins with.
  public var source: Source
  /// What is done with that; the result has the size of the picture.
  public var operations: [FilterOperation]
  /// What becomes of the picture and the layer.
  public var rule: Merge.Rule
  /// How much of the layer is used at each pixel; nil uses all of it.
  public var coverage: Coverage?

  /// Makes a layer.
  public init(
    _ source: Source, _ operations: [FilterOperation] = [], rule: Merge.Rule,
    coverage: Coverage? = nil
  ) {
    self.source = source
    self.operations = operations
    self.rule = rule
    self.coverage = coverage
  }
}
