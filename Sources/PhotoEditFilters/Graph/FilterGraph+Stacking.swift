// SPDX-License-Identifier: Apache-2.0
public import PhotoEditStorage

extension FilterGraph {
  /// Appends another graph that is applied to the result of this one.
  ///
  /// Identifiers of nodes and names of attachments that are taken are replaced. The source and the
  /// background of the other graph are ignored, and its texts are filled in again.
  ///
  /// - Throws: `GraphEditError`; the graph is unchanged then.
  public mutating func append(_ other: FilterGraph) throws(GraphEditError) {
    if let unsupported = other.blockingReasons.first { throw .unsupported(unsupported) }
    var graph = self
    var other = other
    other.emptyTexts()
    var assetNames: [String: String] = [:]
    for (name, asset) in other.assets.sorted(by: { $0.key < $1.key }) {
      assetNames[name] = try graph.addAsset(asset, named: name)
    }
    let source = resultNode
    var names: [String: String] = [:]
    for node in other.nodes {
      let name = graph.freeName(node.id)
      var added = node
      added.id = name
      let renamed = node.assetNames.compactMapValues { assetNames[$0].map { JSONValue.string($0) } }
      if !renamed.isEmpty {
        added.content = NodeContent(
          node.filter, node.version, node.content.parameters.merging(renamed) { $1 },
          of: node.content.type)
      }
      added.mask = node.mask.flatMap { names[$0] }
      added.inputs = node.inputs.map { inputs in
        inputs.map { names[$0] ?? source ?? Self.sourceName }
      }
      // The first node continues from the result, which need not be the preceding node.
      let readsPreceding =
        node.inputs == nil && node.requiredInputs == .image
        || node.inputs ?? [] == [] && node.requiredInputs == .optionalImage
      if readsPreceding, other.isFirst(node), outputNode != nil, let source {
        added.inputs = [source]
      }
      names[node.id] = name
      graph.nodes.append(added)
    }
    if outputNode != nil || other.outputNode != nil {
      graph.outputNode = other.resultNode.flatMap { names[$0] } ?? source
    }
    try graph.checkCount()
    self = graph
  }

  /// Returns whether only the source image precedes a node.
  private func isFirst(_ node: FilterNode) -> Bool {
    previousImages[node.id] == Self.sourceName
  }

  private func freeName(_ preferredName: String) -> String {
    let usedIDs = Set(nodes.map(\.id))
    if !usedIDs.contains(preferredName) && preferredName != Self.sourceName {
      return preferredName
    }
    var number = nodes.count + 1
    while usedIDs.contains("n\(number)") { number += 1 }
    return "n\(number)"
  }

  /// The files that any node refers to and that the graph does not embed, by digest.
  public var externalAssets: [SHA256Digest: GraphAttachment] {
    Dictionary(
      assets.values.filter { $0.data == nil }.map { ($0.digest, $0) }, uniquingKeysWith: { $1 })
  }

  /// Removes the files that no node refers to, provided that every node is recognized.
  public mutating func removeUnusedAssets() {
    var used: Set<String> = []
    for node in nodes {
      guard let description = node.content.type?.description,
        description.version >= node.version
      else { return }
      used.formUnion(node.assetNames.values)
    }
    assets = assets.filter { used.contains($0.key) }
  }

  /// Adds a file and returns the name by which parameters refer to it.
  ///
  /// The same file is stored once, regardless of its names.
  ///
  /// - Parameter name: The preferred name; characters not allowed in names become "-".
  /// - Throws: `GraphEditError.tooManyAssets`.
  public mutating func addAsset(
    _ asset: GraphAttachment, named name: String
  ) throws(GraphEditError) -> String {
    let same = assets.sorted { $0.key < $1.key }.first { $0.value.digest == asset.digest }
    if let same { return same.key }
    guard assets.count < Self.maximumAssets else { throw .tooManyAssets(assets.count + 1) }
    let name = Self.assetName(name)
    var free = name
    var number = 2
    while assets[free] != nil {
      free = "\(name)-\(number)"
      number += 1
    }
    assets[free] = asset
    return free
  }

  static func assetName(_ text: String) -> String {
    let plain = text.unicodeScalars.prefix(64).map { scalar -> Character in
      let isPlain =
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
        || ("0"..."9").contains(scalar) || "._-".unicodeScalars.contains(scalar)
      return isPlain ? Character(scalar) : "-"
    }
    return plain.isEmpty ? "asset" : String(plain)
  }
}

extension FilterNode {
  /// The names of the attachments that its parameters refer to, by the names of the parameters.
  var assetNames: [String: String] {
    let entries = content.type?.description.parameters ?? []
    return entries.reduce(into: [:]) { names, entry in
      if case .asset = entry.type {
        names[entry.name] = content.parameters[entry.name]?.stringValue
      }
    }
  }
}
