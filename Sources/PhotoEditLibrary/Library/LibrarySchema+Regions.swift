// SPDX-License-Identifier: Apache-2.0

/// The migration for regions of photos and for the fields that the user set.
extension LibrarySchema {
  /// The columns of the migration, with their types; all may be NULL.
  ///
  /// `userFields` contains the bits of `AssetFields`, and NULL if an older version imported the
  /// asset.
  static let regionColumns = ["regions TEXT", "userFields INTEGER"]

  static let regions = ["asset", "assetHistory"].flatMap { table in
    regionColumns.map { "ALTER TABLE \(table) ADD COLUMN \($0);" }
  }.joined(separator: "\n")
}
