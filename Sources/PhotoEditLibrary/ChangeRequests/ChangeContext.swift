// SPDX-License-Identifier: Apache-2.0

/// The context in which a change block creates its requests; valid only inside the block.
///
/// Requests are only recorded while the block runs. When it returns, all of them are applied in the
/// order in which they were made, in one atomic commit. A block that throws changes nothing.
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

  /// Throws an error for a request that is used after its block has returned.
  func checkOpen() throws(LibraryError) {
    guard isOpen else { throw .outsideBlock }
  }

  func close() { isOpen = false }

  /// Releases the requests, which also retain this context.
  func end() {
    close()
    operations = []
  }
}

/// Changes whose indexes refer to a previously fetched result.
extension ChangeContext {
  /// Creates a request to change an album; indexes refer to the order of a result that was fetched
  /// from it.
  ///
  /// If another process has changed the album in the meantime, each asset is placed next to its
  /// neighbor in the result; see `AssetCollectionChangeRequest`.
  ///
  /// - Parameter assets: The assets of the album as the caller sees them; nil for its current
  ///   assets.
  /// - Throws: `changeNotSupported` for a result of another library, or if the album is not
  ///   user-created.
  public func change(
    _ album: AssetCollection, assets: FetchResult<Asset>?
  ) throws(LibraryError) -> AssetCollectionChangeRequest {
    try change(album, order(of: assets, in: album.localIdentifier))
  }

  /// Creates a request to change a folder; indexes refer to the order of a result that was fetched
  /// from it.
  ///
  /// - Parameter children: The contents of the folder as the caller sees them; nil for its current
  ///   contents.
  public func change(
    _ folder: CollectionList, children: FetchResult<PhotoCollection>?
  ) throws(LibraryError) -> CollectionListChangeRequest {
    try change(folder, order(of: children, in: folder.localIdentifier))
  }

  /// Creates a request to change the top level; indexes refer to the order of a result.
  ///
  /// - Parameter children: The top level as the caller sees it; nil for its current contents.
  public func changeTopLevel(
    children: FetchResult<PhotoCollection>?
  ) throws(LibraryError) -> CollectionListChangeRequest {
    try changeTopLevel(order(of: children, in: "the top level"))
  }

  private func order<Object>(
    of result: FetchResult<Object>?, in list: String
  ) throws(LibraryError) -> MirroredOrder {
    guard let result else { return MirroredOrder() }
    // Rows are specific to a library; another library uses the same numbers for other objects.
    guard result.library?.identifier == library.identifier, !result.rows.contains(0) else {
      throw .resultOfOtherLibrary(list: list)
    }
    return MirroredOrder(result.rows)
  }
}
