// SPDX-License-Identifier: Apache-2.0

/// The changes to one object.
///
/// Objects are immutable values; to show the current state, continue with `objectAfterChanges`.
public struct ObjectChangeDetails<Object: FetchedObject>: Sendable {
  /// The object that the details were requested for.
  public let objectBeforeChanges: Object
  /// The object in its state after the changes; nil if it was deleted.
  public let objectAfterChanges: Object?
  /// Indicates whether the photo or video itself changed, as by an edit or a revert, but not by
  /// marking it as a favorite.
  ///
  /// False for albums and folders.
  public let assetContentChanged: Bool

  init(from before: Object, to after: Object?, assetContentChanged: Bool) {
    objectBeforeChanges = before
    objectAfterChanges = after
    self.assetContentChanged = assetContentChanged
  }

  /// Indicates whether the object was deleted.
  public var objectWasDeleted: Bool { objectAfterChanges == nil }
}

extension ObjectChangeDetails: Codable where Object: Codable {}
