// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite
import PhotoEditStorage

/// The maintenance after commits, in steps: removes superseded files, writes manifests, and removes
/// the unfinished files of terminated processes.
///
/// Every step can be repeated, and none is required for the database to be correct.
struct LibraryMaintenance {
  let layout: LibraryLayout
  let database: LibraryDatabase
  /// The age in seconds, relative to the newest commit, at which commits expire; nil to retain all.
  var historyRetention: Double?
  /// The folder into which a repair moves files instead of deleting them.
  var aside: SetAside?

  /// The maximum number of objects and files per step, to avoid blocking other writers for long.
  static let step = 256
  /// The maximum number of members of an album whose manifest is written before the commit returns.
  static let smallAlbum = 2_000
  /// The maximum number of objects of a commit whose manifests are written before it returns.
  static let smallCommit = 32

  // MARK: After a commit

  /// Performs the work that a caller can expect to be done when a commit returns.
  func follow(_ objects: [ManifestWriter.Stale], hasLeftovers: Bool) throws(LibraryError) {
    try database.transaction { () throws(LibraryError) in
      if hasLeftovers { _ = try removeLeftovers() }
      // The manifests stay marked as stale until they are synced.
      for object in objects.prefix(Self.smallCommit) where try isSmall(object) {
        try ManifestWriter(layout: layout, database: database).write(object)
      }
    }
  }

  private func isSmall(_ object: ManifestWriter.Stale) throws(LibraryError) -> Bool {
    guard object.objectClass == .assetCollection else { return true }
    let count = try database.first(
      "SELECT count(*) FROM (SELECT 1 FROM member WHERE album = ? LIMIT ?)",
      [.integer(object.row), .init(Self.smallAlbum + 1)]
    ) { $0.int(0) }
    return (count ?? 0) <= Self.smallAlbum
  }

  // MARK: Background maintenance

  func isDue() throws(LibraryError) -> Bool {
    try database.first(
      "SELECT EXISTS (SELECT 1 FROM staleManifest) OR EXISTS (SELECT 1 FROM leftover)"
    ) { $0.bool(0) } ?? false
  }

  /// Indicates whether the library may contain files that can be written.
  func isProtectionDue() throws(LibraryError) -> Bool { try protectedRow() != nil }

  /// Performs one step of the pending work, without the erasure; returns true if there may be more.
  func runNextStep() throws(LibraryError) -> Bool {
    let isMore = try followCommits()
    let isPruning = try pruneHistory()
    return try protectFiles() || isPruning || isMore
  }

  /// Performs all pending work, at last the erasure, which needs the space of a second database.
  func finish() throws(LibraryError) {
    while try runNextStep() {}
    try erase()
  }

  // MARK: Protection

  /// Returns the last asset whose files are known to be read-only; nil for all assets.
  private func protectedRow() throws(LibraryError) -> Int64? {
    let value = try database.first("SELECT value FROM property WHERE key = 'readOnlyFiles'") {
      $0.text(0)
    }
    return value == "all" ? nil : value.flatMap { Int64($0) } ?? 0
  }

  /// Protects the files of assets that an earlier version added; returns true if there may be more.
  ///
  /// Files that are added now are read-only already; see `TransactionFiles.publish(at:)`.
  private func protectFiles() throws(LibraryError) -> Bool {
    guard try isProtectionDue() else { return false }
    return try database.transaction { () throws(LibraryError) in
      guard let last = try protectedRow() else { return false }
      let rows = try database.integers(
        "SELECT id FROM asset WHERE id > ? AND state < 2 ORDER BY id LIMIT ?",
        [.integer(last), .init(Self.step)])
      for row in rows {
        for stored in try database.storedFiles(of: row) { try protect(stored) }
      }
      try database.run(
        MaintenanceProgress.noteProtection, [.text(rows.last.map { "\($0)" } ?? "all")])
      return !rows.isEmpty
    }
  }

  /// Removes the write permissions of a file.
  private func protect(_ stored: StoredFile) throws(LibraryError) {
    // A file in the place of a folder or reached through a link is reported by the check.
    guard let path = try? layout.path(of: stored.file) else { return }
    FileSystem.makeReadOnly(path)
  }

