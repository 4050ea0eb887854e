// SPDX-License-Identifier: Apache-2.0

/// What a change block is about to delete; the identifiers of everything that is named in it.
public struct Deletion: Sendable, Hashable {
  /// Assets that go into the trash.
  public internal(set) var trashedAssets: [String] = []
  /// Assets in the trash that are deleted for good.
  public internal(set) var purgedAssets: [String] = []
  /// Albums; their assets stay.
  public internal(set) var albums: [String] = []
  /// Folders with all albums and folders in them; the assets stay.
  public internal(set) var folders: [String] = []
}

/// Asks somebody before anything is deleted.
///
/// It is asked once for each change block that deletes, after the block has returned and before
/// anything is changed, on the queue of the library: other changes wait for the answer.
public protocol ConfirmationProvider: Sendable {
  /// Whether the block may go on; otherwise it fails with `userCancelled`.
  func allows(_ deletion: Deletion) -> Bool
}
