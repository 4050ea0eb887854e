// SPDX-License-Identifier: Apache-2.0
public import PhotoEditStorage

/// An error in a stored filter graph.
public enum GraphError: PhotoEditError, Hashable {
  /// The bytes are not the strict JSON required for graphs.
  case notJSON(reason: String)
  /// A key is missing or of the wrong type.
  case malformed(key: String, expected: String)
  /// The document has another format.
  case otherFormat(String)
  /// The document has another major version.
  case otherVersion(String)
  /// The document has more nodes than allowed.
  case tooManyNodes(Int)
  /// Two nodes have the same identifier.
  case duplicateNode(String)
  /// A node refers to itself, to a later node, or to a missing one.
  case notEarlier(node: String, key: String, target: String)

  /// The class and the name of the failure.
  public var facts: FailureFacts { FailureFacts(.invalidEdit, "graph") }

  /// One sentence for display.
  public var description: String {
    switch self {
    case .notJSON(let reason): "not a filter graph: \(reason)"
    case .malformed(let key, let expected): "not a filter graph: '\(key)' must be \(expected)"
    case .otherFormat(let format):
      "unknown format '\(format)' (expected '\(FilterGraph.formatIdentifier)')"
    case .otherVersion(let version):
      "format version \(version) is not supported (supported: 1.x); upgrade photoedit"
    case .tooManyNodes(let count):
      "the graph has \(count) nodes (maximum: \(FilterGraph.maximumNodes))"
    case .duplicateNode(let id): "duplicate node id '\(id)'; node ids must be unique"
    case .notEarlier(let node, let key, let target):
      "node '\(node)': '\(key)' refers to '\(target)', which is not an earlier node; "
        + "nodes may only refer to earlier nodes"
    }
  }
}
