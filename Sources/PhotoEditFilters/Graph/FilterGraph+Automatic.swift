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

  /// Indicates whether a node corrects the lens.
  package var correctsLens: Bool { nodes.contains { $0.filter == Lens.schema.name } }

  /// Adds the correction of a lens before all other nodes.
  package mutating func insertFirst(_ lens: Lens) throws(GraphEditError) {
    let id = try translating({ GraphEditError.parameter($0) }) { () throws(ParameterError) in
      try append(lens)
    }
    if nodes.count > 1 { try move(node: id, to: 0) }
  }

  /// Replaces the nodes of an earlier automatic adjustment, at the position of the first one, or
  /// appends the filters.
  ///
  /// A lens is corrected before everything else, whose pixels it moves, and once.
  ///
  /// - Throws: `GraphEditError`, such as for an earlier node that is the input of another node; the
  ///   graph is unchanged then.
  public mutating func apply(_ adjustment: AutomaticAdjustment) throws(GraphEditError) {
    var graph = self
    var filters = adjustment.filters
    if let lens = filters.first as? Lens {
      filters.removeFirst()
      try graph.insertFirst(lens)
    }
    let position = graph.nodes.firstIndex(where: \.isAutomatic)
    for node in graph.nodes where node.isAutomatic && !adjustment.keepsEarlier {
      try graph.remove(node: node.id)
    }
    for (offset, filter) in filters.enumerated() {
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
