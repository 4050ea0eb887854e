// SPDX-License-Identifier: Apache-2.0

/// What may be done to an asset; the numbers are PhotoKit's and no bits.
public enum AssetOperation: Int, Sendable, Hashable, CaseIterable {
  /// To put it into the trash.
  case delete = 1
  /// To edit its photo.
  case content = 2
  /// To set its date, place, favourite and hidden.
  case properties = 3
}

/// What may be done to an album or a folder; the numbers are PhotoKit's and no bits.
public enum CollectionOperation: Int, Sendable, Hashable, CaseIterable {
  /// To delete the assets in it from the library.
  case deleteContent = 1
  /// To take members out of it.
  case removeContent = 2
  /// To put members into it.
  case addContent = 3
  /// To make new members in it.
  case createContent = 4
  /// To put its members into another order.
  case rearrangeContent = 5
  /// To delete it.
  case delete = 6
  /// To give it another title.
  case rename = 7
}

extension Asset {
  /// Whether a change block may do something to the asset.
  ///
  /// Nothing is allowed to assets that are shared or referenced, to those in the trash, and in a
  /// library that this program may only read. The content of photos and movies can be edited.
  public func canPerform(_ operation: AssetOperation) -> Bool {
    guard isLibraryChangeable, sourceType == .userLibrary, trashedDate == nil else { return false }
    return switch operation {
    case .delete, .properties: true
    case .content: mediaType.hasEditableContent
    }
  }
}

extension AssetCollection {
  /// Whether a change block may do something to the collection.
  ///
  /// Albums that a person made allow everything. Smart albums, moments and albums that came from
  /// elsewhere allow the deletion of the assets in them. Transient ones allow nothing.
  public func canPerform(_ operation: CollectionOperation) -> Bool {
    guard isLibraryChangeable, !isTransient else { return false }
    if kind == .album, subtype == .albumRegular { return true }
    return operation == .deleteContent
  }
}

extension CollectionList {
  /// Whether a change block may do something to the list.
  ///
  /// Folders that a person made allow everything but `deleteContent`: there are no assets in them.
  /// Lists of moments and transient ones allow nothing.
  public func canPerform(_ operation: CollectionOperation) -> Bool {
    guard isLibraryChangeable, !isTransient, kind == .folder, subtype == .regularFolder else {
      return false
    }
    return operation != .deleteContent
  }
}

extension PhotoCollection {
  /// Whether a change block may do something to the album or folder.
  public func canPerform(_ operation: CollectionOperation) -> Bool {
    switch self {
    case .assets(let album): album.canPerform(operation)
    case .list(let folder): folder.canPerform(operation)
    }
  }
}
