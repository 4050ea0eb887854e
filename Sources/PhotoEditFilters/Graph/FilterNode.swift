// SPDX-License-Identifier: Apache-2.0

/// One step of a graph, as it is stored: what is understood and, untouched, what is not.
public struct FilterNode: Sendable, Hashable {
  /// The name by which later nodes and commands refer to it.
  public let id: String
  /// The filter's name.
  public let filter: String
  /// The version of the filter whose arithmetic is meant.
  public let version: Int
  /// Whether it takes part in the rendering.
  public var isEnabled = true
  /// How much of its effect is used, 0 to 1.
  public internal(set) var opacity = 1.0

  /// Names of earlier nodes; nil means the node before.
  var inputs: [String]?
  var mask: String?
  var blend: String?
  var parameters: [String: JSONValue]
  /// Keys of the node that this version does not know; kept byte for byte.
  var unknown: [String: JSONValue] = [:]

  /// Makes a node from a filter; every parameter is written, so that later defaults change nothing.
  init(id: String, _ filter: any Filter) {
    let description = type(of: filter).description
    self.id = id
    self.filter = description.name
    version = description.version
    parameters = filter.values.mapValues(\.json)
  }

  /// The node with another version of its filter.
  func with(version: Int, parameters: [String: JSONValue]) -> FilterNode {
    var node = FilterNode(id: id, filter: filter, version: version, parameters: parameters)
    (node.isEnabled, node.opacity, node.unknown) = (isEnabled, opacity, unknown)
    (node.inputs, node.mask, node.blend) = (inputs, mask, blend)
    return node
  }

  init(id: String, filter: String, version: Int, parameters: [String: JSONValue]) {
    self.id = id
    self.filter = filter
    self.version = version
    self.parameters = parameters
  }

  /// Understands the node, or says why that is impossible.
  public func resolved() throws(GraphObstacle) -> any Filter {
    guard let newest = FilterCatalog.type(named: filter) else {
      throw GraphObstacle(node: id, .unknownFilter(filter))
    }
    guard let type = newest.version(version) else {
      let known = newest.description.version
      throw GraphObstacle(node: id, .unknownVersion(filter: filter, version, newest: known))
    }
    var values: [String: ParameterValue] = [:]
    for (name, json) in parameters {
      guard let value = ParameterValue(json) else {
        throw GraphObstacle(
          node: id,
          .parameter(
            .invalidValue(
              filter: filter, parameter: name, value: "something that is no value",
              allowed: "a number, a name, true or false, or a list")))
      }
      values[name] = value
    }
    do {
      return try type.init(values: values)
    } catch {
      throw GraphObstacle(node: id, .parameter(error))
    }
  }
}

extension FilterNode {
  /// Whether it takes what the node before it made and gives all of its own effect.
  package var isPlain: Bool {
    inputs == nil && mask == nil && opacity == 1 && blend ?? "normal" == "normal"
  }

  /// The assets that its parameters name, and what each has to be.
  package var assets: [(name: String, kind: AssetKind)] {
    get throws(GraphObstacle) {
      guard let type = FilterCatalog.type(named: filter), type.needsAssets else { return [] }
      let values = try resolved().values
      return type.description.parameters.compactMap { entry in
        guard case .asset(let kind) = entry.type, case .text(let name)? = values[entry.name],
          !name.isEmpty
        else { return nil }
        return (name, kind)
      }
    }
  }
}

extension Filter {
  /// The type that renders some version of this filter.
  static func version(_ number: Int) -> (any Filter.Type)? {
    if schema.version == number { return Self.self }
    return schema.version > number ? previous?.version(number) : nil
  }

  /// The intent in the newest version; nil where it is that already, or cannot be brought there.
  func upgradedToNewest() -> (any Filter)? {
    guard let next = upgraded() else { return nil }
    return next.upgradedToNewest() ?? next
  }

  fileprivate static var needsAssets: Bool {
    schema.parameters.contains { if case .asset = $0.type { true } else { false } }
  }
}

/// Why a graph that can be read cannot be rendered or continued by this version.
public struct GraphObstacle: Error, Hashable, Sendable, CustomStringConvertible {
  /// What stands in the way.
  public enum Reason: Hashable, Sendable {
    /// The catalogue does not have the filter.
    case unknownFilter(String)
    /// The filter exists, its version does not.
    case unknownVersion(filter: String, Int, newest: Int)
    /// A parameter is unknown or out of range.
    case parameter(ParameterError)
    /// A file that the node needs cannot be used.
    case asset(AssetError)
    /// The node uses something that this version cannot do.
    case unsupported(String)
  }

  /// The node's name; nil for the graph as a whole.
  public let node: String?
  /// What stands in the way.
  public let reason: Reason

  /// Makes an obstacle.
  package init(node: String?, _ reason: Reason) {
    self.node = node
    self.reason = reason
  }

  /// "node 'a': there is no filter 'glow'".
  public var description: String {
    let text =
      switch reason {
      case .unknownFilter(let name): "this version has no filter '\(name)'"
      case .unknownVersion(let filter, let version, let newest):
        "'\(filter)' is stored in version \(version); this version knows 1 to \(newest)"
      case .parameter(let error): "\(error)"
      case .asset(let error): "\(error)"
      case .unsupported(let what): "it uses \(what), which this version cannot render"
      }
    return node.map { "node '\($0)': \(text)" } ?? text
  }
}
