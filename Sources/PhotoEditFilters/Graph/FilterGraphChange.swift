// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// One difference between two versions of a filter graph.
public struct FilterGraphChange: Sendable, Hashable, CustomStringConvertible {
  /// The kind of a difference.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A node was added; `values` contains its parameters.
    case added
    /// A node was removed; `values` contains its former parameters.
    case removed
    /// A node has another position; `from` and `to` are indexes in the lists of nodes.
    case moved
    /// A parameter or an option of a node, or of the graph, has another value.
    case set
  }

  /// The kind of the difference.
  public let kind: Kind
  /// The identifier of the node; nil for the graph.
  public let node: String?
  /// The filter of the node; nil for the graph.
  public let filter: String?
  /// The name of the node for display: that of its filter if it occurs once, otherwise its
  /// identifier.
  public let name: String
  /// The parameter, or `enabled`, `opacity`, `mask`, `blend`, `in` or `version` of the node, or
  /// `background` or `output` of the graph; nil for a node as a whole.
  public let parameter: String?
  /// The former value; nil if there was none.
  public let from: ParameterValue?
  /// The new value; nil without one.
  public let to: ParameterValue?
  /// The parameters of a node that was added or removed.
  public let values: [String: ParameterValue]
  /// The values of an added node that are not the defaults of its filter, as arguments.
  private let notableValues: [String]

  init(
    _ kind: Kind, node: FilterNode?, name: String, parameter: String? = nil,
    from: ParameterValue? = nil, to: ParameterValue? = nil, values: [String: ParameterValue] = [:]
  ) {
    (self.kind, self.node, self.filter) = (kind, node?.id, node?.filter)
    (self.name, self.parameter, self.values) = (name, parameter, values)
    (self.from, self.to) = (from, to)
    notableValues = kind == .added ? Self.notable(values, node?.content.type) : []
  }

  /// The difference in one line, such as "exposure.ev 0.2 → 0.3" or "+ vignette amount=0.35".
  public var description: String {
    switch kind {
    case .added: return (["+ " + title] + notableValues).joined(separator: " ")
    case .removed: return "- " + title
    case .moved: return "\(name) moved from \(text(from)) to \(text(to))"
    case .set where parameter == "enabled" && node != nil:
      return name + (to == .flag(true) ? " enabled" : " disabled")
    case .set:
      let key = (node == nil ? [] : [name]) + [parameter ?? ""]
      return "\(key.joined(separator: ".")) \(text(from)) → \(text(to))"
    }
  }

  /// The filter, and if it occurs several times, the node that the following lines are about.
  private var title: String {
    guard let filter, filter != name else { return name }
    return "\(filter) (\(name))"
  }

  private func text(_ value: ParameterValue?) -> String { value?.argument ?? "none" }

  /// Returns the values that are not the defaults of a filter, as arguments.
  private static func notable(
    _ values: [String: ParameterValue], _ type: (any Filter.Type)?
  ) -> [String] {
    let defaults = type?.description.parameters.reduce(into: [:]) { $0[$1.name] = $1.default }
    return values.filter { defaults?[$0.key] != $0.value }.sorted { $0.key < $1.key }
      .map { "\($0.key)=\($0.value.argument)" }
  }
}

extension FilterGraph {
  /// Returns the differences from an earlier version of the graph: removals, additions, moves, then
  /// values, each in the order of the nodes.
  ///
  /// Nodes correspond if they have the same identifier and filter. The image that a graph was
  /// created for is not compared.
  public func changes(from earlier: FilterGraph) -> [FilterGraphChange] {
    let former = Dictionary(earlier.nodes.map { ($0.id, $0) }) { first, _ in first }
    let isKept = { (node: FilterNode) in former[node.id]?.filter == node.filter }
    let kept = nodes.filter(isKept)
    let keptIDs = Set(kept.map(\.id))
    let removed = earlier.nodes.filter { !keptIDs.contains($0.id) }.map { node in
      FilterGraphChange(
        .removed, node: node, name: earlier.shortName(of: node), values: earlier.values(of: node))
    }
    let added = nodes.filter { !keptIDs.contains($0.id) }.map { node in
      FilterGraphChange(.added, node: node, name: shortName(of: node), values: values(of: node))
    }
    let oldIndexes = Dictionary(
      earlier.nodes.enumerated().map { ($0.element.id, $0.offset) }
    ) { first, _ in first }
    let order = kept.map { oldIndexes[$0.id] ?? 0 }
    let inOrder = Set(longestIncreasing(order))
    let moved = kept.filter { !inOrder.contains(oldIndexes[$0.id] ?? 0) }.map { node in
      FilterGraphChange(
        .moved, node: node, name: shortName(of: node),
        from: .number(Double(oldIndexes[node.id] ?? 0)),
        to: .number(Double(nodes.firstIndex { $0.id == node.id } ?? 0)))
    }
    let set = kept.flatMap { node in
      differences(
        earlier.options(of: former[node.id] ?? node), options(of: node), of: node,
        name: shortName(of: node))
    }
    return removed + added + moved + set
      + differences(earlier.graphOptions, graphOptions, of: nil, name: "")
  }

  private func differences(
    _ before: [String: ParameterValue], _ after: [String: ParameterValue], of node: FilterNode?,
    name: String
  ) -> [FilterGraphChange] {
    Set(before.keys).union(after.keys).sorted().compactMap { key in
      before[key] == after[key]
        ? nil
        : FilterGraphChange(
          .set, node: node, name: name, parameter: key, from: before[key], to: after[key])
    }
  }

  private func shortName(of node: FilterNode) -> String {
    nodes.count { $0.filter == node.filter } == 1 ? node.filter : node.id
  }

  /// The parameters of a node; a file is represented by its name and the start of its digest.
  private func values(of node: FilterNode) -> [String: ParameterValue] {
    var values = node.content.parameters.mapValues {
      ParameterValue($0) ?? .text($0.prettyPrinted())
    }
    for (parameter, name) in node.assetNames {
      guard let file = assets[name] else { continue }
      values[parameter] = .text("\(name) (\(file.digest.hex.prefix(8)))")
    }
    return values
  }

  private func options(of node: FilterNode) -> [String: ParameterValue] {
    var options = values(of: node)
    options["enabled"] = .flag(node.isEnabled)
    options["opacity"] = .number(node.opacity)
    options["version"] = .number(Double(node.version))
    options["mask"] = node.mask.map { .text($0) }
    options["blend"] = node.blend.map { .text($0) }
    options["in"] = node.inputs.map { .text($0.joined(separator: ":")) }
    return options
  }

  private var graphOptions: [String: ParameterValue] {
    var options: [String: ParameterValue] = ["background": .text(background.description)]
    options["output"] = outputNode.map { .text($0) }
    return options
  }
}

/// Returns a longest subsequence in which the numbers increase.
private func longestIncreasing(_ numbers: [Int]) -> [Int] {
  var best: [[Int]] = []
  for number in numbers {
    let before = best.filter { ($0.last ?? 0) < number }.max { $0.count < $1.count } ?? []
    best.append(before + [number])
  }
  return best.max { $0.count < $1.count } ?? []
}
