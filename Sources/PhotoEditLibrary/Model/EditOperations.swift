// SPDX-License-Identifier: Apache-2.0

/// The operations on an asset; the raw values match PhotoKit and are not bits.
public enum AssetOperation: Int, Sendable, Hashable, CaseIterable {
  /// Moving it to the trash.
  case delete = 1
  /// Editing its content.
  case content = 2
  /// Setting its date, location, favorite flag and hidden flag.
  case properties = 3
}

/// The operations on an album or a folder; the raw values match PhotoKit and are not bits.
public enum CollectionOperation: Int, Sendable, Hashable, CaseIterable {
  /// Deleting the assets in it from the library.
  case deleteContent = 1
  /// Removing members.
  case removeContent = 2
  /// Adding members.
  case addContent = 3
  /// Creating new members in it.
  case createContent = 4
  /// Reordering its members.
  case rearrangeContent = 5
  /// Deleting it.
  case delete = 6
  /// Renaming it.
  case rename = 7
}

extension Asset {
  /// Returns whether a change block may perform an operation on the asset.
  ///
  /// No operation is allowed on shared, referenced and trashed assets or in a read-only library.
  /// The content of photos and videos can be edited.
  public func canPerform(_ operation: AssetOperation) -> Bool {
    guard isLibraryChangeable, self.sourceType == .userLibrary, self.trashedDate == nil else {
      return false
    }
    return switch operation {
    case .delete, .properties: true
    case .content: self.mediaType.hasEditableContent
    }
  }
}

extension AssetCollection {
  /// Returns whether a change block may perform an operation on the collection.
  ///
  /// User-created albums allow every operation. Smart albums, moments and synced or shared albums
  /// allow only the deletion of the assets in them. Transient ones allow nothing.
  public func canPerform(_ operation: CollectionOperation) -> Bool {
    guard isLibraryChangeable, !isTransient else { return false }
    if kind == .album, subtype == .albumRegular { return true }
    return operation == .deleteContent
  }
}

extension CollectionList {
  /// Returns whether a change block may perform an operation on the list.
  ///
  /// User-created folders allow every operation except `deleteContent`, since they contain no
  /// assets. Lists of moments and transient lists allow nothing.
  public func canPerform(_ operation: CollectionOperation) -> Bool {
    guard isLibraryChangeable, !isTransient, kind == .folder, subtype == .regularFolder else {
      return false
    }
    return operation != .deleteContent
  }
}
