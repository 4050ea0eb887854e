// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite

/// The progress of maintenance over many steps, as stored in the table `property`.
enum MaintenanceProgress {
  /// Stores the last asset of an earlier version whose files were made read-only; "all" after the
  /// last one.
  static let noteProtection =
    "INSERT OR REPLACE INTO property (key, value) VALUES ('readOnlyFiles', ?)"

  // MARK: Erasure

  /// The progress when the database is clean, but other processes may still read from the log.
  static let rewritten = "log"
  /// The progress when nothing is left to erase.
  static let erased = "done"

  /// Returns the progress after a purge.
  ///
  /// It is another one for each purge, so that the end of an erasure that began before a purge of
  /// another process is not stored as the end of that one's.
  static func purged() -> DatabaseValue { .text("due:" + UUID().uuidString) }

  /// Stores that a new library needs no erasure.
  static let noteNoErasure =
    "INSERT INTO property (key, value) VALUES ('erasure', '\(erased)')"

  /// Stores that an asset was purged; where no progress is stored, all purged assets are erased.
  static func noteErasure(_ database: LibraryDatabase) throws(LibraryError) {
    try database.run("UPDATE property SET value = ? WHERE key = 'erasure'", [purged()])
  }
}
