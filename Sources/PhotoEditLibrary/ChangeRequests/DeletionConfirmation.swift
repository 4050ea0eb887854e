// SPDX-License-Identifier: Apache-2.0

/// The objects that a change block is about to delete, by identifier.
public struct PendingDeletion: Sendable, Hashable {
  /// Assets that are moved to the trash.
  public internal(set) var trashedAssets: [String] = []
  /// Assets in the trash that are permanently deleted.
  public internal(set) var purgedAssets: [String] = []
  /// Albums; their assets are kept.
  public internal(set) var albums: [String] = []
  /// Folders with all albums and folders in them; the assets are kept.
  public internal(set) var folders: [String] = []
}

/// Confirms deletions, for example by asking the user.
///
/// It is called once for each change block that deletes objects, after the block has returned and
/// before anything is changed, on the queue of the library: other changes wait for the answer.
public protocol ConfirmationProvider: Sendable {
  /// Returns whether the block may proceed; otherwise it fails with `userCancelled`.
  func allows(_ deletion: PendingDeletion) -> Bool
}
