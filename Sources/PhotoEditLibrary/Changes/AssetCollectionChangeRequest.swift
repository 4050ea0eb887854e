// SPDX-License-Identifier: Apache-2.0

/// A request to change an album: its title, which assets it holds, and their order.
///
/// Changes are carried out in the order in which they are made. An album holds an asset once, and
/// only holds it: what is taken out of an album stays in the library.
///
/// Indexes count in the album as it is when the change is carried out, or, when the request was made
/// with a fetch result, in the order of that result as this request has changed it so far. Should
/// another writer have changed the album since, each asset goes next to the neighbour that it has in
/// that order: directly behind the nearest one on its left that is still in the album, else directly
/// before the nearest one on its right, else to the end. What the result shows and somebody else
/// has taken out is neither moved nor removed; a replacement for it is placed like an insertion.
///
/// Indexes must ascend without repeats. Whatever a change gets wrong is a `LibraryError` with
/// `changeNotSupported` (or `identifierNotFound`) that names the objects concerned or the range that
/// was allowed, and nothing of the block is carried out.
public final class AssetCollectionChangeRequest {
  private let context: ChangeContext
  private let identifier: LocalIdentifier
  private let order: TrackedOrder
  /// Stands for the album; its identifier is final.
  public let placeholder: ObjectPlaceholder

  init(_ placeholder: ObjectPlaceholder, _ order: TrackedOrder, in context: ChangeContext) {
    self.context = context
    self.placeholder = placeholder
    self.order = order
    identifier = placeholder.identifier
  }

  /// Sets the title; it may be empty, and other albums may have the same.
  public func setTitle(_ title: String) throws(LibraryError) {
    try context.add(try CollectionTitle(title, of: identifier))
  }

  /// Puts assets at the end, in their order; those that are in the album already stay where they are.
  public func addAssets(_ assets: some Sequence<some AssetReference>) throws(LibraryError) {
    try record(.append(LocalIdentifier.assets(assets)))
  }

  /// Puts assets in so that the i-th of them is at the i-th index afterwards.
  ///
  /// - Parameter indexes: As many as assets, ascending; the k-th (from 0) is at most the number of
  ///   assets before plus k.
  /// - Throws: `changeNotSupported`, also for assets that are in the album already.
  public func insertAssets(
    _ assets: some Sequence<some AssetReference>, at indexes: [Int]
  ) throws(LibraryError) {
    try record(.insert(LocalIdentifier.assets(assets), at: indexes))
  }

  /// Puts each asset in at the index that it shall have afterwards.
  ///
  /// - Parameter places: Pairs in any order, no index twice; other than that as
  ///   `insertAssets(_:at:)`.
  public func insertAssets(
    _ places: some Sequence<(asset: some AssetReference, index: Int)>
  ) throws(LibraryError) {
    let sorted = places.sorted { $0.index < $1.index }
    try insertAssets(sorted.map(\.asset), at: sorted.map(\.index))
  }

  /// Takes assets out of the album; those that are not in it are ignored.
  public func removeAssets(_ assets: some Sequence<some AssetReference>) throws(LibraryError) {
    try record(.remove(LocalIdentifier.assets(assets)))
  }

  /// Takes the assets at some indexes out of the album.
  public func removeAssets(at indexes: [Int]) throws(LibraryError) {
    try record(.removeAt(indexes))
  }

  /// Puts assets into the places of those at some indexes.
  ///
  /// - Parameter assets: As many as indexes; none may be in the album, except in its own place.
  public func replaceAssets(
    at indexes: [Int], with assets: some Sequence<some AssetReference>
  ) throws(LibraryError) {
    try record(.replace(at: indexes, with: LocalIdentifier.assets(assets)))
  }

  /// Takes the assets at some indexes out and puts them back as one block, in their order.
  ///
  /// - Parameter target: Where the block begins; counts without the moved ones, so that the end is
  ///   the number of assets less the number of indexes.
  public func moveAssets(at indexes: [Int], to target: Int) throws(LibraryError) {
    try record(.move(indexes, to: target))
  }

  private func record(_ edit: ListEdit) throws(LibraryError) {
    try context.add(AlbumEdit(edit, of: identifier, in: order))
  }
}

extension ChangeContext {
  /// Makes an album, at the end of the top level; other albums may have the same title.
  public func createAlbum(title: String) throws(LibraryError) -> AssetCollectionChangeRequest {
    let creation = try CollectionCreation(.assetCollection, title: title)
    try add(creation)
    return AssetCollectionChangeRequest(creation.placeholder, TrackedOrder(), in: self)
  }

  /// Begins to change an album; indexes count in the album as it is when they are used.
  ///
  /// - Throws: `changeNotSupported` for anything but an album that a person made.
  public func change(
    _ album: AssetCollection
  ) throws(LibraryError) -> AssetCollectionChangeRequest {
    try change(album, TrackedOrder())
  }

  /// Begins to change an album whose indexes count in a given order.
  func change(
    _ album: AssetCollection, _ order: TrackedOrder
  ) throws(LibraryError) -> AssetCollectionChangeRequest {
    try checkOpen()
    guard album.isRegularAlbum,
      let identifier = LocalIdentifier(album.localIdentifier, as: .assetCollection)
    else { throw .noChangeableCollections([album.localIdentifier]) }
    return AssetCollectionChangeRequest(ObjectPlaceholder(identifier), order, in: self)
  }
}
