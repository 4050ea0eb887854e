// SPDX-License-Identifier: Apache-2.0
public import PhotoEditStorage

extension FilterGraph {
  /// The files that any node refers to and that the graph does not embed, by digest.
  public var externalAssets: [SHA256Digest: GraphAttachment] {
    Dictionary(
      assets.values.filter { $0.data == nil }.map { ($0.digest, $0) }, uniquingKeysWith: { $1 })
  }

  /// Removes the files that no node refers to, provided that every node is recognized.
  public mutating func removeUnusedAssets() {
    var used: Set<String> = []
    for node in nodes {
      guard let description = FilterCatalog.type(named: node.filter)?.description,
        description.version >= node.version
      else { return }
      for entry in description.parameters {
        if case .asset = entry.type, case .string(let name)? = node.parameters[entry.name] {
          used.insert(name)
        }
      }
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

  private static func assetName(_ text: String) -> String {
    let plain = text.unicodeScalars.prefix(64).map { scalar -> Character in
      let isPlain =
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
        || ("0"..."9").contains(scalar) || "._-".unicodeScalars.contains(scalar)
      return isPlain ? Character(scalar) : "-"
    }
    return plain.isEmpty ? "asset" : String(plain)
  }
}
