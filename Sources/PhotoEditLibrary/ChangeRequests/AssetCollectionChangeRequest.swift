// SPDX-License-Identifier: Apache-2.0

/// A request to change an album: its title, its assets, and their order.
///
/// Changes are applied in the order in which they are made. An album contains an asset at most
/// once, and only refers to it: an asset that is removed from an album stays in the library.
///
/// Indexes refer to the album at the time when the change is applied or, if the request was created
/// with a fetch result, to the order of that result as changed by this request so far. If another
/// process has changed the album in the meantime, each asset is placed next to its neighbor in that
/// order: directly after the nearest asset on its left that is still in the album, otherwise
/// directly before the nearest one on its right, otherwise at the end. An asset that is in the
/// result but has since been removed from the album is neither moved nor removed; a replacement for
/// it is placed like an insertion.
///
/// Indexes must be ascending and unique. Any invalid argument results in a `LibraryError` with
/// `changeNotSupported` (or `identifierNotFound`) that lists the objects concerned or the range
/// that is allowed, and nothing in the block is applied.
public final class AssetCollectionChangeRequest {
  private let context: ChangeContext
  private let identifier: LocalIdentifier
  private let order: MirroredOrder
  /// The placeholder for the album; its identifier is final.
  public let placeholder: ObjectPlaceholder

  init(_ placeholder: ObjectPlaceholder, _ order: MirroredOrder, in context: ChangeContext) {
    self.context = context
    self.placeholder = placeholder
    self.order = order
    identifier = placeholder.identifier
  }

  /// Sets the title; it may be empty, and need not be unique.
  public func setTitle(_ title: String) throws(LibraryError) {
    try context.add(try CollectionTitle(title, of: identifier))
  }

  /// Appends assets, in their order; assets that are already in the album stay where they are.
  public func addAssets(_ assets: some Sequence<some AssetReference>) throws(LibraryError) {
    try record(.append(LocalIdentifier.assets(assets)))
  }

  /// Inserts assets so that the i-th of them is at the i-th index afterwards.
  ///
  /// - Parameter indexes: One per asset, ascending; the k-th (from 0) is at most the number of
  ///   assets in the album plus k.
  /// - Throws: `changeNotSupported`, also for assets that are already in the album.
  public func insertAssets(
    _ assets: some Sequence<some AssetReference>, at indexes: some Sequence<Int>
  ) throws(LibraryError) {
    try record(.insert(LocalIdentifier.assets(assets), at: Array(indexes)))
  }

  /// Inserts each asset so that it is at the given index afterwards.
  ///
  /// - Parameter elements: Pairs in any order, with unique indexes; otherwise like
  ///   `insertAssets(_:at:)`.
  public func insertAssets(
    _ elements: some Sequence<(asset: some AssetReference, index: Int)>
  ) throws(LibraryError) {
    let sorted = elements.sorted { $0.index < $1.index }
    try insertAssets(sorted.map(\.asset), at: sorted.map(\.index))
  }

  /// Removes assets from the album; assets that are not in it are ignored.
  public func removeAssets(_ assets: some Sequence<some AssetReference>) throws(LibraryError) {
    try record(.remove(LocalIdentifier.assets(assets)))
  }

  /// Removes the assets at the given indexes from the album.
  public func removeAssets(at indexes: some Sequence<Int>) throws(LibraryError) {
    try record(.removeAt(Array(indexes)))
  }

  /// Replaces the assets at the given indexes.
  ///
  /// - Parameter assets: One per index; none may be in the album, except at its own index.
  public func replaceAssets(
    at indexes: some Sequence<Int>, with assets: some Sequence<some AssetReference>
  ) throws(LibraryError) {
    try record(.replace(at: Array(indexes), with: LocalIdentifier.assets(assets)))
  }

  /// Moves the assets at the given indexes to a target as one block, in their order.
  ///
  /// - Parameter target: The index at which the block starts, counted without the moved assets, so
  ///   that the end is the number of assets minus the number of indexes.
  public func moveAssets(at indexes: some Sequence<Int>, to target: Int) throws(LibraryError) {
    try record(.move(Array(indexes), to: target))
  }

  private func record(_ edit: ListEdit) throws(LibraryError) {
    try context.add(AlbumEdit(edit, of: identifier, in: order))
  }
}

