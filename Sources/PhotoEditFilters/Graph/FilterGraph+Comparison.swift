// SPDX-License-Identifier: Apache-2.0

extension FilterGraph {
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

extension FilterNode {
  /// Returns whether another node has the same effect on its input, regardless of identifiers.
  fileprivate func hasSameEffect(as other: FilterNode) -> Bool {
    filter == other.filter && version == other.version && parameters == other.parameters
      && isEnabled == other.isEnabled && opacity == other.opacity && blend == other.blend
      && mask == other.mask
  }
}
