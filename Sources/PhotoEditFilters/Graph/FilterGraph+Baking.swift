// SPDX-License-Identifier: Apache-2.0

/// A node that needs more than the colour of a pixel, so that no table of colours can hold it.
public struct BakingObstacle: Sendable, Hashable, CustomStringConvertible {
  /// The node's name.
  public let node: String
  /// Its filter.
  public let filter: String
  /// What it needs.
  public let reason: String

  /// "node 'n2' (gaussianBlur): it looks at neighbours".
  public var description: String { "node '\(node)' (\(filter)): \(reason)" }
}

extension FilterGraph {
  /// Every enabled node that a table of colours cannot hold; empty when one can hold the graph.
  ///
  /// Colours of a table are what the graph makes of them wherever a pixel lies and whatever lies
  /// around it. Filters whose output jumps are refused too: a table would make slopes of the jumps.
  public var bakingObstacles: [BakingObstacle] {
    needed.filter { $0.isEnabled && $0.opacity > 0 }.compactMap { node in
      node.bakingReason.map { BakingObstacle(node: node.id, filter: node.filter, reason: $0) }
    }
  }
}

extension FilterNode {
  /// Filters whose output jumps between two colours as near as can be.
  private static let jumping: Set = ["posterize", "threshold", "solarize"]

  fileprivate var bakingReason: String? {
    if mask != nil { return "it has a mask" }
    // What cannot be understood is an obstacle to rendering as well, and told there.
    guard let filter = try? resolved() else { return nil }
    if filter.isNeutral { return nil }
    let name = type(of: filter).description.name
    if Self.jumping.contains(name) { return "its output jumps" }
    return switch type(of: filter).description.family {
    case .curve, .color: nil
    case .geometry: "it moves pixels"
    case .position: "it depends on where a pixel lies"
    case .neighbourhood: "it looks at neighbours"
    case .statistics: "it depends on the whole picture"
    case .compositing: "it needs a second picture"
    case .mask: "it is a mask"
    case .movie: "it works on movies"
    }
  }
}
