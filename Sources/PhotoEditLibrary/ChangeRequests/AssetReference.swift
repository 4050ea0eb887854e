// SPDX-License-Identifier: Apache-2.0

/// A reference to an asset in a change block: a fetched asset, the placeholder of an asset that the
/// block creates, or an identifier.
public protocol AssetReference: Sendable {
  /// The permanent, opaque identifier of the asset.
  var localIdentifier: String { get }
}

/// A reference to an album or folder in a change block: a fetched object, the placeholder of an
/// object that the block creates, or an identifier.
public protocol CollectionReference: Sendable {
  /// The permanent, opaque identifier of the object.
  var localIdentifier: String { get }
}

extension Asset: AssetReference {}
extension AssetCollection: CollectionReference {}
extension CollectionList: CollectionReference {}
extension PhotoCollection: CollectionReference {}
extension ObjectPlaceholder: AssetReference, CollectionReference {}

extension String: AssetReference, CollectionReference {
  /// The string itself.
  public var localIdentifier: String { self }
}

extension LocalIdentifier {
  /// Returns the identifiers of assets, in their order.
  ///
  /// - Throws: `changeNotSupported` with all references that are not assets.
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

  /// Returns the identifiers of user-created albums and folders, in their order.
  ///
  /// - Throws: `changeNotSupported` with all other references.
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
  /// Indicates whether the album is user-created and can be changed; false for smart albums,
  /// moments and transient collections.
  var isRegularAlbum: Bool { kind == .album && subtype == .albumRegular && row != nil }
}

extension CollectionList {
  /// Indicates whether the folder is user-created and can be changed.
  var isRegularFolder: Bool { kind == .folder && subtype == .regularFolder && row != nil }
}

/// A placeholder for an object that a block creates; valid in the block and, after the commit,
/// outside it.
///
/// The identifier is final. If the block fails, the identifier is never used.
public struct ObjectPlaceholder: Hashable, Sendable {
  /// The identifier that the object will have.
  public let localIdentifier: String
  let identifier: LocalIdentifier

  init(_ identifier: LocalIdentifier) {
    self.identifier = identifier
    localIdentifier = identifier.description
  }
}
