// SPDX-License-Identifier: Apache-2.0
public import PhotoEditStorage

/// An error of editing a graph.
public enum GraphEditError: PhotoEditError, Hashable {
  /// No node has that identifier.
  case unknownNode(String, known: [String])
  /// Another node takes its input from this one.
  case nodeInUse(String, by: String)
  /// The node is a mask of a group, which has the given other masks.
  case memberOfGroup(String, group: String, others: [String])
  /// The position is outside the graph.
  case invalidPosition(Int, count: Int)
  /// The graph already has the maximum number of nodes.
  case tooManyNodes(Int)
  /// The graph already has the maximum number of attachments.
  case tooManyAssets(Int)
  /// The node's filter rejects a parameter.
  case parameter(ParameterError)
  /// The node is not recognized, so its parameters cannot be changed.
  case unsupported(UnsupportedNode)

  /// The class and the name of the failure.
  public var facts: FailureFacts { FailureFacts(.invalidEdit, "graph") }

  /// One sentence with the allowed values.
  public var description: String {
    switch self {
    case .unknownNode(let id, let known):
      "unknown node '\(id)'; "
        + (known.isEmpty
          ? "the edit has no nodes" : "valid nodes: \(known.joined(separator: ", "))")
    case .nodeInUse(let id, let user):
      "node '\(id)' is used as an input of node '\(user)' and cannot be removed"
    case .memberOfGroup(let id, let group, let others):
      "mask '\(id)' is a member of group '\(group)'; "
        + (others.isEmpty
          ? "remove the group first"
          : "set \(group).in=\(others.joined(separator: ":")) first, or remove the group")
    case .invalidPosition(let position, let count):
      "invalid index \(position) (allowed: 0–\(max(0, count - 1)))"
    case .tooManyNodes(let count):
      "the edit would have \(count) nodes (maximum: \(FilterGraph.maximumNodes))"
    case .tooManyAssets(let count):
      "the edit would have \(count) attachments (maximum: \(FilterGraph.maximumAssets))"
    case .parameter(let error): "\(error)"
    case .unsupported(let unsupported): "\(unsupported)"
    }
  }
}

extension FilterGraph {
  /// Sets a parameter from its command-line notation; `in` is the inputs, separated by colons.
  ///
  /// A node is identified by its id, or by its filter's name if only one node has that filter.
  public mutating func set(
    node name: String, parameter: String, argument: String
  ) throws(GraphEditError) {
    let index = try index(of: name)
    if parameter == "in" {
      let names = argument.split(separator: ":").map(String.init)
      return try setInputs(ofNodeAt: index, to: names)
    }
    if parameter == "mask", !argument.isEmpty,
      !nodes[..<index].contains(where: { $0.id == argument })
    {
      throw .unknownNode(argument, known: nodes[..<index].map { "\($0.id) (\($0.filter))" })
    }
    do {
      nodes[index] = try nodes[index].setting(parameter, argument: argument)
    } catch let error as ParameterError {
      throw .parameter(error)
    } catch let error as UnsupportedNode {
      throw .unsupported(error)
    } catch {
      preconditionFailure("unexpected error from setting a parameter")
    }
  }

  /// The kind of attachment that the filter of a node draws; nil for a filter without one.
  package func attachmentKind(ofNode name: String) throws(GraphEditError) -> AttachmentKind? {
    nodes[try index(of: name)].content.type?.description.attachmentKind
  }

  /// Replaces the attachment of a node, and defaults that follow from it.
  ///
  /// - Parameter preferred: The name of the attachment, unless another one has it.
  package mutating func set(
    node name: String, attachment: GraphAttachment, named preferred: String
  ) throws(GraphEditError) {
    let index = try index(of: name)
    let asset = try addAsset(attachment, named: preferred)
    try set(node: name, parameter: "asset", argument: asset)
    var filter = try translating(GraphEditError.unsupported, nodes[index].resolved())
    filter.complete(given: ["asset"])
    nodes[index].content = NodeContent(filter)
    removeUnusedAssets()
  }

