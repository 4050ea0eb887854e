// SPDX-License-Identifier: Apache-2.0
import Database
import FoundationEssentials
import Storage

/// Makes rows from manifests and files, within one transaction of the caller.
final class LibraryRebuild {
  let layout: LibraryLayout
  let database: LibraryDatabase
  private let date: Double
  private var change: Int64?
  /// What was done, and what could not be.
  private(set) var outcome = LibraryReport()

  init(_ layout: LibraryLayout, _ database: LibraryDatabase, at date: Date) {
    self.layout = layout
    self.database = database
    self.date = date.timeIntervalSince1970
  }

  /// The number of the one commit that a repair is in the history.
  private func changeNumber() throws(LibraryError) -> Int64 {
    if let change { return change }
    try database.run("INSERT INTO change (date) VALUES (?)", [.real(date)])
    let number = database.connection.lastInsertedRow
    change = number
    return number
  }

  /// Names in a folder of the library; a link to a folder, which the check reports, has none.
  private func names(_ folder: String) throws(LibraryError) -> [String] {
    let path = layout.path(folder)
    guard FileSystem.isFolderAndNoLink(path) else { return [] }
    do throws(FileError) { return try FileSystem.names(in: path) } catch {
      throw LibraryError(error)
    }
  }

  private func note(
    _ objectClass: ObjectClass, _ row: Int64, isTrashed: Bool = false
  ) throws(LibraryError) {
    let values: [SQLValue] = [.init(objectClass.rawValue), .integer(row)]
    let kind: Commit.Kind = isTrashed ? .deleted : .inserted
    try database.run(
      "INSERT INTO changedObject (change, class, object, kind, isContent) VALUES (?, ?, ?, ?, 0)",
      [.integer(try changeNumber())] + values + [.integer(kind.rawValue)])
    try database.run("INSERT OR IGNORE INTO staleManifest (class, object) VALUES (?, ?)", values)
  }

  /// Whether the database must choose another row than the one that a manifest names.
  private func isTaken(_ row: Int64, in table: String) throws(LibraryError) -> Bool {
    if row == AssetFolder.unknownRow { return true }
    let found = try database.first("SELECT 1 FROM \(table) WHERE id = ?", [.integer(row)]) { _ in
      true
    }
    return found != nil
  }

  // MARK: Assets

  /// Makes a row of every folder of an asset that has none.
  func adoptFolders() throws(LibraryError) {
    for prefix in try names(LibraryLayout.assetsName) {
      for name in try names("assets/" + prefix) {
        let folder = "assets/\(prefix)/\(name)"
        guard let uuid = LibraryLayout.asset(of: folder + "/x"),
          FileSystem.isFolderAndNoLink(layout.path(folder))
        else { continue }
        let known = try database.first(
          "SELECT 1 FROM asset WHERE uuid = ?", [.blob(LocalIdentifier(uuid, .asset).bytes)]
        ) { _ in true }
        if known == nil { try adopt(uuid) }
      }
    }
  }

  private func adopt(_ uuid: UUID) throws(LibraryError) {
    let folder = layout.assetFolder(uuid)
    let path = layout.path(folder)
    let written = LibraryLayout.json(at: path + "/" + AssetManifest.name)
      .flatMap { AssetManifest($0) }
    let files = AssetFolder(path, try names(folder))
    if var manifest = written, manifest.uuid == uuid {
      // A program may have died between a commit and the manifest that follows it.
      if !manifest.isComplete(in: files) { files.complete(&manifest) }
      if try insert(manifest, folder) { return }
    }
    guard let manifest = files.manifest(of: uuid, at: date) else {
      if files.names.contains(where: { $0 != AssetManifest.name }) {
        outcome.findings.append(
          LibraryFinding(
            .lostAsset, file: folder, identifier: LocalIdentifier(uuid, .asset).description,
            "there is no original and no manifest that can be read"))
      }
      return
    }
    if try insert(manifest, folder) {
      outcome.actions.append(
        "\(folder) had no manifest that could be read; its asset was made again from its files")
    }
  }

