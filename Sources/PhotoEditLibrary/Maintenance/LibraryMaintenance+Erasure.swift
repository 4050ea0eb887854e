// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite
import PhotoEditStorage

/// The erasure of purged assets from the files of the database.
///
/// A purge clears the rows of an asset. Its words are then still in the full-text index, which only
/// marks them as deleted, and unused parts of pages and the write-ahead log contain earlier rows.
/// The index is merged, the database is written again without unused parts, and the log is emptied.
extension LibraryMaintenance {
  /// Returns the progress; nil for a library of an earlier version, which cleared less of the rows.
  private func erasure() throws(LibraryError) -> String? {
    try database.first("SELECT value FROM property WHERE key = 'erasure'") { $0.text(0) }
  }

  func isErasureDue() throws(LibraryError) -> Bool { try erasure() != MaintenanceProgress.erased }

  /// Stores the progress unless it is another one by now.
  private func continueErasure(
    from former: String, to progress: String
  ) throws(LibraryError) {
    try database.run(
      "UPDATE property SET value = ? WHERE key = 'erasure' AND value = ?",
      [.text(progress), .text(former)])
  }

  /// Erases what is left of purged assets; must not be called in a transaction.
  ///
  /// A failure, for lack of space for example, leaves the rest to the next call, as does another
  /// process that reads from the log.
  func erase() throws(LibraryError) {
    while true {
      switch try erasure() {
      case MaintenanceProgress.erased?: return
      case MaintenanceProgress.rewritten?: if try !emptyLog() { return }
      case let due?: try rewriteDatabase(seeing: due)
      case nil: try clearEarlierPurges()
      }
    }
  }

  /// Writes the database again without what is left of the purges up to a progress that was read.
  func rewriteDatabase(seeing progress: String) throws(LibraryError) {
    try database.run("INSERT INTO asset_text (asset_text) VALUES ('optimize')")
    try database.run("VACUUM")
    try continueErasure(from: progress, to: MaintenanceProgress.rewritten)
  }

  /// Empties the log after the database was rewritten; returns false if other processes read it.
  func emptyLog() throws(LibraryError) -> Bool {
    let isBusy = try database.first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.bool(0) } ?? true
    if !isBusy {
      try continueErasure(from: MaintenanceProgress.rewritten, to: MaintenanceProgress.erased)
    }
    return !isBusy
  }

  /// Clears the rows of assets that an earlier version purged, and begins the progress.
  private func clearEarlierPurges() throws(LibraryError) {
    try database.transaction { () throws(LibraryError) in
      let rows = try database.integers("SELECT id FROM asset WHERE state = 2")
      for row in rows { try database.clearPurged(row) }
      try database.run(
        "INSERT OR IGNORE INTO property (key, value) VALUES ('erasure', ?)",
        [rows.isEmpty ? .text(MaintenanceProgress.erased) : MaintenanceProgress.purged()])
    }
  }
}

extension LibraryDatabase {
  /// Clears the properties of a purged asset from its row and from the history, in which earlier
  /// results find it.
  func clearPurged(_ asset: Int64) throws(LibraryError) {
    for table in ["asset", "assetHistory"] {
      try run("UPDATE \(table) SET \(Self.clearing) WHERE id = ?", [.integer(asset)])
    }
  }

  /// The columns that are kept: the identifier, and what determines whether an earlier state of the
  /// library contains the asset.
  ///
  /// All others are cleared, including those that are added later.
  private static let keptColumns: Set = [
    "id", "uuid", "mediaType", "playbackStyle", "sourceType", "modificationDate",
    "contentModificationDate", "addedDate", "isFavorite", "isHidden", "representsBurst",
    "burstSelectionTypes", "contentRevision",
  ]

  /// The columns that cannot be NULL, and one for which it matters only whether it is NULL.
  private static let clearedValues = [
    "mediaSubtypes": "0", "traits": "0", "pixelWidth": "0", "pixelHeight": "0", "duration": "0",
    "hasAdjustments": "0", "originalFilename": "''",
    "burstIdentifier": "substr(burstIdentifier, 1, 0)",
  ]

  private static let clearing = Asset.columns.filter { !keptColumns.contains($0) }
    .map { "\($0) = \(clearedValues[$0] ?? "NULL")" }.joined(separator: ", ")
}

extension PhotoLibrary {
  /// Synchronizes the library, and returns why purged assets are not erased from its database yet.
  ///
  /// - Returns: A clause for the user; nil if everything is erased.
  package func reasonForPendingErasure() -> String? {
    do throws(LibraryError) {
      try synchronize()
      let isDue = try openWriter().sync { connection throws(LibraryError) in
        try LibraryMaintenance(layout: layout, database: LibraryDatabase(connection: connection))
          .isErasureDue()
      }
      return isDue ? "another program is reading the library" : nil
    } catch {
      return error.message
    }
  }

  /// The folders with states of the library from before migrations and repairs, which a purge does
  /// not change.
  package var foldersOfEarlierStates: [String] {
    [LibraryLayout.backupsName, LibraryLayout.setAsideName].map { layout.path($0) }
      .filter { FileSystem.isFolderAndNoLink($0) }
  }
}