  /// Upgrades a node to the newest version of its filter; pixels may change.
  ///
  /// - Returns: `true` if there was a newer version.
  @discardableResult
  public mutating func upgrade(node name: String) throws(GraphEditError) -> Bool {
    let index = try index(of: name)
    let filter = try translating(GraphEditError.unsupported, nodes[index].resolved())
    guard let newest = filter.upgradedToNewest() else { return false }
    nodes[index].content = NodeContent(newest)
    return true
  }

  /// Writes out every parameter of the recognized nodes, so that later changes of defaults have no
  /// effect.
  public mutating func writeDefaults() {
    for index in nodes.indices { nodes[index].content = nodes[index].content.withDefaults }
  }

  /// Removes a node.
  public mutating func remove(node name: String) throws(GraphEditError) {
    let index = try index(of: name)
    let id = nodes[index].id
    if let user = nodes.first(where: { $0.inputs?.contains(id) == true || $0.mask == id }) {
      throw removalError(of: id, usedBy: user)
    }
    let before = index > 0 ? nodes[index - 1].id : nil
    let removed = nodes.remove(at: index)
    // The node that followed takes over the input of the removed node.
    if let inputs = removed.inputs, index < nodes.count, nodes[index].inputs == nil {
      nodes[index].inputs = inputs
    }
    if outputNode == id { outputNode = removed.inputs == nil ? before : removed.inputs?.first }
  }

  /// Moves a node to a position, counted from 0 after its removal.
  public mutating func move(node name: String, to position: Int) throws(GraphEditError) {
    let index = try index(of: name)
    guard nodes.indices.contains(position) else {
      throw .invalidPosition(position, count: nodes.count)
    }
    var moved = nodes
    moved.insert(moved.remove(at: index), at: position)
    for (offset, node) in moved.enumerated() {
      let earlier = Set(moved[..<offset].map(\.id))
      for input in (node.inputs ?? []) + [node.mask].compactMap({ $0 })
      where !earlier.contains(input) && input != Self.sourceName {
        throw .nodeInUse(input, by: node.id)
      }
    }
    nodes = moved
  }

  /// Enables or disables a node.
  public mutating func setEnabled(_ isEnabled: Bool, node name: String) throws(GraphEditError) {
    nodes[try index(of: name)].isEnabled = isEnabled
  }

  /// Checks the maximum number of nodes after appending.
  package func checkCount() throws(GraphEditError) {
    if nodes.count > Self.maximumNodes { throw .tooManyNodes(nodes.count) }
  }

  private func index(of name: String) throws(GraphEditError) -> Int {
    if let index = nodes.firstIndex(where: { $0.id == name }) { return index }
    let same = nodes.indices.filter { nodes[$0].filter == name }
    guard same.count == 1 else {
      throw .unknownNode(name, known: nodes.map { "\($0.id) (\($0.filter))" })
    }
    return same[0]
  }
}

extension FilterNode {
  /// Returns the node with one parameter changed; every node has `opacity`.
  fileprivate func setting(_ parameter: String, argument: String) throws -> FilterNode {
    var node = self
    if parameter == "opacity" {
      guard let value = Double(argument), (0...1).contains(value) else {
        throw ParameterError.invalidValue(
          filter: filter, parameter: parameter, value: "'\(argument)'", allowed: "0…1")
      }
      node.opacity = value.rounded(significantDigits: 9)
      return node
    }
    if parameter == "mask" || parameter == "blend" {
      // An empty argument removes the mask or restores the normal blend mode.
      let name = argument.isEmpty ? nil : argument
      if parameter == "blend", let name, BlendMode(rawValue: name) == nil {
        throw ParameterError.invalidValue(
          filter: filter, parameter: parameter, value: "'\(name)'",
          allowed: BlendMode.allCases.map(\.rawValue).joined(separator: ", "))
      }
      if parameter == "mask" { node.mask = name } else { node.blend = name }
      return node
    }
    var filter = try resolved()
    try filter.set(parameter, argument: argument)
    try filter.check()
    node.content = NodeContent(filter)
    return node
  }

  /// The first feature of the node, apart from its filter, that this version cannot render.
  var unsupported: UnsupportedNode? {
    if opacity > 0 && opacity < 1,
      content.type?.dependency == .geometry
    {
      return UnsupportedNode(node: id, .unsupported("opacity on a geometric filter"))
    }
    return nil
  }
}
