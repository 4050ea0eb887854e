// SPDX-License-Identifier: Apache-2.0

extension FilterGraph {
  /// Whether this graph is another one with its last nodes once more behind it.
  package func repeatsEnd(of other: FilterGraph) -> Bool {
    let added = nodes.count - other.nodes.count
    guard added > 0, added <= other.nodes.count, nodes.starts(with: other.nodes) else {
      return false
    }
    return zip(other.nodes.suffix(added), nodes.suffix(added)).allSatisfy { $0.doesTheSame(as: $1) }
  }

  /// Whether two graphs are the same recipe, whatever photos they were made for.
  package func isSameRecipe(as other: FilterGraph) -> Bool {
    var graphs = [self, other]
    for index in graphs.indices {
      graphs[index].source = nil
      graphs[index].removeUnusedAssets()
    }
    return graphs[0].canonicalBytes() == graphs[1].canonicalBytes()
  }
}

extension FilterNode {
  /// Whether another node does the same to what it is given, whatever both are called.
  fileprivate func doesTheSame(as other: FilterNode) -> Bool {
    filter == other.filter && version == other.version && parameters == other.parameters
      && isEnabled == other.isEnabled && opacity == other.opacity && blend == other.blend
      && mask == other.mask
  }
}
