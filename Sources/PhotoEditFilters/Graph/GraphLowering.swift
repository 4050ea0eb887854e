// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage

/// Converts the nodes of a graph to chains of operations.
///
/// A node with one reader continues in that reader's chain; a node with several readers becomes a
/// part of its own, which is rendered once. Masks are rendered at the size of the images they apply
/// to.
struct GraphLowering {
  /// The image at a point of the graph.
  private struct Cursor {
    var source: LoweredGraph.Source
    var operations: [FilterOperation] = []
    var size: PixelSize
  }

  private struct MaskKey: Hashable {
    var node: String
    var size: PixelSize
  }

  private let graph: FilterGraph
  private let assets: [String: AttachmentContent]
  private let coordinateScale: Double
  private let space: WorkingSpace
  private let scale: ([FilterOperation]) -> Double
  private let image: PixelSize
  private let nodes: [String: FilterNode]
  private let previous: [String: String]
  private var parts: [LoweredGraph.Part] = []
  private var cursors: [String: Cursor] = [:]
  /// The parts that contain masks; nil for a disabled mask.
  private var masks: [MaskKey: Int?] = [:]

  init(
    _ graph: FilterGraph, size: PixelSize, assets: [String: AttachmentContent],
    coordinateScale: Double,
    space: WorkingSpace, scale: @escaping ([FilterOperation]) -> Double
  ) {
    (self.graph, self.assets, self.coordinateScale) = (graph, assets, coordinateScale)
    (self.space, self.scale) = (space, scale)
    image = size
    nodes = Dictionary(graph.nodes.map { ($0.id, $0) }) { first, _ in first }
    previous = graph.previousImages
  }

  mutating func lowered() throws(UnsupportedNode) -> LoweredGraph {
    let needed = graph.needed
    var readers: [String: Int] = [:]
    for node in needed {
      for input in graph.imageInputs(of: node, previous: previous) {
        readers[input, default: 0] += 1
      }
    }
    for node in needed where !node.isMask {
      var cursor = try cursor(for: node)
      if readers[node.id, default: 0] > 1, !cursor.operations.isEmpty {
        cursor = Cursor(source: .part(part(of: cursor)), size: cursor.size)
      }
      cursors[node.id] = cursor
    }
    let result = graph.resultNode.map { cursor(named: $0) } ?? cursor(named: FilterGraph.sourceName)
    if result.operations.isEmpty, case .part(let index) = result.source, index == parts.count - 1 {
      return LoweredGraph(parts: parts)
    }
    parts.append(LoweredGraph.Part(source: result.source, operations: result.operations))
    return LoweredGraph(parts: parts)
  }

  // MARK: Images

  private func cursor(named name: String) -> Cursor {
    cursors[name] ?? Cursor(source: .image, size: image)
  }

  /// Returns the part that produces the image of a cursor.
  private mutating func part(of cursor: Cursor) -> Int {
    if cursor.operations.isEmpty, case .part(let index) = cursor.source { return index }
    parts.append(LoweredGraph.Part(source: cursor.source, operations: cursor.operations))
    return parts.count - 1
  }

  private mutating func cursor(for node: FilterNode) throws(UnsupportedNode) -> Cursor {
    let inputs = graph.inputs(of: node, previous: previous)
    var cursor = cursor(named: inputs.first ?? FilterGraph.sourceName)
    guard node.isEnabled, node.opacity > 0 else { return cursor }
    let filter = try node.resolved()
    let steps = try lowered(filter, of: node, on: cursor)
    let mode = BlendMode(rawValue: node.blend ?? "normal") ?? .normal
    // Blending an image with itself changes it, unless the mode is normal.
    if steps.isEmpty && (mode == .normal || type(of: filter).description.dependency == .geometry) {
      return cursor
    }
    // The input of layers is rendered once.
    if steps.contains(where: \.readsInput), !cursor.operations.isEmpty {
      cursor = Cursor(source: .part(part(of: cursor)), size: cursor.size)
    }
    var mask: Int?
    if let name = node.mask {
      for earlier in masks(for: name) { _ = try maskPart(earlier, size: cursor.size) }
      mask = try maskPart(name, size: cursor.size)
    }
    // A layer that is an image is composited with the node's own blend mode.
    if steps.count == 1, !steps[0].hasMask, mode == .normal || steps[0].blendsImages,
      let merge = try merge(steps[0], of: node, inputs: inputs, on: cursor)
    {
      var merge = merge
      merge.opacity = node.opacity
      merge.mask = mask
      if mode != .normal, case .blend = merge.rule { merge.rule = .blend(mode) }
      cursor.operations.append(.merge(merge))
      return cursor
    }
    var operations: [FilterOperation] = []
    for step in steps {
      let merge = try merge(step, of: node, inputs: inputs, on: cursor)
      operations.append(merge.map { .merge($0) } ?? step)
    }
    let isPlain = node.opacity == 1 && mask == nil && mode == .normal
    if !isPlain {
      guard operations.allSatisfy({ !$0.movesPixels }) else {
        throw UnsupportedNode(
          node: node.id,
          .unsupported("opacity, a mask or a blend mode on a geometric filter"))
      }
      operations = mixed(operations, node.opacity, mask, mode, in: filter.transferEncoding)
    }
    cursor.operations += operations
    cursor.size = steps.reduce(cursor.size) { $1.outputSize(of: $0) }
    return cursor
  }

