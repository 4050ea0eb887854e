// SPDX-License-Identifier: Apache-2.0
public import PhotoEditCodecs
public import PhotoEditPixels
import PhotoEditStorage

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

  // MARK: Changes whose indexes refer to a previously fetched result

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

  /// Adds a request to create an asset from decoded pixels, which must be sRGB and oriented `up`.
  ///
  /// The file does not include metadata of the source. The creation date is the current date; the
  /// request can set another.
  ///
  /// - Parameters:
  ///   - image: An image with at least one pixel.
  ///   - encoding: The file format.
  /// - Throws: `changeNotSupported` if the format cannot store such an image.
  public func createAsset(
    from image: ImageBuffer, encoding: PixelEncoding
  ) throws(LibraryError) -> AssetCreationRequest {
    try createAsset(from: image, profile: nil, encoding: encoding)
  }

  /// Adds a request to create an asset from pixels, such as those of an `EditingInput`.
  ///
  /// Samples of 8 bits stay what they are; all others are stored with 16 bits, for which floats are
  /// rounded and clamped to their range. A PNG contains the profile of the color space. The file
  /// does not include metadata of the source. The creation date is the current date; the request
  /// can set another.
  ///
  /// - Parameters:
  ///   - pixels: At least one pixel.
  ///   - encoding: The file format. A JPEG requires 8 bits and sRGB.
  /// - Throws: `changeNotSupported` if the format cannot store such pixels.
  public func createAsset<Sample>(
    from pixels: PixelBuffer<Sample>, encoding: PixelEncoding = .png
  ) throws(LibraryError) -> AssetCreationRequest {
    try createAsset(
      from: ImageBuffer(pixels), profile: pixels.colorSpace.icc, encoding: encoding)
  }

  private func createAsset(
    from image: ImageBuffer, profile: [UInt8]?, encoding: PixelEncoding
  ) throws(LibraryError) -> AssetCreationRequest {
    try checkOpen()
    let bytes = try translating(
      {
        LibraryError(
          .changeNotSupported, "cannot create an asset from the pixels: \($0 as CodecError)",
          hint: "use PNG, or pixels that the encoding supports")
      }, encoding.encode(image, profile: profile))
    let request = try createAsset()
    try request.addResource(.photo, data: bytes)
    try request.setCreationDate(library.configuration.clock())
    return request
  }
}

/// A recorded request.
///
/// First, every operation of a block is prepared: files are copied, read and checked, which may
/// take long and blocks no other process. Then every operation is applied, in one transaction.
protocol ChangeOperation: AnyObject {
  /// Throws an error if this program lacks the required access; called before anything else.
  func checkAccess(_ access: LibraryAccess) throws(LibraryError)
  /// Throws an error for a malformed request; called for all requests of a block before any file is
  /// touched.
  func checkShape() throws(LibraryError)
  /// Does the work that needs no database: stages and checks files.
  func prepare(_ commit: TransactionFiles) throws(LibraryError)
  func apply(to commit: ChangeTransaction) throws(LibraryError)
  /// Completes the operation after the commit, such as removing the sources of moved files. Must
  /// not fail.
  func finish()
  /// Reverses `prepare` after a failed commit. Must not fail.
  func rollBack()
}

extension ChangeOperation {
  func checkAccess(_ access: LibraryAccess) throws(LibraryError) { try access.check(.readWrite) }
  func checkShape() throws(LibraryError) {}
  func prepare(_ commit: TransactionFiles) throws(LibraryError) {}
  func finish() {}
  func rollBack() {}
}

/// A request to delete objects.
protocol DestructiveOperation: ChangeOperation {
  func describe(in deletion: inout PendingDeletion)
}