  /// Makes all files read-only, and corrects the modification times of unchanged files, so that the
  /// check need not read them.
  func protectAll() throws(LibraryError) {
    for row in try database.integers("SELECT id FROM asset WHERE state < 2") {
      for stored in try database.storedFiles(of: row) {
        try protect(stored)
        guard let path = try? layout.path(of: stored.file), let version = FileVersion(path),
          stored.isWritten(version), (try? layout.digest(of: stored.file).bytes) == stored.digest
        else { continue }
        FileSystem.setModificationTime(of: path, to: stored.date)
      }
    }
  }

  /// Performs one step of the work left by commits; returns true if there may be more.
  ///
  /// A step that removes no entry is the last one: of a damaged table, entries may not be removable.
  private func followCommits() throws(LibraryError) -> Bool {
    var removedCount = 0
    let written = try database.transaction { () throws(LibraryError) in
      removedCount = try removeLeftovers()
      return try writeStale()
    }
    try sync(written.compactMap(\.file))
    // The manifest of an object that was changed meanwhile stays stale.
    try database.transaction { () throws(LibraryError) in
      for manifest in written where try lastChange(manifest.object) == manifest.change {
        removedCount += try database.run(
          "DELETE FROM staleManifest WHERE class = ? AND object = ?",
          [.init(manifest.object.objectClass.rawValue), .integer(manifest.object.row)])
      }
    }
    guard removedCount > 0 else { return false }
    return try isDue()
  }

  private struct Written {
    let object: ManifestWriter.Stale
    let file: String?
    let change: Int64?
  }

  private func writeStale() throws(LibraryError) -> [Written] {
    let stale = try database.all(
      "SELECT class, object FROM staleManifest LIMIT ?", [.init(Self.step)]
    ) { row in
      ObjectClass(rawValue: Int(row.int(0))).map {
        ManifestWriter.Stale(objectClass: $0, row: row.int(1))
      }
    }.compactMap { $0 }
    let writer = ManifestWriter(layout: layout, database: database)
    var written: [Written] = []
    for object in stale {
      written.append(
        Written(
          object: object, file: try writer.write(object), change: try lastChange(object)))
    }
    return written
  }

  private func lastChange(_ object: ManifestWriter.Stale) throws(LibraryError) -> Int64? {
    let table = object.objectClass == .asset ? "asset" : "collection"
    return try database.first(
      "SELECT lastChange FROM \(table) WHERE id = ?", [.integer(object.row)]
    ) { $0.int(0) }
  }

  /// Syncs manifests, outside any transaction because it may take long.
  private func sync(_ files: [String]) throws(LibraryError) {
    if files.count > 8 { return try inFiles(FileSystem.syncFileSystem(of: layout.root)) }
    for file in files { try inFiles(sync(layout.path(file))) }
  }

  /// Syncs the content and the name of a manifest, or its removal.
  private func sync(_ path: String) throws(FileError) {
    var folder = FileSystem.folder(of: path)
    do throws(FileError) {
      if FileSystem.itemExists(path) { try OpenFile(reading: path, followsLinks: false).sync() }
      // An empty folder is removed together with its last manifest.
      while !FileSystem.itemExists(folder), folder != layout.root {
        folder = FileSystem.folder(of: folder)
      }
      try FileSystem.syncFolder(folder)
    } catch {
      // The object was deleted meanwhile, and its manifest is stale again.
      guard error.kind == .missing else { throw error }
    }
  }

  // MARK: Files

  /// Removes files that commits released, unless another commit uses them again; returns the number
  /// of removed entries.
  private func removeLeftovers() throws(LibraryError) -> Int {
    var count = 0
    let files = try database.all("SELECT file FROM leftover LIMIT ?", [.init(Self.step)]) {
      $0.text(0)
    }
    for file in files {
      if try !database.refers(to: file) { try remove(file) }
      count += try database.run("DELETE FROM leftover WHERE file = ?", [.text(file)])
    }
    return count
  }

  private func remove(_ file: String) throws(LibraryError) {
    guard LibraryLayout.isFileOfAsset(file) else { return }
    if let aside {
      guard FileSystem.itemExists(layout.path(file)), try !isNamed(file) else { return }
      try aside.move(file, because: "did not belong to any version")
    } else {
      try inFiles(layout.remove(file))
    }
    ThumbnailStore.removeThumbnails(file, in: layout)
  }