  private func lowered(
    _ filter: any Filter, of node: FilterNode, on cursor: Cursor
  ) throws(UnsupportedNode) -> [FilterOperation] {
    let context = LoweringContext(
      size: cursor.size, scale: scale(cursor.operations), coordinateScale: coordinateScale,
      assets: assets, space: space)
    return try translating(
      { UnsupportedNode(node: node.id, .parameter($0)) }, filter.lowered(in: context))
  }

  /// Returns the node's effect blended with its input in the transfer encoding of the filter.
  private func mixed(
    _ operations: [FilterOperation], _ opacity: Double, _ mask: Int?, _ mode: BlendMode,
    in transferEncoding: TransferEncoding
  ) -> [FilterOperation] {
    let mix: FilterOperation =
      mask == nil && mode == .normal
      ? .mix(opacity: opacity)
      : .merge(Composite(.blend(mode), above: .top, opacity: opacity, mask: mask))
    let encode = FilterOperation.curves(.init(.init([.encode])))
    let decode = FilterOperation.curves(.init(.init([.decode])))
    return switch transferEncoding {
    case .encoded: [.save] + operations + [mix]
    case .linear: ([.save, encode] + operations + [decode, mix]).inEncoding(.linear)
    }
  }

  /// Returns the merge for a step that reads another image, with that image as a part; nil for all
  /// other steps.
  private mutating func merge(
    _ step: FilterOperation, of node: FilterNode, inputs: [String], on cursor: Cursor
  ) throws(UnsupportedNode) -> Composite? {
    switch step {
    case .layer(let layer):
      let source = layer.source == .input ? cursor.source : .layer(layer.source)
      parts.append(LoweredGraph.Part(source: source, operations: layer.operations))
      var merge = Composite(layer.rule, above: .part(parts.count - 1))
      if let mask = layer.mask {
        parts.append(
          LoweredGraph.Part(source: .layer(.mask(mask)), operations: [], isMask: true))
        merge.mask = parts.count - 1
      }
      return merge
    case .merge(let merge) where merge.above == .secondInput:
      let above = self.cursor(named: inputs[1])
      guard above.size == cursor.size else {
        throw UnsupportedNode(
          node: node.id,
          .unsupported(
            "compositing '\(inputs[1])' (\(above.size)) over '\(inputs[0])' (\(cursor.size)), "
              + "whose size differs"
          ))
      }
      return Composite(merge.rule, above: .part(part(of: above)))
    default: return nil
    }
  }

  // MARK: Masks

  /// Returns the masks that a mask depends on, in graph order; lowering them in this order keeps
  /// recursion shallow for long chains.
  private func masks(for name: String) -> [String] {
    var requiredInputs: Set<String> = [name]
    for node in graph.nodes.reversed() where requiredInputs.contains(node.id) && node.isEnabled {
      if node.requiredInputs.areMasks {
        requiredInputs.formUnion(graph.inputs(of: node, previous: previous))
      }
    }
    requiredInputs.remove(name)
    return graph.nodes.map(\.id).filter(requiredInputs.contains)
  }

