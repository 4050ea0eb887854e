// SPDX-License-Identifier: Apache-2.0

extension FilterNode {
  /// Indicates whether it outputs a mask instead of an image.
  ///
  /// Unknown filters count as image filters; they can only be skipped.
  var isMask: Bool { content.type?.dependency == .mask }

  /// Indicates whether it is a mask that follows the edges of an image.
  fileprivate var followsEdges: Bool {
    ((try? content.filter.get()) as? MaskBrush).map { $0.edge > 0 } ?? false
  }

  /// The inputs that its filter reads.
  var requiredInputs: FilterInputs { content.type?.inputs ?? .image }
}

extension FilterGraph {
  /// The name of the source image in `in`.
  public static let sourceName = "source"

  /// The node whose image is the result; nil if that is the source image.
  var resultNode: String? { outputNode ?? nodes.last { !$0.isMask }?.id }

  /// For each node, the last preceding node that outputs an image, or the source image.
  var previousImages: [String: String] {
    var last = Self.sourceName
    var previous: [String: String] = [:]
    for node in nodes {
      previous[node.id] = last
      if !node.isMask { last = node.id }
    }
    return previous
  }

  /// Returns the names of a node's inputs, or of the default inputs if it specifies none.
  func inputs(of node: FilterNode, previous: [String: String]) -> [String] {
    let preceding = [previous[node.id] ?? Self.sourceName]
    if node.requiredInputs == .optionalImage {
      guard node.followsEdges else { return [] }
      return node.inputs.flatMap { $0.isEmpty ? nil : $0 } ?? preceding
    }
    if let inputs = node.inputs { return inputs }
    switch node.requiredInputs {
    case .none, .optionalImage, .mask, .twoMasks, .masks, .twoImages: return []
    case .image: return preceding
    }
  }

  /// Returns the inputs of a node that are images.
  func imageInputs(of node: FilterNode, previous: [String: String]) -> [String] {
    switch node.requiredInputs {
    case .none, .mask, .twoMasks, .masks: []
    case .image, .optionalImage, .twoImages: inputs(of: node, previous: previous)
    }
  }

  /// The nodes that contribute to the result, in order, including masks.
  package var needed: [FilterNode] {
    guard let result = resultNode else { return [] }
    let previous = previousImages
    var requiredInputs: Set<String> = [result]
    var needed: [FilterNode] = []
    // Nodes read only earlier ones.
    for node in nodes.reversed() where requiredInputs.contains(node.id) {
      needed.append(node)
      requiredInputs.formUnion(inputs(of: node, previous: previous))
      if let mask = node.mask, node.isEnabled { requiredInputs.insert(mask) }
    }
    return needed.reversed()
  }

  /// Returns the first problem in the connections of a node that prevents rendering.
  func unsupportedWiring(of node: FilterNode) -> UnsupportedNode? {
    func unsupported(_ what: String) -> UnsupportedNode {
      UnsupportedNode(node: node.id, .unsupported(what))
    }
    func isMask(_ name: String) -> Bool { nodes.first { $0.id == name }?.isMask ?? false }
    if let mask = node.mask, !isMask(mask) { return unsupported("image '\(mask)' used as a mask") }
    if let blend = node.blend, BlendMode(rawValue: blend) == nil {
      return unsupported("blend mode '\(blend)'")
    }
    let requiredInputs = node.requiredInputs
    let inputs = node.inputs ?? (requiredInputs == .image ? [Self.sourceName] : [])
    let counts = requiredInputs.counts
    guard counts.contains(inputs.count) else {
      let allowed =
        counts.count > 1 ? "\(counts.lowerBound)…\(counts.upperBound)" : "\(counts.lowerBound)"
      return unsupported("\(inputs.count) inputs ('\(node.filter)' takes \(allowed))")
    }
    let wantsMasks = requiredInputs.areMasks
    if let wrong = inputs.first(where: { isMask($0) != wantsMasks }), node.inputs != nil {
      return unsupported(
        wantsMasks ? "image '\(wrong)' used as a mask" : "mask '\(wrong)' used as an image")
    }
    if node.isMask && (node.mask != nil || node.blend ?? "normal" != "normal") {
      return unsupported("a mask or a blend mode on a mask; use 'mask.combine' to combine masks")
    }
    return unsupportedMembers(of: node, inputs)
  }
}
