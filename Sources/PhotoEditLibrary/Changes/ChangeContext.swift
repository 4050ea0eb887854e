// SPDX-License-Identifier: Apache-2.0

/// What a change block makes its requests with; worth nothing outside of the block.
///
/// Requests are only recorded while the block runs. When it returns, all of them are carried out in
/// the order in which they were made, in one commit, or none is. A block that throws changes nothing.
public final class ChangeContext {
  let library: PhotoLibrary
  private(set) var operations: [any ChangeOperation] = []
  private(set) var isOpen = true

  init(_ library: PhotoLibrary) { self.library = library }

  /// Records a request.
  ///
  /// - Throws: `LibraryError` with `changeNotSupported` after the block has returned.
  func add(_ operation: any ChangeOperation) throws(LibraryError) {
    try checkOpen()
    operations.append(operation)
  }

  /// Refuses requests that outlived their block.
  func checkOpen() throws(LibraryError) {
    guard isOpen else { throw .outsideBlock }
  }

  func close() { isOpen = false }

  /// Lets go of the requests, which hold on to their block as well.
  func end() {
    close()
    operations = []
  }
}

/// Changes whose indexes count in a result that was fetched before.
extension ChangeContext {
  /// Begins to change an album; indexes count in the order of a result that was fetched from it.
  ///
  /// Should another writer have changed the album since, each asset goes next to the neighbour that
  /// it has in the result; see `AssetCollectionChangeRequest`.
  ///
  /// - Parameter assets: What the caller sees of the album; nil for the album as it is.
  /// - Throws: `changeNotSupported` for a result of another library, or for anything but an album
  ///   that a person made.
  public func change(
    _ album: AssetCollection, assets: FetchResult<Asset>?
  ) throws(LibraryError) -> AssetCollectionChangeRequest {
    try change(album, order(of: assets, in: album.localIdentifier))
  }

  /// Begins to change a folder; indexes count in the order of a result that was fetched from it.
  ///
  /// - Parameter children: What the caller sees of the folder; nil for the folder as it is.
  public func change(
    _ folder: CollectionList, children: FetchResult<PhotoCollection>?
  ) throws(LibraryError) -> CollectionListChangeRequest {
    try change(folder, order(of: children, in: folder.localIdentifier))
  }

  /// Begins to change what is in no folder; indexes count in the order of a result.
  ///
  /// - Parameter children: What the caller sees of the top level; nil for the top level as it is.
  public func changeTopLevel(
    children: FetchResult<PhotoCollection>?
  ) throws(LibraryError) -> CollectionListChangeRequest {
    try changeTopLevel(order(of: children, in: "the top level"))
  }

  private func order<Object>(
    of result: FetchResult<Object>?, in list: String
  ) throws(LibraryError) -> TrackedOrder {
    guard let result else { return TrackedOrder() }
    // Rows are numbers of one library; another one has the same numbers for other objects.
    guard result.library?.identifier == library.identifier, !result.rows.contains(0) else {
      throw .foreignResult(list: list)
    }
    return TrackedOrder(result.rows)
  }
}
