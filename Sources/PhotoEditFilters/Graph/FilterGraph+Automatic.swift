// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

extension FilterNode {
  /// Indicates whether an automatic adjustment added it, which the next one replaces.
  public internal(set) var isAutomatic: Bool {
    get { unknown["ext"]?["auto"] == .number(1) }
    set {
      var fields = unknown["ext"]?.objectValue ?? [:]
      fields["auto"] = newValue ? .number(1) : nil
      unknown["ext"] = fields.isEmpty ? nil : .object(fields)
    }
  }
}

extension FilterGraph {
  /// The graph whose result an automatic adjustment measures: the nodes before those that an
  /// earlier adjustment added, or all nodes.
  public var beforeAutomaticNodes: FilterGraph {
    guard let index = nodes.firstIndex(where: \.isAutomatic) else { return self }
    var graph = self
    graph.nodes.removeSubrange(index...)
    if let outputNode, !graph.nodes.contains(where: { $0.id == outputNode }) {
      graph.outputNode = nil
    }
    return graph
  }

  /// Replaces the nodes of an earlier automatic adjustment, at the position of the first one, or
  /// appends the filters.
  ///
  /// - Throws: `GraphEditError`, such as for an earlier node that is the input of another node; the
  ///   graph is unchanged then.
  public mutating func apply(_ adjustment: AutomaticAdjustment) throws(GraphEditError) {
    var graph = self
    let position = graph.nodes.firstIndex(where: \.isAutomatic)
    for node in graph.nodes where node.isAutomatic { try graph.remove(node: node.id) }
    for (offset, filter) in adjustment.filters.enumerated() {
      let id = try translating({ GraphEditError.parameter($0) }) { () throws(ParameterError) in
        try graph.append(filter)
      }
      graph.nodes[graph.nodes.count - 1].isAutomatic = true
      if let position, position + offset < graph.nodes.count - 1 {
        try graph.move(node: id, to: position + offset)
      }
    }
    try graph.checkCount()
    self = graph
  }
}
