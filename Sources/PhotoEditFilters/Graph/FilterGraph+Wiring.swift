// SPDX-License-Identifier: Apache-2.0

extension FilterNode {
  /// Whether it gives a mask and no picture.
  ///
  /// What is unknown is taken for a picture; it can only be skipped.
  var isMask: Bool { FilterCatalog.type(named: filter)?.family == .mask }

  /// What its filter reads.
  var wanted: FilterInputs { FilterCatalog.type(named: filter)?.inputs ?? .picture }
}

extension FilterGraph {
  /// What `in` says for the picture itself.
  public static let sourceName = "source"

  /// The node whose picture is the result; nil where that is the picture itself.
  var resultNode: String? { outputNode ?? nodes.last { !$0.isMask }?.id }

  /// For each node, the last one before it that gives a picture, or the picture itself.
  var previousPictures: [String: String] {
    var last = Self.sourceName
    var previous: [String: String] = [:]
    for node in nodes {
      previous[node.id] = last
      if !node.isMask { last = node.id }
    }
    return previous
  }

  /// The names that a node reads, where it names none those that are meant.
  func inputs(of node: FilterNode, previous: [String: String]) -> [String] {
    if let inputs = node.inputs { return inputs }
    switch node.wanted {
    case .none, .mask, .twoMasks, .twoPictures: return []
    case .picture: return [previous[node.id] ?? Self.sourceName]
    }
  }

  /// Those of a node's inputs that are pictures.
  func pictureInputs(of node: FilterNode, previous: [String: String]) -> [String] {
    switch node.wanted {
    case .none, .mask, .twoMasks: []
    case .picture, .twoPictures: inputs(of: node, previous: previous)
    }
  }

  /// The nodes that make the result, in order, masks among them.
  package var needed: [FilterNode] {
    guard let result = resultNode else { return [] }
    let previous = previousPictures
    var wanted: Set<String> = [result]
    var needed: [FilterNode] = []
    // Every node reads earlier ones only.
    for node in nodes.reversed() where wanted.contains(node.id) {
      needed.append(node)
      wanted.formUnion(inputs(of: node, previous: previous))
      if let mask = node.mask, node.isEnabled { wanted.insert(mask) }
    }
    return needed.reversed()
  }

  /// What of the way a node is wired cannot be rendered.
  func wiringObstacle(of node: FilterNode) -> GraphObstacle? {
    func obstacle(_ what: String) -> GraphObstacle {
      GraphObstacle(node: node.id, .unsupported(what))
    }
    func isMask(_ name: String) -> Bool { nodes.first { $0.id == name }?.isMask ?? false }
    if let mask = node.mask, !isMask(mask) { return obstacle("the picture '\(mask)' as a mask") }
    if let blend = node.blend, BlendMode(rawValue: blend) == nil {
      return obstacle("the blend mode '\(blend)'")
    }
    let wanted = node.wanted
    let inputs = node.inputs ?? (wanted == .picture ? [Self.sourceName] : [])
    guard inputs.count == wanted.count else {
      return obstacle("\(inputs.count) inputs where '\(node.filter)' takes \(wanted.count)")
    }
    let wantsMasks = wanted == .mask || wanted == .twoMasks
    if let wrong = inputs.first(where: { isMask($0) != wantsMasks }), node.inputs != nil {
      return obstacle(
        wantsMasks ? "the picture '\(wrong)' as a mask" : "the mask '\(wrong)' as a picture")
    }
    if node.isMask && (node.mask != nil || node.blend ?? "normal" != "normal") {
      return obstacle("a mask or a blend mode on a mask; 'mask.combine' joins two")
    }
    return nil
  }
}