  /// Returns the part that contains a mask for images of a size; nil if the mask is disabled.
  private mutating func maskPart(
    _ name: String, size: PixelSize
  ) throws(UnsupportedNode) -> Int? {
    let key = MaskKey(node: name, size: size)
    if let known = masks[key] { return known }
    guard let node = nodes[name], node.isEnabled else { return nil }
    let filter = try node.resolved()
    let steps = try lowered(filter, of: node, on: Cursor(source: .image, size: size))
    var part: LoweredGraph.Part
    let inputs = graph.inputs(of: node, previous: previous)
    switch type(of: filter).inputs {
    case .none, .optionalImage:
      guard case .layer(let layer)? = steps.first else {
        preconditionFailure("a mask node without input must be a layer")
      }
      var operations = Array(steps.dropFirst())
      for (index, step) in operations.enumerated() {
        guard case .merge(var merge) = step else { continue }
        let guide = try inputImage(inputs, of: node, size: size)
        parts.append(
          LoweredGraph.Part(source: guide.source, operations: guide.operations, isMask: true))
        merge.above = .part(parts.count - 1)
        operations[index] = .merge(merge)
      }
      part = LoweredGraph.Part(
        source: .layer(layer.source), operations: layer.operations + operations)
    case .image, .twoImages:
      let input = try inputImage(inputs, of: node, size: size)
      part = LoweredGraph.Part(source: input.source, operations: input.operations + steps)
    case .mask, .twoMasks, .masks:
      guard let combined = try combinedPart(of: inputs, steps: steps, size: size) else {
        masks.updateValue(nil, forKey: key)
        return nil
      }
      part = combined
    }
    if node.opacity < 1 {
      part.operations.append(
        .curves(.init(.init([.affine(scale: node.opacity, offset: 0)]))))
    }
    part.isMask = true
    parts.append(part)
    masks[key] = parts.count - 1
    return parts.count - 1
  }

  /// Returns the image that a mask is made of.
  private func inputImage(
    _ inputs: [String], of node: FilterNode, size: PixelSize
  ) throws(UnsupportedNode) -> Cursor {
    let input = cursor(named: inputs.first ?? FilterGraph.sourceName)
    guard input.size == size else {
      throw UnsupportedNode(
        node: node.id,
        .unsupported("an image of \(input.size) used as a mask for one of \(size)"))
    }
    return input
  }

  /// Returns masks combined in order by merges, without those that are disabled; nil if all are.
  ///
  /// A first mask without a merge is added; other steps apply to it.
  private mutating func combinedPart(
    of inputs: [String], steps: [FilterOperation], size: PixelSize
  ) throws(UnsupportedNode) -> LoweredGraph.Part? {
    let plain = Composite(.mask(.add), above: .secondInput)
    var merges = steps.compactMap { step in
      if case .merge(let merge) = step { merge } else { nil }
    }
    if merges.count < inputs.count {
      merges = Array(repeating: plain, count: inputs.count - merges.count) + merges
    }
    var combined: LoweredGraph.Part?
    for (name, merge) in zip(inputs, merges) {
      guard let mask = try maskPart(name, size: size) else { continue }
      if combined == nil {
        combined = LoweredGraph.Part(source: .part(mask), operations: merge.starting)
      } else {
        var merge = merge
        merge.above = .part(mask)
        combined?.operations.append(.merge(merge))
      }
    }
    combined?.operations += steps.filter { step in
      if case .merge = step { false } else { true }
    }
    return combined
  }
}

extension Composite {
  /// The operations on a mask that no other one precedes: it is added to nothing, or removed from or
  /// intersected with the whole image.
  fileprivate var starting: [FilterOperation] {
    guard case .mask(let rule) = rule else { return [] }
    var (factor, summand) = rule.weights(opacity: opacity, isInverted: isInverted)
    if rule == .subtract { (factor, summand) = (-factor, 1 - summand) }
    if factor == 1, summand == 0 { return [] }
    return [.curves(.init(.init([.affine(scale: factor, offset: summand)])))]
  }
}

extension FilterOperation {
  /// Indicates whether it is a layer that starts with the node's input.
  fileprivate var readsInput: Bool {
    if case .layer(let layer) = self { layer.source == .input } else { false }
  }

  /// Indicates whether it is composited with a blend mode that another one may replace.
  fileprivate var blendsImages: Bool {
    let rule: Composite.Rule? =
      switch self {
      case .layer(let layer): layer.rule
      case .merge(let merge): merge.rule
      default: nil
      }
    if case .blend? = rule { return true }
    return false
  }

  /// Indicates whether it is a layer with its own mask.
  fileprivate var hasMask: Bool {
    if case .layer(let layer) = self { layer.mask != nil } else { false }
  }
}
