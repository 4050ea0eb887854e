// SPDX-License-Identifier: Apache-2.0

extension FilterGraph {
  /// The graph as a look, which is the same for all images and however its attachments are stored.
  ///
  /// It has no source, no unused attachments, and no embedded contents of attachments. The digest
  /// of a look identifies it in reports and in results.
  public var look: FilterGraph {
    var look = self
    look.source = nil
    look.removeUnusedAssets()
    for name in look.assets.keys { look.assets[name]?.data = nil }
    return look
  }

  /// The enabled nodes that a lookup table cannot represent; empty if the graph can be baked.
  ///
  /// A table maps each color to one result, independent of the position and the surroundings of a
  /// pixel. Filters with discontinuous output are rejected too, because a table would smooth the
  /// jumps.
  public var unbakeableNodes: [NotBakeable] {
    needed.filter { $0.isEnabled && $0.opacity > 0 }.compactMap { node in
      node.bakingReason.map { NotBakeable(node: node.id, filter: node.filter, reason: $0) }
    }
  }

  /// Returns whether this graph is another one with its last nodes repeated.
  package func repeatsEnd(of other: FilterGraph) -> Bool {
    let added = nodes.count - other.nodes.count
    guard added > 0, added <= other.nodes.count, nodes.starts(with: other.nodes) else {
      return false
    }
    return zip(other.nodes.suffix(added), nodes.suffix(added)).allSatisfy {
      $0.hasSameEffect(as: $1)
    }
  }

  /// Returns whether two graphs have the same effect, regardless of the photos they were created
  /// for.
  package func hasSameEffect(as other: FilterGraph) -> Bool {
    var graphs = [self, other]
    for index in graphs.indices {
      graphs[index].source = nil
      graphs[index].removeUnusedAssets()
    }
    return graphs[0].canonicalBytes() == graphs[1].canonicalBytes()
  }
}

/// A node that depends on more than the color of a pixel and cannot be baked into a lookup table.
public struct NotBakeable: Sendable, Hashable, CustomStringConvertible {
  /// The identifier of the node.
  public let node: String
  /// The filter of the node.
  public let filter: String
  /// The requirement that prevents baking.
  public let reason: String

  /// "node 'n2' (gaussianBlur)", followed by the reason.
  public var description: String { "node '\(node)' (\(filter)): \(reason)" }
}

extension FilterNode {
  /// Filters whose output jumps between two arbitrarily close colors.
  private static let jumping: Set = ["posterize", "threshold", "solarize"]

  fileprivate var bakingReason: String? {
    if mask != nil { return "it has a mask" }
    // Unrecognized nodes also prevent rendering, and are reported there.
    guard let filter = try? resolved() else { return nil }
    if filter.isIdentity { return nil }
    let name = type(of: filter).description.name
    if Self.jumping.contains(name) { return "its output is discontinuous" }
    // On areas of a single color, these are maps of colors.
    if filter is ColorMixer || filter is BlackWhite { return nil }
    return switch type(of: filter).description.dependency {
    case .curve, .color: nil
    case .geometry: "it moves pixels"
    case .position: "it depends on the pixel position"
    case .neighborhood: "it reads neighboring pixels"
    case .statistics: "it depends on the whole image"
    case .compositing: "it needs a second image"
    case .mask: "it is a mask"
    case .movie: "it applies to videos only"
    }
  }

  /// Returns whether another node has the same effect on its input, regardless of identifiers.
  fileprivate func hasSameEffect(as other: FilterNode) -> Bool {
    content == other.content && isEnabled == other.isEnabled && opacity == other.opacity
      && blend == other.blend && mask == other.mask
  }
}
