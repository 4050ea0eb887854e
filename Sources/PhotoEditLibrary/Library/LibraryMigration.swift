// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite
import PhotoEditStorage

/// What opening a library of an older version did to its database.
public struct LibraryMigration: Sendable, Hashable, CustomStringConvertible {
  /// The version that the database was of.
  public let oldVersion: Int
  /// The version that it is of now.
  public let newVersion: Int
  /// The whole path of the database as it was before.
  ///
  /// Copied back in place of `library.db` while
  /// nobody uses the library, with neither `library.db-wal` nor `library.db-shm` beside it, it
  /// undoes the migration.
  public let backup: String

  /// "the database was brought from version 2 to 3; …".
  public var description: String {
    "the database was brought from version \(oldVersion) to version \(newVersion); "
      + "\(backup) is the one of before, and undoes that when it is copied back over library.db"
  }
}

extension LibraryFolder {
  /// Brings the database up to date after a copy of it was made and verified; nil where there is
  /// nothing to do.
  ///
  /// - Throws: `LibraryError`; without a verified copy nothing has changed.
  static func migrate(
    _ layout: LibraryLayout, patience: Double, at date: Date
  ) throws(LibraryError) -> LibraryMigration? {
    guard case .older(let applied) = try look(layout, patience: patience) else { return nil }
    guard LibraryAccess.permits(layout, writing: true) else { throw .readOnly(layout.root) }
    guard let backup = try keepDatabase(layout, version: applied, patience: patience, at: date)
    else { return nil }
    do throws(DatabaseError) {
      let connection = try Connection(layout.database, .readWrite, patience: patience)
      try connection.execute("PRAGMA synchronous = FULL")
      try LibrarySchema.migrations.apply(to: connection)
    } catch {
      throw LibraryError(error, path: layout.database)
    }
    return LibraryMigration(
      oldVersion: applied, newVersion: LibrarySchema.migrations.steps.count,
      backup: layout.path(backup))
  }

  /// Copies the database of a version and verifies the copy; nil when another program has brought it
  /// up to date meanwhile.
  ///
  /// - Returns: The copy, relative to the library.
  private static func keepDatabase(
    _ layout: LibraryLayout, version: Int, patience: Double, at date: Date
  ) throws(LibraryError) -> String? {
    // What a program that died leaves here is removed by the next one that writes.
    let staging = try inFiles { () throws(FileError) in
      try layout.makeFolder(LibraryLayout.stagingName)
      return try layout.makeStagingFolder()
    }
    defer { staging.discard() }
    let copy = staging.file("library.db")
    try copyDatabase(layout, to: copy, patience: patience)
    guard try verify(copy, against: version) else { return nil }
    return try inFiles { () throws(FileError) in
      guard !FileSystem.isThere(copy + "-wal") else {
        throw FileError(.io, path: copy, reason: "the copy could not be written as a whole")
      }
      try OpenFile(reading: copy).sync()
      let parents = try layout.makeFolder(LibraryLayout.backupsName)
      let backup = try publishBackup(copy, layout, version: version, at: date)
      for folder in [layout.path(LibraryLayout.backupsName)] + parents {
        try FileSystem.syncFolder(folder)
      }
      return backup
    }
  }

  /// Gives the copy the first free name of its date.
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

  /// Copies the database as of one commit; the statement is `VACUUM INTO`.
  static func copyDatabase(
    _ layout: LibraryLayout, to path: String, patience: Double = 5
  ) throws(LibraryError) {
    try makeDatabaseFile(path)
    let connection = try reader(layout, patience: patience)
    try LibraryDatabase(connection: connection).run("VACUUM INTO ?", [.text(path)])
  }

  /// Makes sure that a copy is a sound database; false when it is of another version.
  private static func verify(
    _ copy: String, against version: Int
  ) throws(LibraryError) -> Bool {
    let database = try LibraryDatabase(copy, .create)
    _ = try database.all("PRAGMA journal_mode = WAL") { $0.text(0) }
    let state = try database.calling { () throws(DatabaseError) in
      try LibrarySchema.migrations.state(of: database.connection)
    }
    if state == .current { return false }
    let integrity = try database.all("PRAGMA integrity_check(1)") { $0.text(0) }
    let isDangling = try database.first("PRAGMA foreign_key_check", [], { _ in true }) != nil
    guard state == .older(applied: version), integrity == ["ok"], !isDangling else {
      throw .damagedDatabase(
        copy, "a copy of it is not sound, so that it was not brought up to date")
    }
    return true
  }
}

extension Date {
  /// The second in UTC as names of files have it: "2026-11-22T221530Z".
  var stamp: String { formatted(.iso8601).replacing(":", with: "") }
}
