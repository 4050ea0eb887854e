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