extension ChangeContext {
  /// Creates an album at the end of the top level; the title need not be unique.
  public func createAlbum(title: String) throws(LibraryError) -> AssetCollectionChangeRequest {
    let creation = try CollectionCreation(.assetCollection, title: title)
    try add(creation)
    return AssetCollectionChangeRequest(creation.placeholder, MirroredOrder(), in: self)
  }

  /// Creates a request to change an album; indexes refer to the album when they are used.
  ///
  /// - Throws: `changeNotSupported` if the album is not user-created.
  public func change(
    _ album: AssetCollection
  ) throws(LibraryError) -> AssetCollectionChangeRequest {
    try change(album, MirroredOrder())
  }

  /// Creates a request to change an album whose indexes refer to a given order.
  func change(
    _ album: AssetCollection, _ order: MirroredOrder
  ) throws(LibraryError) -> AssetCollectionChangeRequest {
    try checkOpen()
    guard album.isRegularAlbum,
      let identifier = LocalIdentifier(album.localIdentifier, as: .assetCollection)
    else { throw .noChangeableCollections([album.localIdentifier]) }
    return AssetCollectionChangeRequest(ObjectPlaceholder(identifier), order, in: self)
  }
}

/// Changes the members of an album.
final class AlbumEdit: ChangeOperation {
  private let album: LocalIdentifier
  private let edit: ListEdit
  private let order: MirroredOrder

  init(
    _ edit: ListEdit, of album: LocalIdentifier, in order: MirroredOrder
  ) throws(LibraryError) {
    self.album = album
    self.edit = edit
    self.order = order
    try edit.checkShape(of: "\(album)")
  }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    try commit.willChange(album)
    guard let row = try commit.album(album) else { throw .noObject("\(album)") }
    switch edit {
    case .append(let assets): try append(assets, to: row, in: commit)
    case .remove(let assets): try remove(assets, from: row, in: commit)
    default: try rearrange(row, in: commit)
    }
  }

  private func append(
    _ assets: [LocalIdentifier], to album: Int64, in commit: ChangeTransaction
  ) throws(LibraryError) {
    var known: Set<Int64> = []
    let named = try commit.assets(toAdd: assets).filter { known.insert($0).inserted }
    var new: [Int64] = []
    for asset in named where try commit.position(of: asset, in: album) == nil { new.append(asset) }
    try commit.append(new, to: album)
    order.append(named)
  }

  private func remove(
    _ assets: [LocalIdentifier], from album: Int64, in commit: ChangeTransaction
  ) throws(LibraryError) {
    var removed: [PositionedList.Entry] = []
    var rows: Set<Int64> = []
    for asset in assets {
      // An asset in the trash is in no album, but may be in the order that the caller has seen.
      guard let row = try commit.asset(asset)?.row, rows.insert(row).inserted,
        let position = try commit.position(of: row, in: album)
      else { continue }
      removed.append(PositionedList.Entry(row: row, stored: position, position: nil))
    }
    order.remove(rows)
    guard !removed.isEmpty else { return }
    var rest = commit.memberLists[album] ?? PositionedList([])
    let isKnown = commit.memberLists[album] != nil
    _ = rest.remove(rows)
    try commit.write(rest, removed: removed, to: album)
    if !isKnown { commit.memberLists[album] = nil }
  }

  /// Applies the changes that use indexes.
  private func rearrange(_ album: Int64, in commit: ChangeTransaction) throws(LibraryError) {
    var list = try commit.members(of: album)
    var seen = order.seen(of: list)
    try edit.checkRange(count: seen.count, list: "\(self.album)")
    let new = try commit.assets(toAdd: edit.insertions)
    let replaced = edit.replacedRows(by: new, in: seen)
    let known = order.isTracked ? Set(seen) : []
    try refuse(edit.insertions, new) { row throws(LibraryError) in
      if replaced[row] == row { return false }
      if known.contains(row) { return true }
      return try commit.position(of: row, in: album) != nil
    }
    let removed = edit.rearrange(&list, seen: &seen, with: new)
    try commit.write(list, removed: removed, to: album)
    order.set(seen)
  }

  /// Throws an error that lists all given assets that are already in the album.
  private func refuse(
    _ assets: [LocalIdentifier], _ rows: [Int64],
    where isPresent: (Int64) throws(LibraryError) -> Bool
  ) throws(LibraryError) {
    var present: [String] = []
    for (asset, row) in zip(assets, rows) where try isPresent(row) { present.append("\(asset)") }
    guard present.isEmpty else { throw .present(present, list: "\(album)") }
  }
}
