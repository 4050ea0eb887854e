// SPDX-License-Identifier: Apache-2.0
import Database
public import FoundationEssentials
import Glibc
import Storage

/// Makes the database of a library again from manifests and files.
///
/// Originals are never written, moved or removed. A database that can be read stays; what is wrong
/// beside it is put right. One that is damaged is set aside under another name.
public struct LibraryRepair: Sendable {
  /// Gives the date of what is found without a manifest.
  public var clock: @Sendable () -> Date = { Date() }

  /// Makes a repair.
  public init() {}

  /// Repairs the library in a folder; nobody else may use it meanwhile.
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
    if FileSystem.isThere(layout.database), try isUsable(layout) {
      try putRight(layout, &done)
    } else {
      try setAside(layout, &done)
      try rebuild(layout, &done)
    }
    var report = try LibraryCheck().run(layout)
    report.actions = done.actions
    report.findings = done.findings + report.findings
    return report
  }

  /// Whether the database is sound; refuses one that is not ours to repair.
  private func isUsable(_ layout: LibraryLayout) throws(LibraryError) -> Bool {
    do throws(LibraryError) {
      try LibraryFolder.look(layout)
      let database = LibraryDatabase(
        connection: try LibraryFolder.reader(layout, patience: 5))
      guard try database.all("PRAGMA integrity_check(1)", [], { $0.text(0) }) == ["ok"] else {
        return false
      }
      return try database.first("PRAGMA foreign_key_check", [], { _ in true }) == nil
    } catch {
      guard error.isDamage else { throw error }
      return false
    }
  }

  /// Keeps what may still be of use to somebody.
  private func setAside(
    _ layout: LibraryLayout, _ done: inout LibraryReport
  ) throws(LibraryError) {
    let prefix = "damaged-\(Int(clock().timeIntervalSince1970))-"
    do throws(FileError) {
      for suffix in ["", "-wal", "-shm"] where FileSystem.isThere(layout.database + suffix) {
        let name = prefix + "library.db" + suffix
        try FileSystem.renameExclusively(layout.database + suffix, to: layout.path(name))
        done.actions.append("library.db\(suffix) is damaged and was renamed to \(name)")
      }
    } catch {
      throw LibraryError(error)
    }
  }

  // MARK: A sound database

  /// Removes litter, takes in what lies about, and writes every manifest.
  private func putRight(
    _ layout: LibraryLayout, _ done: inout LibraryReport
  ) throws(LibraryError) {
    let database = try LibraryDatabase(layout.database, .readWrite)
    let upkeep = Upkeep(layout: layout, database: database)
    try upkeep.removeAbandoned()
    while try upkeep.goOn() {}
    let outcome = try rebuild(database, layout) { rebuild throws(LibraryError) in
      try rebuild.adoptFolders()
      try rebuild.removeOrphans()
      try rebuild.callManifestsStale()
    }
    done.actions += outcome.actions
    done.findings += outcome.findings
    while try upkeep.goOn() {}
  }

  // MARK: No database

  private func rebuild(
    _ layout: LibraryLayout, _ done: inout LibraryReport
  ) throws(LibraryError) {
    // Made under another name: what is called library.db is always whole.
    let unfinished = layout.unfinishedDatabase
    do throws(FileError) {
      for folder in LibraryLayout.folders { try layout.makeFolder(folder) }
    } catch {
      throw LibraryError(error)
    }
    try fill(unfinished, layout, &done)
    do throws(FileError) {
      try LibraryFolder.publish(unfinished, in: layout)
    } catch {
      throw LibraryError(error)
    }
    let database = try LibraryDatabase(layout.database, .readWrite)
    _ = try database.all("PRAGMA journal_mode = WAL") { $0.text(0) }
    let upkeep = Upkeep(layout: layout, database: database)
    try upkeep.removeAbandoned()
    while try upkeep.goOn() {}
  }

  private func fill(
    _ path: String, _ layout: LibraryLayout, _ done: inout LibraryReport
  ) throws(LibraryError) {
    try LibraryFolder.makeDatabaseFile(path)
    let database = try LibraryDatabase(path, .create)
    try database.calling { () throws(DatabaseError) in
      try database.connection.execute("PRAGMA page_size = 8192; PRAGMA synchronous = FULL")
      try LibrarySchema.migrations.apply(to: database.connection)
    }
    let outcome = try rebuild(database, layout) { rebuild throws(LibraryError) in
      // It is another library by name: what others remember of the old one's history is no use.
      try database.run(
        "INSERT INTO property (key, value) VALUES ('identifier', ?)", [.text(UUID().uuidString)])
      try rebuild.adoptFolders()
      try rebuild.readCollections()
    }
    done.actions += outcome.actions
    done.findings += outcome.findings
  }

  // MARK: One transaction

  private func rebuild(
    _ database: LibraryDatabase, _ layout: LibraryLayout,
    _ body: (LibraryRebuild) throws(LibraryError) -> Void
  ) throws(LibraryError) -> LibraryReport {
    let path = database.connection.path
    return try database.connection.transaction(
      isWriting: true, wrap: { LibraryError($0, path: path) }
    ) { () throws(LibraryError) in
      let rebuild = LibraryRebuild(layout, database, at: clock())
      try body(rebuild)
      return rebuild.outcome
    }
  }
}

extension LibraryAccess {
  /// Whether files can be made and removed in the folder of a library, whatever its database says.
  static func permitsFolder(_ layout: LibraryLayout) -> Bool {
    access(layout.root, R_OK | W_OK | X_OK) == 0
  }
}
