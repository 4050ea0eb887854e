// SPDX-License-Identifier: Apache-2.0
public import PhotoEdit
import PhotoEditStorage

extension AssetChangeRequest {
  /// Sets the output of an editing session as the current version of the asset.
  ///
  /// The rendering is checked after the block has returned. If the commit fails, the output remains
  /// usable. Throws `changeNotSupported` if a block changes the content of an asset twice.
  public func setContentEditingOutput(_ output: EditingOutput) throws(LibraryError) {
    try context.add(ContentEdit(context.library.reader, identifier, .output(output)))
  }

  /// Reverts to the original in one step; an unedited asset is not changed.
  public func revertAssetContentToOriginal() throws(LibraryError) {
    try context.add(
      ContentEdit(context.library.reader, identifier, .change(.revert, expecting: nil)))
  }
}

extension EditingOutput {
  /// Creates the output for an edit of an asset that the same block creates.
  ///
  /// - Parameter media: The media type of the asset.
  /// - Throws: `LibraryError` with `changeNotSupported` after the block has returned.
  public convenience init(
    placeholder: ObjectPlaceholder, in context: ChangeContext, media: EditingMediaType = .photo
  ) throws(LibraryError) {
    try context.checkOpen()
    guard placeholder.identifier.objectClass == .asset else {
      throw .otherLibrary(placeholder.localIdentifier)
    }
    self.init(
      newAsset: placeholder.localIdentifier, media,
      staging: try context.library.makeStagingFolder())
  }
}

extension ChangeContext {
  /// Sets the initial edit of an asset that this block creates.
  public func setContentEditingOutput(
    _ output: EditingOutput, for placeholder: ObjectPlaceholder
  ) throws(LibraryError) {
    try add(ContentEdit(library.reader, placeholder.identifier, .output(output)))
  }
}

extension ChangeTransaction {
  /// Returns whether the asset is inserted by this commit.
  func isInserted(_ row: Int64) -> Bool {
    touchedObjects[ObjectKey(objectClass: .asset, row: row)]?.kind == .inserted
  }
}
