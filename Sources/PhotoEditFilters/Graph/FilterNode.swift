// SPDX-License-Identifier: Apache-2.0
public import PhotoEditStorage

/// One step of a graph: a filter and its connections, including unknown keys unchanged.
public struct FilterNode: Sendable, Hashable {
  /// The name by which later nodes and commands refer to it.
  public internal(set) var id: String
  /// The filter with its parameters.
  var content: NodeContent
  /// Indicates whether it takes part in rendering.
  public var isEnabled = true
  /// The opacity of its effect, 0 to 1.
  public internal(set) var opacity = 1.0

  /// Names of earlier nodes; nil means the preceding node.
  var inputs: [String]?
  var mask: String?
  var blend: String?
  /// Keys of the node that are unknown to this version; kept byte for byte.
  var unknown: [String: JSONValue] = [:]

  /// The name of the filter.
  public var filter: String { content.name }
  /// The filter version that defines the computation.
  public var version: Int { content.version }

  /// Returns the node's filter, or throws the reason why it cannot be rendered.
  public func resolved() throws(UnsupportedNode) -> any Filter {
    try translating(
      { UnsupportedNode(node: id, ($0 as UnsupportedNode).reason) }, content.filter.get())
  }

  /// Indicates whether it reads the preceding node and applies its effect in full.
  package var isPlain: Bool {
    inputs == nil && mask == nil && opacity == 1 && blend ?? "normal" == "normal"
  }

  /// The attachments that its parameters refer to, with their required kinds.
  package var assets: [(name: String, kind: AttachmentKind)] {
    get throws(UnsupportedNode) {
      guard let type = content.type, type.needsAssets else { return [] }
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
  /// Returns the type that renders a version of this filter.
  static func version(_ number: Int) -> (any Filter.Type)? {
    if schema.version == number { return Self.self }
    return schema.version > number ? previous?.version(number) : nil
  }

  /// Returns the equivalent filter in the newest version; nil if it is already newest or cannot be
  /// upgraded.
  func upgradedToNewest() -> (any Filter)? {
    guard let next = upgraded() else { return nil }
    return next.upgradedToNewest() ?? next
  }

  fileprivate static var needsAssets: Bool {
    schema.parameters.contains { if case .asset = $0.type { true } else { false } }
  }
}

/// The reason why this version cannot render or continue a graph that it can read.
public struct UnsupportedNode: PhotoEditError, Hashable {
  /// The kind of problem.
  public enum Reason: Hashable, Sendable {
    /// The catalog does not contain the filter.
    case unknownFilter(String)
    /// The filter exists, but not in this version.
    case unknownVersion(filter: String, Int, newest: Int)
    /// A parameter is unknown or out of range.
    case parameter(ParameterError)
    /// An attachment of the node cannot be used.
    case asset(AttachmentError)
    /// The node uses a feature that this version does not support.
    case unsupported(String)
  }

  /// The identifier of the node; nil for the graph as a whole.
  public let node: String?
  /// The kind of problem.
  public let reason: Reason

  /// Creates the reason.
  package init(node: String?, _ reason: Reason) { (self.node, self.reason) = (node, reason) }

  /// The class and the name of the failure.
  public var facts: FailureFacts {
    // A missing library does not make the graph invalid.
    if case .asset(.libraryMissing(let packages, let reason)) = reason {
      return AttachmentError.libraryMissing(packages: packages, reason: reason).facts
    }
    return FailureFacts(.invalidEdit, "graph")
  }

  /// "node 'a': there is no filter 'glow'".
  public var description: String {
    let text =
      switch reason {
      case .unknownFilter(let name): "unknown filter '\(name)'"
      case .unknownVersion(let filter, let version, let newest):
        "'\(filter)' version \(version) is not supported (supported: 1–\(newest))"
      case .parameter(let error): "\(error)"
      case .asset(let error): "\(error)"
      case .unsupported(let what): "not supported: \(what)"
      }
    return node.map { "node '\($0)': \(text)" } ?? text
  }
}
