// SPDX-License-Identifier: Apache-2.0

public struct MaskGroup: Filter {
  public static let schema = FilterSchema<Self>(
    "mask.group", "Combines masks in order.",
    equivalents: "Lightroom masks of several components; darktable groups of shapes",
    formula: """
      in order, with b = a or 1 − a of each mask a and its opacity o: add 1 − (1 − m)(1 − o·b), \
      subtract m·(1 − o·b), intersect m·(1 − o·(1 − b)); at first, m is 0 if the first mask is added, \
      otherwise 1
      """,
    source: "coverage algebra, Porter and Duff 1984", dependency: .mask, inputs: .masks,
    tolerance: "F",
    parameters: [
      Parameter(
        "members", \.members, count: 0...maximum,
        """
        One member for each mask, in their order: its operation, and possibly its opacity, \
        "invert" and a name; without members, all masks are added.
        """)
    ])

  /// The maximum number of masks.
  public static let maximum = FilterInputs.masks.counts.upperBound

  /// One member for each mask, in the order of the node's inputs; empty adds all of them.
  public var members: [MaskMember] = []

  public init() {}

  /// Creates the filter.
  public init(_ members: [MaskMember]) { self.members = members }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    members.map { member in
      var merge = Composite(.mask(member.operation.combination), above: .secondInput)
      (merge.opacity, merge.isInverted) = (member.opacity, member.isInverted)
      return .merge(merge)
    }
  }
}

extension MaskMember.Operation {
  /// The rule by which the mask is combined with those before it.
  fileprivate var combination: MaskCombination {
    switch self {
    case .add: .add
    case .subtract: .subtract
    case .intersect: .multiply
    }
  }
}
