// SPDX-License-Identifier: Apache-2.0

/// An asset that a change block names: fetched, or about to be created in the same block.
public protocol AssetReference: Sendable {
  /// Names the asset for ever; opaque.
  var localIdentifier: String { get }
}

/// An album or folder that a change block names: fetched, or about to be created in the same block.
public protocol CollectionReference: Sendable {
  /// Names the object for ever; opaque.
  var localIdentifier: String { get }
}

extension Asset: AssetReference {}
extension AssetCollection: CollectionReference {}
extension CollectionList: CollectionReference {}
extension PhotoCollection: CollectionReference {}
extension ObjectPlaceholder: AssetReference, CollectionReference {}

extension LocalIdentifier {
  /// The names of assets, in their order.
  ///
  /// - Throws: `changeNotSupported` with everything that is no asset.
  static func assets(_ references: [any AssetReference]) throws(LibraryError) -> [LocalIdentifier] {
    let all = references.map { LocalIdentifier($0.localIdentifier, as: .asset) }
    guard !all.contains(nil) else {
      throw .noAssets(zip(references, all).filter { $1 == nil }.map(\.0.localIdentifier))
    }
    return all.compactMap { $0 }
  }

  /// The names of albums and folders that people make, in their order.
  ///
  /// - Throws: `changeNotSupported` with everything else.
  static func collections(
    _ references: [any CollectionReference]
  ) throws(LibraryError) -> [LocalIdentifier] {
    let all = references.map { reference -> LocalIdentifier? in
      let isChangeable =
        switch reference {
        case let album as AssetCollection: album.isRegularAlbum
        case let folder as CollectionList: folder.isRegularFolder
        case PhotoCollection.assets(let album): album.isRegularAlbum
        case PhotoCollection.list(let folder): folder.isRegularFolder
        default: true
        }
      guard isChangeable, let identifier = LocalIdentifier(reference.localIdentifier),
        identifier.objectClass != .asset
      else { return nil }
      return identifier
    }
    guard !all.contains(nil) else {
      throw .noChangeableCollections(
        zip(references, all).filter { $1 == nil }.map(\.0.localIdentifier))
    }
    return all.compactMap { $0 }
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
