// SPDX-License-Identifier: Apache-2.0

extension FilterGraph {
  /// Appends another graph that is applied to the result of this one.
  ///
  /// Identifiers of nodes and names of attachments that are taken are replaced. The source and the
  /// background of the other graph are ignored.
  ///
  /// - Throws: `GraphEditError`; the graph is unchanged then.
  public mutating func append(_ other: FilterGraph) throws(GraphEditError) {
    if let unsupported = other.blockingReasons.first { throw .unsupported(unsupported) }
    var graph = self
    var assetNames: [String: String] = [:]
    for (name, asset) in other.assets.sorted(by: { $0.key < $1.key }) {
      assetNames[name] = try graph.addAsset(asset, named: name)
    }
    let source = resultNode
    var names: [String: String] = [:]
    for node in other.nodes {
      let name = graph.freeName(node.id)
      var added = FilterNode(
        id: name, filter: node.filter, version: node.version,
        parameters: node.parameters(renamingAssets: assetNames))
      added.isEnabled = node.isEnabled
      added.opacity = node.opacity
      added.blend = node.blend
      added.unknown = node.unknown
      added.mask = node.mask.flatMap { names[$0] }
      added.inputs = node.inputs.map { inputs in
        inputs.map { names[$0] ?? source ?? Self.sourceName }
      }
      // The first node continues from the result, which need not be the preceding node.
      if node.inputs == nil, node.requiredInputs == .image, other.isFirst(node), outputNode != nil,
        let source
      {
        added.inputs = [source]
      }
      names[node.id] = name
      graph.nodes.append(added)
    }
    if outputNode != nil || other.outputNode != nil {
      graph.outputNode = other.resultNode.flatMap { names[$0] } ?? source
    }
    try graph.checkCount()
    self = graph
  }

  /// Returns whether only the source image precedes a node.
  private func isFirst(_ node: FilterNode) -> Bool {
    previousImages[node.id] == Self.sourceName
  }

  private func freeName(_ preferredName: String) -> String {
    let usedIDs = Set(nodes.map(\.id))
    if !usedIDs.contains(preferredName) && preferredName != Self.sourceName {
      return preferredName
    }
    var number = nodes.count + 1
    while usedIDs.contains("n\(number)") { number += 1 }
    return "n\(number)"
  }
}

extension FilterNode {
  /// Returns the parameters with renamed attachments.
  fileprivate func parameters(renamingAssets names: [String: String]) -> [String: JSONValue] {
    guard let description = FilterCatalog.type(named: filter)?.description else {
      return parameters
    }
    var renamed = parameters
    for entry in description.parameters {
      if case .asset = entry.type, case .string(let name)? = parameters[entry.name],
        let other = names[name]
      {
        renamed[entry.name] = .string(other)
      }
    }
    return renamed
  }
}
