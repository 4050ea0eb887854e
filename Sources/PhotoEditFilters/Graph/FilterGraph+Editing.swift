// SPDX-License-Identifier: Apache-2.0

/// A change of a graph that names something that is not there.
public enum GraphEditError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No node has that name.
  case unknownNode(String, known: [String])
  /// Another node takes its input from this one.
  case nodeInUse(String, by: String)
  /// The position is not in the graph.
  case invalidPosition(Int, count: Int)
  /// The graph has as many nodes as it may have.
  case tooManyNodes(Int)
  /// The graph has as many assets as it may have.
  case tooManyAssets(Int)
  /// A parameter that the node's filter refuses.
  case parameter(ParameterError)
  /// The node cannot be understood, so its parameters cannot be changed.
  case obstacle(GraphObstacle)

  /// One sentence with what would be allowed.
  public var description: String {
    switch self {
    case .unknownNode(let id, let known):
      "there is no node '\(id)'; "
        + (known.isEmpty
          ? "the edit has no nodes" : "the edit has \(known.joined(separator: ", "))")
    case .nodeInUse(let id, let user):
      "node '\(id)' cannot go: node '\(user)' takes its input from it"
    case .invalidPosition(let position, let count):
      "position \(position) is not in the edit; positions are 0…\(max(0, count - 1))"
    case .tooManyNodes(let count):
      "\(count) nodes; an edit has at most \(FilterGraph.maximumNodes)"
    case .tooManyAssets(let count):
      "\(count) assets; an edit has at most \(FilterGraph.maximumAssets)"
    case .parameter(let error): "\(error)"
    case .obstacle(let obstacle): "\(obstacle)"
    }
  }
}

extension FilterGraph {
  /// Changes a parameter, given in the spelling of the command line.
  ///
  /// A node may be named by its id, or by its filter's name when only one node has that filter.
  public mutating func set(
    node name: String, parameter: String, argument: String
  ) throws(GraphEditError) {
    let index = try index(of: name)
    if parameter == "mask", !argument.isEmpty,
      !nodes[..<index].contains(where: { $0.id == argument })
    {
      throw .unknownNode(argument, known: nodes[..<index].map { "\($0.id) (\($0.filter))" })
    }
    do {
      nodes[index] = try nodes[index].setting(parameter, argument: argument)
    } catch let error as ParameterError {
      throw .parameter(error)
    } catch let error as GraphObstacle {
      throw .obstacle(error)
    } catch {
      preconditionFailure("setting a parameter throws one of these two")
    }
  }

  /// Brings a node to the newest version of its filter; pixels may change.
  ///
  /// - Returns: Whether there was a newer version.
  @discardableResult
  public mutating func upgrade(node name: String) throws(GraphEditError) -> Bool {
    let index = try index(of: name)
    let filter: any Filter
    do throws(GraphObstacle) {
      filter = try nodes[index].resolved()
    } catch {
      throw .obstacle(error)
    }
    guard let newest = filter.upgradedToNewest() else { return false }
    let node = FilterNode(id: nodes[index].id, newest)
    nodes[index] = nodes[index].with(version: node.version, parameters: node.parameters)
    return true
  }

  /// Writes out every parameter of the nodes that are understood, so that later defaults change
  /// nothing.
  public mutating func writeDefaults() {
    for index in nodes.indices {
      guard let filter = try? nodes[index].resolved() else { continue }
      nodes[index].parameters = filter.values.mapValues(\.json)
    }
  }

  /// Takes a node out.
  public mutating func remove(node name: String) throws(GraphEditError) {
    let index = try index(of: name)
    let id = nodes[index].id
    if let user = nodes.first(where: { $0.inputs?.contains(id) == true || $0.mask == id }) {
      throw .nodeInUse(id, by: user.id)
    }
    let before = index > 0 ? nodes[index - 1].id : nil
    let removed = nodes.remove(at: index)
    // What came behind the node goes on from where the node itself went on.
    if let inputs = removed.inputs, index < nodes.count, nodes[index].inputs == nil {
      nodes[index].inputs = inputs
    }
    if outputNode == id { outputNode = removed.inputs == nil ? before : removed.inputs?.first }
  }

  /// Moves a node to a position, counted from 0 after it was taken out.
  public mutating func move(node name: String, to position: Int) throws(GraphEditError) {
    let index = try index(of: name)
    guard nodes.indices.contains(position) else {
      throw .invalidPosition(position, count: nodes.count)
    }
    var moved = nodes
    moved.insert(moved.remove(at: index), at: position)
    for (place, node) in moved.enumerated() {
      let earlier = Set(moved[..<place].map(\.id))
      for input in (node.inputs ?? []) + [node.mask].compactMap({ $0 })
      where !earlier.contains(input) && input != Self.sourceName {
        throw .nodeInUse(input, by: node.id)
      }
    }
    nodes = moved
  }

  /// Switches a node on or off.
  public mutating func setEnabled(_ isEnabled: Bool, node name: String) throws(GraphEditError) {
    nodes[try index(of: name)].isEnabled = isEnabled
  }

  /// Checks the bound on nodes after appending.
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
  /// The node with one parameter changed; `opacity` is one of every node.
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
      // Nothing takes a mask away, and brings the ordinary way of mixing back.
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
    node.parameters = filter.values.mapValues(\.json)
    return node
  }

  /// What of the node, apart from its filter, this version cannot render.
  var obstacle: GraphObstacle? {
    if opacity > 0 && opacity < 1,
      FilterCatalog.type(named: filter)?.family == .geometry
    {
      return GraphObstacle(node: id, .unsupported("opacity on a filter that moves pixels"))
    }
    return nil
  }
}
