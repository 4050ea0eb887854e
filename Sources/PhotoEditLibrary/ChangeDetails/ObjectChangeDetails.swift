// SPDX-License-Identifier: Apache-2.0

/// What became of one object.
///
/// Objects are values and never change themselves; whoever shows one goes on with
/// `objectAfterChanges`.
public struct ObjectChangeDetails<Object: FetchedObject>: Sendable {
  /// The object that the details were asked for.
  public let objectBeforeChanges: Object
  /// The object as it is after the changes; nil when it was deleted.
  public let objectAfterChanges: Object?
  /// Whether the photo or movie itself is another one: an edit or its reversal, not a favourite.
  ///
  /// False for albums and folders.
  public let assetContentChanged: Bool

  init(from before: Object, to after: Object?, assetContentChanged: Bool) {
    objectBeforeChanges = before
    objectAfterChanges = after
    self.assetContentChanged = assetContentChanged
  }

  /// Whether the object is not there any more.
  public var objectWasDeleted: Bool { objectAfterChanges == nil }
}

extension ObjectChangeDetails: Codable where Object: Codable {}
