// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite
import PhotoEditStorage

/// Creates or updates rows from newer manifests and files, in one commit.
///
/// A manifest of a later commit than its row is adopted. One of the same or an earlier commit with
/// different content is overwritten from the row, after a copy is set aside.
final class LibraryRebuild {
  let layout: LibraryLayout
  let database: LibraryDatabase
  let commit: ChangeTransaction
  let aside: SetAside
  /// The objects whose manifests match the database.
  var matching: Set<ManifestWriter.Stale> = []
  /// The actions performed and the defects that remain.
  var outcome = LibraryReport()

  init(
    _ layout: LibraryLayout, _ database: LibraryDatabase, _ aside: SetAside, at date: Date
  ) throws(LibraryError) {
    self.layout = layout
    self.database = database
    self.aside = aside
    let latest = try layout.latestCommitOfManifests()
    commit = ChangeTransaction(database, TransactionFiles(layout), date: date, after: latest)
    guard latest > (try database.version()) else { return }
    // Later commits must have higher numbers than any manifest.
    if try database.version() == 0 {
      try LibraryHistory(database: database).expire(upTo: HistoryMark(number: latest, date: 0))
    }
    _ = try commit.change()
  }

  /// Returns whether a manifest's row number is taken, so that the database must assign another.
  func isTaken(_ row: Int64, in table: String) throws(LibraryError) -> Bool {
    if row == AssetFolder.unknownRow { return true }
    return try database.has("SELECT 1 FROM \(table) WHERE id = ?", [.integer(row)])
  }

  /// Sets a copy of a manifest aside before it is rewritten, unless it was known to be out of date.
  func keep(_ file: String, of object: ManifestWriter.Stale) throws(LibraryError) {
    let isDue = try database.has(
      "SELECT 1 FROM staleManifest WHERE class = ? AND object = ?",
      [.init(object.objectClass.rawValue), .integer(object.row)])
    guard !isDue, layout.isFile(file) else { return }
    try aside.copy(file, because: "differs from the database")
  }

  // MARK: Assets

  /// Creates missing rows for asset folders, and adopts manifests later than their rows.
  func adoptAssets() throws(LibraryError) {
    for folder in try layout.assetFolders() {
      guard let uuid = LibraryLayout.asset(of: folder + "/x") else { continue }
      let known = try database.first(
        "SELECT id, state, lastChange FROM asset WHERE uuid = ?",
        [.blob(LocalIdentifier(uuid, .asset).bytes)]
      ) { ExistingRow(row: $0.int(0), state: $0.int(1), lastChange: $0.int(2)) }
      if let known { try compare(uuid, known) } else { try adopt(uuid) }
    }
  }

  struct ExistingRow {
    let row: Int64
    let state: Int64
    let lastChange: Int64
  }

  private func adopt(_ uuid: UUID) throws(LibraryError) {
    let folder = layout.assetFolder(uuid)
    let files = AssetFolder(layout.path(folder), try layout.names(folder))
    if var manifest = try layout.assetManifest(uuid) {
      // A process may have died between a commit and the write of the manifest.
      if !manifest.isComplete(in: files) { files.complete(&manifest) }
      if try insert(manifest, folder) { return }
    }
    let file = folder + "/" + AssetManifest.name
    if layout.isFile(file) { try aside.copy(file, because: "is not a readable manifest") }
    guard let manifest = files.manifest(of: uuid, at: commit.date) else {
      if files.names.contains(where: { $0 != AssetManifest.name }) {
        outcome.findings.append(
          LibraryIssue(
            .lostAsset, file: folder, identifier: LocalIdentifier(uuid, .asset).description,
            "no original and no readable manifest"))
      }
      return
    }
    if try insert(manifest, folder) {
      outcome.actions.append(
        "\(folder) had no readable manifest; its asset was rebuilt from its files")
    }
  }

  private func compare(_ uuid: UUID, _ known: ExistingRow) throws(LibraryError) {
    let folder = layout.assetFolder(uuid)
    let object = ManifestWriter.Stale(objectClass: .asset, row: known.row)
    let file = folder + "/" + AssetManifest.name
    let own = try AssetManifest(known.row, in: database)
    guard var written = try layout.assetManifest(uuid) else { return try keep(file, of: object) }
    let isElsewhere = try database.has(
      """
      SELECT 1 FROM (SELECT asset, file FROM resource UNION ALL SELECT asset, file FROM journalFile)
      WHERE asset = ? AND file NOT GLOB ?
      """, [.integer(known.row), .text(folder + "/*")])
    if let own, own.matches(written), !isElsewhere {
      matching.insert(object)
      return
    }
    let isLater =
      own.map { written.isLater(than: $0) }
      ?? (written.commit.map { $0.number > known.lastChange } ?? false)
    let files = AssetFolder(layout.path(folder), try layout.names(folder))
    // A damaged name is still text: only the missing file shows that the row is wrong.
    let isOfSameCommit = written.commit?.number == known.lastChange
    let namesOthers =
      isOfSameCommit && (isElsewhere || own.map { !$0.hasOriginals(in: files) } ?? false)
    if isLater || namesOthers, written.hasOriginals(in: files) {
      if !written.isComplete(in: files) { files.complete(&written) }
      if try update(known, to: written, folder) {
        outcome.actions.append(
          isLater
            ? "\(file) is newer than the database and was adopted"
            : "\(file) was adopted, since the database named files that are not there")
        return
      }
    }
    try keep(file, of: object)
  }

