// SPDX-License-Identifier: Apache-2.0

/// An asset that a change block names: fetched, about to be created in the same block, or known by
/// its identifier.
public protocol AssetReference: Sendable {
  /// Names the asset for ever; opaque.
  var localIdentifier: String { get }
}

/// An album or folder that a change block names: fetched, about to be created in the same block, or
/// known by its identifier.
public protocol CollectionReference: Sendable {
  /// Names the object for ever; opaque.
  var localIdentifier: String { get }
}

extension Asset: AssetReference {}
extension AssetCollection: CollectionReference {}
extension CollectionList: CollectionReference {}
extension PhotoCollection: CollectionReference {}
extension ObjectPlaceholder: AssetReference, CollectionReference {}

extension String: AssetReference, CollectionReference {
  /// The identifier itself.
  public var localIdentifier: String { self }
}

extension LocalIdentifier {
  /// The names of assets, in their order.
  ///
  /// - Throws: `changeNotSupported` with everything that is no asset.
  static func assets(
    _ references: some Sequence<some AssetReference>
  ) throws(LibraryError) -> [LocalIdentifier] {
    let names = references.map(\.localIdentifier)
    let all = names.compactMap { LocalIdentifier($0, as: .asset) }
    guard all.count == names.count else {
      throw .noAssets(names.filter { LocalIdentifier($0, as: .asset) == nil })
    }
    return all
  }

  /// The names of albums and folders that people make, in their order.
  ///
  /// - Throws: `changeNotSupported` with everything else.
  static func collections(
    _ references: some Sequence<some CollectionReference>
  ) throws(LibraryError) -> [LocalIdentifier] {
    var (all, others): ([LocalIdentifier], [String]) = ([], [])
    for reference in references {
      let isChangeable =
        switch reference as any CollectionReference {
        case let album as AssetCollection: album.isRegularAlbum
        case let folder as CollectionList: folder.isRegularFolder
        case PhotoCollection.assets(let album): album.isRegularAlbum
        case PhotoCollection.list(let folder): folder.isRegularFolder
        default: true
        }
      if isChangeable, let identifier = LocalIdentifier(reference.localIdentifier),
        identifier.objectClass != .asset
      {
        all.append(identifier)
      } else {
        others.append(reference.localIdentifier)
      }
    }
    guard others.isEmpty else { throw .noChangeableCollections(others) }
    return all
  }
}

extension AssetCollection {
  /// Whether a person made it and may change it; smart albums, moments and those in memory are not.
  var isRegularAlbum: Bool { kind == .album && subtype == .albumRegular && row != nil }
}

extension CollectionList {
  /// Whether a person made it and may change it.
  var isRegularFolder: Bool { kind == .folder && subtype == .regularFolder && row != nil }
}
