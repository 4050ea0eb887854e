// SPDX-License-Identifier: Apache-2.0

/// The combination of two images: the image below and one composited over it.
public struct Composite: Sendable, Hashable {
  /// The rule for combining two colors.
  public enum Rule: Sendable, Hashable {
    /// A blend mode; with alpha, source-over.
    case blend(BlendMode)
    /// Noise n, added as x + amount·4Y(1 − Y)·n with the luma Y of BT.601.
    case grain(amount: Double)
    /// Two masks a and b.
    case mask(MaskCombination)
    /// The image above replaces the one below, including alpha.
    case exchange
  }

  /// The image that is composited over.
  public enum Above: Sendable, Hashable {
    /// The image processed since the last `save`.
    case top
    /// The second input named in the node's `in`.
    case secondInput
    /// Another part of a lowered graph.
    case part(Int)
  }

  /// The rule for combining two colors.
  public var rule: Rule
  /// The image that is composited over.
  public var above: Above
  /// The opacity of the effect, 0 to 1.
  public var opacity = 1.0
  /// The part of a lowered graph that is the mask of the effect.
  public var mask: Int?

  /// Creates a merge.
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

/// The rule for combining two masks.
public enum MaskCombination: String, Sendable, Hashable, CaseIterable {
  /// 1 − (1 − a)(1 − b).
  case add
  /// a·b.
  case multiply
  /// a·(1 − b).
  case subtract

  /// Returns the combined mask value in double precision.
  public func callAsFunction(_ a: Double, _ b: Double) -> Double {
    switch self {
    case .add: 1 - (1 - a) * (1 - b)
    case .multiply: a * b
    case .subtract: a * (1 - b)
    }
  }
}

/// An image generated in addition to the main image and composited over it.
public struct Layer: Sendable, Hashable {
  /// The input of a layer.
  public enum Source: Sendable, Hashable {
    /// An image attached to the graph.
    case image(AttachmentImage)
    /// A value for every pixel, computed from its position.
    case mask(MaskGenerator)
    /// The input image of the node.
    case input
  }

  /// The input.
  public var source: Source
  /// The operations applied to the input; the result has the size of the image.
  public var operations: [FilterOperation]
  /// The rule for combining the image and the layer.
  public var rule: Composite.Rule
  /// The mask of the layer; nil uses all of it.
  public var mask: MaskGenerator?

  /// Creates a layer.
  public init(
    _ source: Source, _ operations: [FilterOperation] = [], rule: Composite.Rule,
    mask: MaskGenerator? = nil
  ) {
    self.source = source
    self.operations = operations
    self.rule = rule
    self.mask = mask
  }
}
