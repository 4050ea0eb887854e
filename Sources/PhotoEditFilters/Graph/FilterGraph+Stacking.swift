// SPDX-License-Identifier: Apache-2.0

extension FilterGraph {
  /// Adds another graph behind this one's result: what it did to a picture it does to the result.
  ///
  /// Names of nodes and assets that are taken get new ones. The source and the background of the
  /// other graph say nothing here.
  ///
  /// - Throws: `GraphEditError`; nothing has changed then.
  public mutating func append(_ other: FilterGraph) throws(GraphEditError) {
    if let obstacle = other.obstacles.first { throw .obstacle(obstacle) }
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
      // The first node goes on from the result, which need not be the node before it.
      if node.inputs == nil, node.wanted == .picture, other.isFirst(node), outputNode != nil,
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

  /// Whether no picture comes before a node but the source.
  private func isFirst(_ node: FilterNode) -> Bool {
    previousPictures[node.id] == Self.sourceName
  }

  private func freeName(_ wanted: String) -> String {
    let taken = Set(nodes.map(\.id))
    if !taken.contains(wanted) && wanted != Self.sourceName { return wanted }
    var number = nodes.count + 1
    while taken.contains("n\(number)") { number += 1 }
    return "n\(number)"
  }
}

extension FilterNode {
  /// The parameters with other names of assets.
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
