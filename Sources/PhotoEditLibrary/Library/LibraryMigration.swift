// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite
import PhotoEditStorage

/// The migration of a database when a library of an older version was opened.
public struct LibraryMigration: Sendable, Hashable, CustomStringConvertible {
  /// The previous version of the database.
  public let oldVersion: Int
  /// The current version of the database.
  public let newVersion: Int
  /// The full path of the copy of the database from before the migration.
  ///
  /// To undo the migration, copy it over `library.db` while no process uses the library, and remove
  /// `library.db-wal` and `library.db-shm`.
  public let backup: String

  /// "the database was migrated from version 2 to 3; …".
  public var description: String {
    "the database was migrated from version \(oldVersion) to version \(newVersion); "
      + "to undo this, copy the backup \(backup) over library.db"
  }
}

extension LibraryFolder {
  /// Migrates the database after a copy of it was made and verified; nil if it is up to date.
  ///
  /// - Throws: `LibraryError`; without a verified copy, nothing is changed.
  static func migrate(
    _ layout: LibraryLayout, busyTimeout: Double, at date: Date
  ) throws(LibraryError) -> LibraryMigration? {
    guard case .older(let applied) = try inspect(layout, busyTimeout: busyTimeout) else {
      return nil
    }
    guard LibraryAccess.permits(layout, writing: true) else { throw .readOnly(layout.root) }
    guard
      let backup = try keepDatabase(layout, version: applied, busyTimeout: busyTimeout, at: date)
    else { return nil }
    try translating({ LibraryError($0, path: layout.database) }) { () throws(DatabaseError) in
      let connection = try Connection(layout.database, .readWrite, busyTimeout: busyTimeout)
      try connection.execute("PRAGMA synchronous = FULL")
      try LibrarySchema.migrations.apply(to: connection)
    }
    return LibraryMigration(
      oldVersion: applied, newVersion: LibrarySchema.migrations.steps.count,
      backup: layout.path(backup))
  }

  /// Copies the database of a version and verifies the copy; nil if another process has migrated it
  /// in the meantime.
  ///
  /// - Returns: The copy, relative to the library.
  private static func keepDatabase(
    _ layout: LibraryLayout, version: Int, busyTimeout: Double, at date: Date
  ) throws(LibraryError) -> String? {
    // If the process is killed, the next one that writes removes this folder.
    let staging = try translating(LibraryError.init) { () throws(FileError) in
      try layout.createFolder(LibraryLayout.stagingName)
      return try layout.makeStagingFolder()
    }
    defer { staging.discard() }
    let copy = staging.file("library.db")
    try copyDatabase(layout, to: copy, busyTimeout: busyTimeout)
    guard try verify(copy, against: version) else { return nil }
    return try translating(LibraryError.init) { () throws(FileError) in
      guard !FileSystem.itemExists(copy + "-wal") else {
        throw FileError(.io, path: copy, reason: "the copy could not be written completely")
      }
      try OpenFile(reading: copy).sync()
      let parents = try layout.createFolder(LibraryLayout.backupsName)
      let backup = try publishBackup(copy, layout, version: version, at: date)
      for folder in [layout.path(LibraryLayout.backupsName)] + parents {
        try FileSystem.syncFolder(folder)
      }
      return backup
    }
  }

  /// Renames the copy to the first free name for its date.
  private static func publishBackup(
    _ copy: String, _ layout: LibraryLayout, version: Int, at date: Date
  ) throws(FileError) -> String {
    let name = "\(LibraryLayout.backupsName)/version-\(version)-\(date.stamp)"
    var number = 1
    while true {
      let candidate = name + (number == 1 ? "" : "-\(number)") + ".db"
      do throws(FileError) {
        try FileSystem.renameExclusively(copy, to: layout.path(candidate))
        return candidate
      } catch {
        guard error.kind == .exists else { throw error }
        number += 1
      }
    }
  }

  /// Copies the database as of one commit, using `VACUUM INTO`.
  static func copyDatabase(
    _ layout: LibraryLayout, to path: String, busyTimeout: Double = 5
  ) throws(LibraryError) {
    try makeDatabaseFile(path)
    let connection = try reader(layout, busyTimeout: busyTimeout)
    try LibraryDatabase(connection: connection).run("VACUUM INTO ?", [.text(path)])
  }

  /// Checks that a copy is an intact database; false if it is of another version.
  private static func verify(
    _ copy: String, against version: Int
  ) throws(LibraryError) -> Bool {
    let database = try LibraryDatabase(copy, .create)
    _ = try database.all("PRAGMA journal_mode = WAL") { $0.text(0) }
    let state = try database.calling(LibrarySchema.migrations.state(of: database.connection))
    if state == .current { return false }
    let isSound = try database.damages(limit: 1).isEmpty
    let isDangling = try database.first("PRAGMA foreign_key_check", [], { _ in true }) != nil
    guard state == .older(applied: version), isSound, !isDangling else {
      throw .damagedDatabase(
        copy, "its backup copy failed verification, so it was not migrated")
    }
    return true
  }
}

extension Date {
  /// The time in UTC, to the second, in the format of file names: "2026-11-22T221530Z".
  var stamp: String { formatted(.iso8601).replacing(":", with: "") }
}