  /// Inserts the rows of an asset; returns false if the manifest's values are invalid.
  private func insert(_ manifest: AssetManifest, _ folder: String) throws(LibraryError) -> Bool {
    guard !manifest.hasRepeats else { return false }
    let row: DatabaseValue = try isTaken(manifest.row, in: "asset") ? .null : .integer(manifest.row)
    let columns = ["id", "uuid", "lastChange"] + Self.columns
    let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    let isDone = try write(
      "INSERT INTO asset (\(columns.joined(separator: ", "))) VALUES (\(marks))",
      [
        row, .blob(LocalIdentifier(manifest.uuid, .asset).bytes), .integer(try commit.change()),
      ] + manifest.values)
    guard isDone else { return false }
    let inserted = database.connection.lastInsertedRow
    try insertFiles(manifest, inserted, folder)
    try commit.touchAsset(inserted, manifest.state == 0 ? .inserted : .deleted)
    return true
  }

  /// Updates the rows of an asset from its manifest; returns false if its values are invalid.
  private func update(
    _ known: ExistingRow, to manifest: AssetManifest, _ folder: String
  ) throws(LibraryError) -> Bool {
    guard !manifest.hasRepeats else { return false }
    // The first call records the previous row, the second the change of state.
    try commit.touchAsset(known.row, isContent: true)
    if known.state != manifest.state {
      try commit.touchAsset(known.row, manifest.state == 0 ? .inserted : .deleted)
    }
    let assignments = Self.columns.map { $0 + " = ?" }.joined(separator: ", ")
    let isDone = try write(
      "UPDATE asset SET \(assignments) WHERE id = ?", manifest.values + [.integer(known.row)])
    guard isDone else { return false }
    for table in ["resource", "journalFile"] {
      try database.run("DELETE FROM \(table) WHERE asset = ?", [.integer(known.row)])
    }
    try insertFiles(manifest, known.row, folder)
    return true
  }

  private static let columns = ["state"] + PhotoProperties.columns

  /// Runs a statement; returns false if the values violate a constraint.
  private func write(_ sql: String, _ values: [DatabaseValue]) throws(LibraryError) -> Bool {
    do throws(DatabaseError) {
      try database.connection.run(sql, values)
      return true
    } catch {
      guard error.code.primary == .constraint else {
        throw LibraryError(error, path: layout.database)
      }
      return false
    }
  }

  private func insertFiles(
    _ manifest: AssetManifest, _ row: Int64, _ folder: String
  ) throws(LibraryError) {
    for var resource in manifest.resources {
      resource.file = folder + "/" + resource.file
      try commit.put(resource, of: row)
    }
    for file in manifest.journal {
      try database.run(
        "INSERT INTO journalFile (asset, file, kind, digest, size) VALUES (?, ?, ?, ?, ?)",
        [
          .integer(row), .text(folder + "/" + file.file), .integer(file.kind.rawValue),
          .blob(file.digest), .init(file.size),
        ])
    }
  }

  // MARK: Completion

  /// Completes the commit and schedules every differing manifest to be written.
  func finish() throws(LibraryError) {
    try resolveMembers()
    try commit.finish()
    for objectClass in [ObjectClass.asset, .assetCollection, .collectionList] {
      let rows = try database.integers(
        objectClass == .asset
          ? "SELECT id FROM asset WHERE state < 2"
          : "SELECT id FROM collection WHERE class = \(objectClass.rawValue)")
      for row in rows where !matching.contains(.init(objectClass: objectClass, row: row)) {
        try database.run(
          "INSERT OR IGNORE INTO staleManifest (class, object) VALUES (?, ?)",
          [.init(objectClass.rawValue), .integer(row)])
      }
    }
  }
}

extension AssetManifest {
  fileprivate var values: [DatabaseValue] {
    [.integer(state)] + PhotoProperties.columns.map { properties[$0] ?? .null }
  }

  fileprivate func hasOriginals(in folder: AssetFolder) -> Bool {
    let names = Set(folder.names)
    return resources.allSatisfy {
      AssetFolder.derivedType(of: $0.file) != nil || names.contains($0.file)
    }
  }
}
