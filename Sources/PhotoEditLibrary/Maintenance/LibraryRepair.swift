// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditPlatform
import PhotoEditSQLite
import PhotoEditStorage

/// Makes the database of a library again from manifests and files.
///
/// Originals are never written, moved or removed. A database that can be read stays, and takes in
/// what the manifests know of later commits; one that is damaged is set aside. So is whatever no
/// version needs: nothing is removed.
public struct LibraryRepair: Sendable {
  /// Gives the date of what is found without a manifest.
  public var clock: @Sendable () -> Date = { Date() }

  /// Makes a repair.
  public init() {}

  /// Repairs the library in a folder; nobody else may use it meanwhile.
  ///
  /// A repair that ends early has changed nothing that the next one does not put right.
  ///
  /// - Returns: What was done, and what could not be put right.
  /// - Throws: `LibraryError`, for one of a newer version or another program's as well: nothing has
  ///   changed then.
  public func run(at url: URL) throws(LibraryError) -> LibraryReport {
    let layout = LibraryLayout(at: url)
    guard FileSystem.isFolder(layout.assets) || FileSystem.isThere(layout.database) else {
      throw .noLibrary(layout.root)
    }
    if let name = NetworkFileSystem.name(of: layout.root) {
      throw .networkFileSystem(layout.root, name)
    }
    guard LibraryAccess.permitsFolder(layout) else { throw .readOnly(layout.root) }
    var done = LibraryReport()
    let aside = SetAside(layout, at: clock())
    if let damage = try damage(layout) {
      // What has only the database's name is nothing that a library could be made of.
      guard layout.hasFolders else { throw damage }
      try rebuild(layout, aside, &done)
    } else {
      if let migration = try LibraryFolder.migrate(layout, patience: 5, at: clock()) {
        done.actions.append("\(migration)")
      }
      try putRight(layout, aside, &done)
    }
    try aside.finish()
    var report = try LibraryCheck().run(layout)
    report.actions = done.actions + aside.actions
    report.findings = done.findings + report.findings
    return report
  }

  /// Why the database is of no use; nil when it is sound.
  ///
  /// - Throws: `LibraryError` for one that is not ours to repair.
  private func damage(_ layout: LibraryLayout) throws(LibraryError) -> LibraryError? {
    guard FileSystem.isThere(layout.database) else { return .noDatabase(layout) }
    do throws(LibraryError) {
      try LibraryFolder.look(layout)
      let database = LibraryDatabase(
        connection: try LibraryFolder.reader(layout, patience: 5))
      let integrity = try database.all("PRAGMA integrity_check(1)", [], { $0.text(0) })
      guard integrity == ["ok"] else {
        return .damagedDatabase(layout.database, integrity.joined(separator: "; "))
      }
      let isDangling = try database.first("PRAGMA foreign_key_check", [], { _ in true }) != nil
      return isDangling ? .damagedDatabase(layout.database, "rows refer to none") : nil
    } catch {
      guard error.isDamage else { throw error }
      return error
    }
  }

  // MARK: A sound database

  /// Takes in what lies about, sets aside what nothing needs, and writes what manifests lack.
  private func putRight(
    _ layout: LibraryLayout, _ aside: SetAside, _ done: inout LibraryReport
  ) throws(LibraryError) {
    let database = try LibraryDatabase(layout.database, .readWrite)
    let upkeep = Upkeep(layout: layout, database: database, aside: aside)
    // Files of a commit that never came make no asset.
    try upkeep.removeAbandoned()
    try rebuild(database, layout, aside, &done)
    while try upkeep.goOn() {}
    try upkeep.setOrphansAside()
  }

  // MARK: No database

  private func rebuild(
    _ layout: LibraryLayout, _ aside: SetAside, _ done: inout LibraryReport
  ) throws(LibraryError) {
    // Made under another name: what is called library.db is always whole.
    let unfinished = layout.unfinishedDatabase + "-" + UUID().uuidString
    do throws(FileError) {
      for folder in LibraryLayout.folders { try layout.makeFolder(folder) }
    } catch {
      throw LibraryError(error)
    }
    try fill(unfinished, layout, aside, &done)
    let name = FileSystem.lastName(of: layout.database)
    // A log that stayed would be taken for the new database's.
    for file in LibraryLayout.databaseSuffixes.map({ name + $0 })
    where FileSystem.isThere(layout.path(file)) {
      try aside.move(file, because: "was of no use")
    }
    try aside.finish()
    try inFiles(LibraryFolder.publish(unfinished, in: layout))
    let upkeep = Upkeep(
      layout: layout, database: try LibraryDatabase(layout.database, .readWrite), aside: aside)
    try upkeep.removeAbandoned()
    while try upkeep.goOn() {}
    try upkeep.setOrphansAside()
  }

  private func fill(
    _ path: String, _ layout: LibraryLayout, _ aside: SetAside, _ done: inout LibraryReport
  ) throws(LibraryError) {
    let database = try LibraryFolder.makeDatabase(path)
    try rebuild(database, layout, aside, &done)
  }

  // MARK: One transaction

  /// Makes the rows that manifests and files know of.
  private func rebuild(
    _ database: LibraryDatabase, _ layout: LibraryLayout, _ aside: SetAside,
    _ done: inout LibraryReport
  ) throws(LibraryError) {
    let path = database.connection.path
    let outcome = try database.connection.transaction(
      isWriting: true, wrap: { LibraryError($0, path: path) }
    ) { () throws(LibraryError) in
      let rebuild = try LibraryRebuild(layout, database, aside, at: clock())
      try rebuild.adoptAssets()
      try rebuild.adoptCollections()
      try rebuild.finish()
      return rebuild.outcome
    }
    done.actions += outcome.actions
    done.findings += outcome.findings
  }
}

extension LibraryAccess {
  /// Whether files can be made and removed in the folder of a library, whatever its database says.
  static func permitsFolder(_ layout: LibraryLayout) -> Bool {
    access(layout.root, R_OK | W_OK | X_OK) == 0
  }
}
