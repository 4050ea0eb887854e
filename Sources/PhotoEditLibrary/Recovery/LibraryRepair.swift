// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditPlatform
import PhotoEditSQLite
import PhotoEditStorage

/// Rebuilds the database of a library from manifests and files.
///
/// Originals are never written, moved or removed. A readable database is kept and updated from
/// manifests of later commits; a damaged one is set aside. Files that no version needs are set
/// aside as well: nothing is deleted.
public struct LibraryRepair: Sendable {
  /// Returns the date for objects found without a manifest.
  public var clock: @Sendable () -> Date = { Date() }
  /// Indicates whether the place names of all locations are found again; false by default.
  public var recomputesPlaceNames = false
  /// Opens the places by which locations get names; nil for none.
  package var placeIndex: @Sendable () throws(LibraryError) -> PlaceIndex? = {
    () throws(LibraryError) in try PlaceIndex.open()
  }

  /// Creates a repair.
  public init() {}

  /// Repairs the library in a folder, which must not be in use by another process.
  ///
  /// A repair that is interrupted can be repeated safely.
  ///
  /// - Returns: The actions performed and the defects that remain.
  /// - Throws: `LibraryError`, also for a library of a newer version or of another program; nothing
  ///   has changed then.
  public func run(at url: URL) throws(LibraryError) -> LibraryReport {
    let layout = LibraryLayout(at: url)
    guard FileSystem.isFolder(layout.assets) || FileSystem.itemExists(layout.database) else {
      throw .noLibrary(layout.root)
    }
    if let name = NetworkFileSystem.name(of: layout.root) {
      throw .networkFileSystem(layout.root, name)
    }
    guard LibraryAccess.permitsFolder(layout) else { throw .readOnly(layout.root) }
    let placeIndex = recomputesPlaceNames ? try placeIndex() : nil
    if recomputesPlaceNames, placeIndex == nil { throw .noPlaceFile(PlaceIndex.path) }
    var done = LibraryReport()
    let aside = SetAside(layout, at: clock())
    if let damage = try damage(layout) {
      // A database file without library folders provides nothing to rebuild from.
      guard layout.hasFolders else { throw damage }
      try rebuild(layout, aside, placeIndex, &done)
    } else {
      if let migration = try LibraryFolder.migrate(layout, busyTimeout: 5, at: clock()) {
        done.actions.append("\(migration)")
      }
      try repair(layout, aside, placeIndex, &done)
    }
    try aside.finish()
    var report = try LibraryCheck().run(layout)
    report.actions = done.actions + aside.actions
    report.findings = done.findings + report.findings
    return report
  }

  /// Returns the reason why the database is unusable; nil if it is intact.
  ///
  /// - Throws: `LibraryError` for a library that must not be repaired.
  private func damage(_ layout: LibraryLayout) throws(LibraryError) -> LibraryError? {
    guard FileSystem.itemExists(layout.database) else { return .noDatabase(layout) }
    do throws(LibraryError) {
      let state = try LibraryFolder.inspect(layout)
      let database = LibraryDatabase(
        connection: try LibraryFolder.reader(layout, busyTimeout: 5))
      let damages = try database.damages(limit: 1)
      guard damages.isEmpty else {
        return .damagedDatabase(layout.database, damages.joined(separator: "; "))
      }
      // An index that cannot even be opened cannot be dropped and filled again.
      if state == .current {
        _ = try database.first(
          "SELECT rowid FROM asset_text WHERE asset_text MATCH '\"\"'", [], { _ in true })
      }
      let isDangling = try database.first("PRAGMA foreign_key_check", [], { _ in true }) != nil
      return isDangling ? .damagedDatabase(layout.database, "rows refer to missing rows") : nil
    } catch {
      guard error.isDamage else { throw error }
      return error
    }
  }

  // MARK: Intact database

  /// Adopts newer manifests, sets unneeded files aside and writes missing manifests.
  private func repair(
    _ layout: LibraryLayout, _ aside: SetAside, _ placeIndex: PlaceIndex?,
    _ done: inout LibraryReport
  ) throws(LibraryError) {
    let database = try LibraryDatabase(layout.database, .readWrite)
    let maintenance = LibraryMaintenance(layout: layout, database: database, aside: aside)
    // Files of an uncommitted transaction must not become an asset.
    try maintenance.removeAbandoned()
    try rebuild(database, layout, aside, placeIndex, &done)
    try finish(maintenance, &done)
  }

  /// Performs the pending work after a repair.
  ///
  /// The repair is complete without the erasure, which the next process that opens the library
  /// repeats if there is no space for it now.
  func finish(
    _ maintenance: LibraryMaintenance, _ done: inout LibraryReport
  ) throws(LibraryError) {
    while try maintenance.runNextStep() {}
    try maintenance.setOrphansAside()
    try maintenance.protectAll()
    do throws(LibraryError) { try maintenance.erase() } catch {
      done.actions.append("what is left of purged assets is not erased yet: \(error.message)")
    }
  }

  // MARK: Missing or damaged database

  private func rebuild(
    _ layout: LibraryLayout, _ aside: SetAside, _ placeIndex: PlaceIndex?,
    _ done: inout LibraryReport
  ) throws(LibraryError) {
    // Created under another name, so that library.db is always complete.
    let unfinished = layout.unfinishedDatabase + "-" + UUID().uuidString
    for folder in LibraryLayout.folders { _ = try inFiles(layout.createFolder(folder)) }
    try fill(unfinished, layout, aside, placeIndex, &done)
    let name = FileSystem.lastName(of: layout.database)
    // A remaining log would be applied to the new database.
    for file in LibraryLayout.databaseSuffixes.map({ name + $0 })
    where FileSystem.itemExists(layout.path(file)) {
      try aside.move(file, because: "was not usable")
    }
    try aside.finish()
    try inFiles(LibraryFolder.publish(unfinished, in: layout))
    let maintenance = LibraryMaintenance(
      layout: layout, database: try LibraryDatabase(layout.database, .readWrite), aside: aside)
    try maintenance.removeAbandoned()
    try finish(maintenance, &done)
  }

  private func fill(
    _ path: String, _ layout: LibraryLayout, _ aside: SetAside, _ placeIndex: PlaceIndex?,
    _ done: inout LibraryReport
  ) throws(LibraryError) {
    let database = try LibraryFolder.makeDatabase(path)
    try rebuild(database, layout, aside, placeIndex, &done)
  }

  // MARK: Transaction

  /// Creates the rows described by manifests and files.
  private func rebuild(
    _ database: LibraryDatabase, _ layout: LibraryLayout, _ aside: SetAside,
    _ placeIndex: PlaceIndex?, _ done: inout LibraryReport
  ) throws(LibraryError) {
    let outcome = try database.transaction { () throws(LibraryError) in
      let rebuild = try LibraryRebuild(layout, database, aside, at: clock())
      try rebuild.adoptAssets()
      try rebuild.adoptCollections()
      try rebuild.completeMetadata()
      if let placeIndex { try rebuild.recomputePlaceNames(placeIndex) }
      try rebuild.finish()
      if try SearchTables(database: database).repair() {
        rebuild.outcome.actions.append("the search tables were filled again from the assets")
      }
      return rebuild.outcome
    }
    done.actions += outcome.actions
    done.findings += outcome.findings
  }
}

extension LibraryAccess {
  /// Returns whether the library folder is writable, regardless of the state of the database.
  static func permitsFolder(_ layout: LibraryLayout) -> Bool {
    access(layout.root, R_OK | W_OK | X_OK) == 0
  }
}
