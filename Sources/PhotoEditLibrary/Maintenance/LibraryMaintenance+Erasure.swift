// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite
import PhotoEditStorage

/// The erasure of purged assets from the files of the database.
///
/// A purge clears the rows of an asset. Its words are then still in the full-text index, which only
/// marks them as deleted, and unused parts of pages and the write-ahead log contain earlier rows.
/// The index is merged, the database is written again without unused parts, and the log is emptied.
extension LibraryMaintenance {
  /// The progress of the erasure; the raw values are stored.
  ///
  /// A library of an earlier version, which cleared less of the rows, has none.
  private enum Erasure: String {
    /// An asset was purged.
    case due
    /// The database is clean, but other processes may still read from the log.
    case log
    case done
  }

  /// Stores the progress of the erasure.
  static let noteErasure = "INSERT OR REPLACE INTO property (key, value) VALUES ('erasure', ?)"
  static let dueErasure = DatabaseValue.text(Erasure.due.rawValue)
  static let doneErasure = DatabaseValue.text(Erasure.done.rawValue)

  private func erasure() throws(LibraryError) -> Erasure? {
    try database.first("SELECT value FROM property WHERE key = 'erasure'") {
      Erasure(rawValue: $0.text(0))
    } ?? nil
  }

  func isErasureDue() throws(LibraryError) -> Bool { try erasure() != .done }

  /// Erases what is left of purged assets; must not be called in a transaction.
  ///
  /// A failure, for lack of space for example, leaves the rest to the next call.
  func erase() throws(LibraryError) {
    var state = try erasure()
    if state == .done { return }
    if state == nil { state = try clearEarlierPurges() ? .due : .done }
    if state == .due {
      try database.run("INSERT INTO asset_text (asset_text) VALUES ('optimize')")
      try database.run("VACUUM")
      try database.run(Self.noteErasure, [.text(Erasure.log.rawValue)])
      state = .log
    }
    if state == .log {
      let isBusy = try database.first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.bool(0) } ?? true
      if isBusy { return }
    }
    try database.run(Self.noteErasure, [Self.doneErasure])
  }

  /// Clears the rows of assets that an earlier version purged; returns false if it has no such rows.
  private func clearEarlierPurges() throws(LibraryError) -> Bool {
    try database.transaction { () throws(LibraryError) in
      let rows = try database.integers("SELECT id FROM asset WHERE state = 2")
      for row in rows { try database.clearPurged(row) }
      if !rows.isEmpty { try database.run(Self.noteErasure, [Self.dueErasure]) }
      return !rows.isEmpty
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

  /// The columns that cannot be NULL, and one of which only it matters whether it is NULL.
  private static let clearedValues = [
    "mediaSubtypes": "0", "traits": "0", "pixelWidth": "0", "pixelHeight": "0", "duration": "0",
    "hasAdjustments": "0", "originalFilename": "''",
    "burstIdentifier": "substr(burstIdentifier, 1, 0)",
  ]

  private static let clearing = Asset.columns.filter { !keptColumns.contains($0) }
    .map { "\($0) = \(clearedValues[$0] ?? "NULL")" }.joined(separator: ", ")
}

extension PhotoLibrary {
  /// The folders with states of the library from before migrations and repairs, which a purge does
  /// not change.
  package var foldersOfEarlierStates: [String] {
    [LibraryLayout.backupsName, LibraryLayout.setAsideName].map { layout.path($0) }
      .filter { FileSystem.isFolderAndNoLink($0) }
  }
}
