// SPDX-License-Identifier: Apache-2.0

/// Why some bytes are not a filter graph.
public enum GraphError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes are not the strict JSON that graphs are written in.
  case notJSON(reason: String)
  /// A key is missing or of the wrong kind.
  case malformed(key: String, expected: String)
  /// The document is of another format.
  case otherFormat(String)
  /// The document is of another major version.
  case otherVersion(String)
  /// More nodes than a graph may have.
  case tooManyNodes(Int)
  /// Two nodes have the same name.
  case duplicateNode(String)
  /// A node refers to itself, to a later node, or to none.
  case notEarlier(node: String, key: String, target: String)

  /// One sentence.
  public var description: String {
    switch self {
    case .notJSON(let reason): "not a filter graph: \(reason)"
    case .malformed(let key, let expected): "not a filter graph: '\(key)' must be \(expected)"
    case .otherFormat(let format):
      "the format is '\(format)', not '\(FilterGraph.formatIdentifier)'"
    case .otherVersion(let version):
      "version \(version) of the format; this program reads versions 1.x"
    case .tooManyNodes(let count):
      "\(count) nodes; a graph has at most \(FilterGraph.maximumNodes)"
    case .duplicateNode(let id): "two nodes are named '\(id)'; each name may be used once"
    case .notEarlier(let node, let key, let target):
      "node '\(node)' has '\(key)' = '\(target)', which is not an earlier node; "
        + "nodes may refer to earlier ones only, so that no cycle can arise"
    }
  }
}