  /// Adds the rows of an asset; false when the manifest's values are no asset's.
  private func insert(_ manifest: AssetManifest, _ folder: String) throws(LibraryError) -> Bool {
    guard !manifest.hasRepeats else { return false }
    let columns = ["uuid", "state", "lastChange"] + AssetManifest.columns
    var values: [SQLValue] = [
      .blob(LocalIdentifier(manifest.uuid, .asset).bytes), .integer(manifest.state),
      .integer(try changeNumber()),
    ]
    values += AssetManifest.columns.map { manifest.properties[$0] ?? .null }
    let isTaken = try isTaken(manifest.row, in: "asset")
    let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    let list = columns.joined(separator: ", ")
    do throws(DatabaseError) {
      try database.connection.run(
        "INSERT INTO asset (id, \(list)) VALUES (?, \(marks))",
        [isTaken ? .null : .integer(manifest.row)] + values)
    } catch {
      guard error.code.primary == .constraint else {
        throw LibraryError(error, path: layout.database)
      }
      return false
    }
    let row = database.connection.lastInsertedRow
    for resource in manifest.resources {
      try database.run(
        """
        INSERT INTO resource (asset, type, file, digest, size, uniformType, filename)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        [
          .integer(row), .init(resource.type.rawValue), .text(folder + "/" + resource.file),
          .blob(resource.digest), .init(resource.size), .text(resource.uniformType),
          .text(resource.filename),
        ])
    }
    for file in manifest.journal {
      try database.run(
        "INSERT INTO journalFile (asset, file, kind, digest, size) VALUES (?, ?, ?, ?, ?)",
        [
          .integer(row), .text(folder + "/" + file.file), .integer(file.kind.rawValue),
          .blob(file.digest), .init(file.size),
        ])
    }
    try note(.asset, row, isTrashed: manifest.state != 0)
    return true
  }

  // MARK: Albums and folders

  /// Makes the rows of albums and folders from their manifests, and what they hold.
  func readCollections() throws(LibraryError) {
    var rows: [UUID: (row: Int64, manifest: CollectionManifest)] = [:]
    for prefix in try names(LibraryLayout.collectionsName) {
      let folder = "collections/" + prefix
      for name in try names(folder) where name.hasSuffix(".json") {
        guard
          let manifest = LibraryLayout.json(at: layout.path(folder + "/" + name))
            .flatMap({ CollectionManifest($0) }),
          folder + "/" + name == layout.collectionManifest(manifest.uuid)
        else {
          outcome.findings.append(
            LibraryFinding(
              .danglingReference, file: folder + "/" + name,
              "the manifest cannot be read or is in the wrong place; its album or folder is left out"
            ))
          continue
        }
        rows[manifest.uuid] = (try insert(manifest), manifest)
      }
    }
    for (row, manifest) in rows.values {
      try setParent(manifest, row, rows)
      try insertMembers(manifest, row)
    }
  }

  private func insert(_ manifest: CollectionManifest) throws(LibraryError) -> Int64 {
    let isTaken = try isTaken(manifest.row, in: "collection")
    try database.run(
      """
      INSERT INTO collection (id, uuid, class, subtype, title, parent, position, creationDate,
        modificationDate, state, lastChange)
      VALUES (?, ?, ?, ?, ?, NULL, ?, ?, ?, 0, ?)
      """,
      [
        isTaken ? .null : .integer(manifest.row),
        .blob(LocalIdentifier(manifest.uuid, manifest.objectClass).bytes),
        .init(manifest.objectClass.rawValue), .integer(manifest.subtype), .text(manifest.title),
        .integer(manifest.position), .real(manifest.creationDate),
        .real(manifest.modificationDate), .integer(try changeNumber()),
      ])
    let row = database.connection.lastInsertedRow
    try note(manifest.objectClass, row)
    return row
  }

  /// Puts a collection into its folder, unless that leads in a circle.
  private func setParent(
    _ manifest: CollectionManifest, _ row: Int64,
    _ rows: [UUID: (row: Int64, manifest: CollectionManifest)]
  ) throws(LibraryError) {
    guard let parent = manifest.parent, let place = rows[parent],
      place.manifest.objectClass == .collectionList
    else { return }
    var seen: Set<UUID> = [manifest.uuid]
    var next: UUID? = parent
    while let uuid = next {
      guard seen.insert(uuid).inserted else { return }
      next = rows[uuid]?.manifest.parent
    }
    try database.run(
      "UPDATE collection SET parent = ? WHERE id = ?", [.integer(place.row), .integer(row)])
  }

  private static let gap: Int64 = 1 << 20

  private func insertMembers(
    _ manifest: CollectionManifest, _ row: Int64
  ) throws(LibraryError) {
    guard manifest.objectClass == .assetCollection else { return }
    var lost = 0
    for (i, member) in manifest.members.enumerated() {
      let isAdded = try insert(member, in: row, at: Int64(i + 1) * Self.gap, state: 0)
      if !isAdded { lost += 1 }
    }
    for (i, member) in manifest.trashed.enumerated() {
      let index = Int64(min(member.index, manifest.members.count))
      let position = index * Self.gap + 1 + Int64(i) % (Self.gap - 1)
      _ = try insert(member.uuid, in: row, at: position, state: 1)
    }
    if lost > 0 {
      let identifier = LocalIdentifier(manifest.uuid, .assetCollection).description
      outcome.findings.append(
        LibraryFinding(
          .danglingReference, identifier: identifier,
          "\(lost) of \(manifest.members.count) members are not in the library any more"))
    }
  }

  private func insert(
    _ member: UUID, in album: Int64, at position: Int64, state: Int64
  ) throws(LibraryError) -> Bool {
    let table = state == 0 ? "member" : "trashedMember"
    return try database.run(
      """
      INSERT OR IGNORE INTO \(table) (album, position, asset)
      SELECT ?, ?, id FROM asset WHERE uuid = ? AND state = ?
      """,
      [
        .integer(album), .integer(position), .blob(LocalIdentifier(member, .asset).bytes),
        .integer(state),
      ]) > 0
  }

  // MARK: Manifests

  /// Sees to it that every manifest is written, and that those of deleted collections go.
  func callManifestsStale() throws(LibraryError) {
    try database.run(
      """
      INSERT OR IGNORE INTO staleManifest (class, object)
      SELECT ?, id FROM asset WHERE state < 2 UNION ALL SELECT class, id FROM collection
      """, [.init(ObjectClass.asset.rawValue)])
  }

  // MARK: Orphans

  /// Removes renderings, bases and records that no version needs; originals stay whatever happens.
  func removeOrphans() throws(LibraryError) {
    for prefix in try names(LibraryLayout.assetsName) {
      for folder in try names("assets/" + prefix) {
        let relative = "assets/\(prefix)/\(folder)"
        for name in try names(relative) { try judge(relative + "/" + name) }
      }
    }
  }

  private func judge(_ file: String) throws(LibraryError) {
    let name = FileSystem.lastName(of: file)
    let isLitter = name == AssetManifest.name + ManifestWriter.partial
    guard isLitter || AssetFolder.derivedType(of: name) != nil, LibraryLayout.isFileOfAsset(file),
      try !database.refers(to: file)
    else { return }
    do throws(FileError) { try FileSystem.remove(layout.path(file)) } catch {
      throw LibraryError(error)
    }
    outcome.actions.append("\(file) belonged to no version and was removed")
  }
}
