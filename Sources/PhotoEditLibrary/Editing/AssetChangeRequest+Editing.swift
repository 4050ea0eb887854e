// SPDX-License-Identifier: Apache-2.0
public import PhotoEdit
import PhotoEditStorage

extension AssetChangeRequest {
  /// Makes the result of an editing session the current version of the asset.
  ///
  /// The rendering is checked when the block has returned. When the commit fails, the output stays
  /// usable. `changeNotSupported` is thrown when one block changes the content of an asset twice.
  public func setContentEditingOutput(_ output: EditingOutput) throws(LibraryError) {
    try context.add(ContentEdit(context.library.reader, identifier, .output(output)))
  }

  /// Goes back to the original in one step; an asset that is not edited stays as it is.
  public func revertAssetContentToOriginal() throws(LibraryError) {
    try context.add(
      ContentEdit(context.library.reader, identifier, .change(.revert, expecting: nil)))
  }
}

extension EditingOutput {
  /// Makes the place for the edit of an asset that the same block creates.
  ///
  /// - Parameter media: What the asset will be.
  /// - Throws: `LibraryError` with `changeNotSupported` after the block has returned.
  public convenience init(
    placeholder: ObjectPlaceholder, in context: ChangeContext, media: EditedMedia = .photo
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
  /// Makes an asset that this block creates be born with an edit.
  public func setContentEditingOutput(
    _ output: EditingOutput, for placeholder: ObjectPlaceholder
  ) throws(LibraryError) {
    try add(ContentEdit(library.reader, placeholder.identifier, .output(output)))
  }
}

extension Commit {
  /// Whether the asset is made in this commit.
  func isInserted(_ row: Int64) -> Bool {
    touchedObjects[ObjectKey(objectClass: .asset, row: row)]?.kind == .inserted
  }
}