  /// Returns whether an asset's manifest lists a file: before a repair the database may be older.
  private func isNamed(_ file: String) throws(LibraryError) -> Bool {
    guard let uuid = LibraryLayout.asset(of: file),
      let manifest = try layout.assetManifest(uuid)
    else { return false }
    let name = FileSystem.lastName(of: file)
    return manifest.resources.contains { $0.file == name }
      || manifest.journal.contains { $0.file == name }
  }

  // MARK: Orphans

  /// Returns whether the asset of a folder has a row; files of lost assets are not moved.
  private func isKnown(_ folder: String) throws(LibraryError) -> Bool {
    guard let uuid = LibraryLayout.asset(of: folder + "/x") else { return false }
    return try database.hasRow("asset", uuid)
  }

  /// Sets aside renderings, bases and adjustment data that no version needs; never originals.
  func setOrphansAside() throws(LibraryError) {
    try database.transaction { () throws(LibraryError) in
      for folder in try layout.assetFolders() where try isKnown(folder) {
        for name in try layout.names(folder) {
          let file = folder + "/" + name
          let isLitter = name == AssetManifest.name + ManifestWriter.partial
          guard isLitter || AssetFolder.derivedType(of: name) != nil,
            LibraryLayout.isFileOfAsset(file), try !database.refers(to: file)
          else { continue }
          try aside?.move(file, because: "did not belong to any version")
        }
      }
    }
  }

  // MARK: After the termination of a process

  /// Removes the files of processes that died between placing files and committing.
  func removeAbandoned() throws(LibraryError) {
    guard try inFiles(layout.hasFolder(LibraryLayout.stagingName)) else { return }
    StagingFolder.removeStaleStaging(in: layout.staging)
    let names = try inFiles(FileSystem.names(in: layout.staging))
    let intents = names.filter { $0.hasPrefix(IntentFile.prefix) }
    guard !intents.isEmpty else { return }
    // A process about to commit holds this database lock and the lock of its intent file.
    try database.transaction { () throws(LibraryError) in
      for name in intents { try removeIntended(layout.staging + "/" + name) }
    }
  }

  private func removeIntended(_ path: String) throws(LibraryError) {
    let text: String
    do throws(FileError) {
      let file = try OpenFile(reading: path, followsLinks: false)
      guard try file.lock() != .busy else { return }
      text =
        try file.regularSize() == 0
        ? ""
        : String(
          decoding: FileBytes.reading(path, maximumBytes: 1 << 28, followsLinks: false).array,
          as: UTF8.self)
    } catch {
      if error.kind == .missing { return }
      throw LibraryError(error)
    }
    // The last line may be truncated; its file was not yet renamed into place.
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      let file = String(line)
      if LibraryLayout.isFileOfAsset(file), try !database.refers(to: file) { try remove(file) }
    }
    try inFiles(FileSystem.remove(path))
  }
}

extension LibraryLayout {
  /// Returns whether a path relative to the library is a file in the folder of an asset.
  static func isFileOfAsset(_ file: String) -> Bool { asset(of: file) != nil }

  /// Returns the asset whose folder contains a file; nil for any other path.
  static func asset(of file: String) -> UUID? {
    let parts = file.parts(at: "/", omittingEmptyParts: false)
    guard parts.count == 4, parts[0] == "assets", isPlainName(parts[3]),
      parts[1] == parts[2].prefix(2), let uuid = UUID(uuidString: parts[2]),
      uuid.uuidString == parts[2]
    else { return nil }
    return uuid
  }
}

extension LibraryDatabase {
  /// Returns whether a version of an asset needs a file.
  func refers(to file: String) throws(LibraryError) -> Bool {
    guard let uuid = LibraryLayout.asset(of: file) else { return false }
    return try has(
      """
      SELECT 1 FROM asset a WHERE a.uuid = ? AND (
        EXISTS (SELECT 1 FROM resource r WHERE r.asset = a.id AND r.file = ?)
        OR EXISTS (SELECT 1 FROM journalFile j WHERE j.asset = a.id AND j.file = ?))
      """, [.blob(LocalIdentifier(uuid, .asset).bytes), .text(file), .text(file)])
  }

  /// Returns whether an asset or a collection has a row, in any state.
  func hasRow(_ table: String, _ uuid: UUID) throws(LibraryError) -> Bool {
    try has("SELECT 1 FROM \(table) WHERE uuid = ?", [.blob(LocalIdentifier(uuid, .asset).bytes)])
  }
}
