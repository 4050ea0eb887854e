// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite
import PhotoEditStorage

/// The rebuild of albums, folders and their members.
extension LibraryRebuild {
  /// Creates missing rows of albums and folders, and adopts manifests later than their rows.
  func adoptCollections() throws(LibraryError) {
    var adopted: [Adopted] = []
    for file in try layout.collectionManifests() {
      guard let manifest = try layout.validJSON(file).flatMap({ CollectionManifest($0) }),
        file == layout.collectionManifest(manifest.uuid)
      else {
        try refuse(file)
        continue
      }
      if let next = try adopt(manifest, file) { adopted.append(next) }
    }
    for next in adopted {
      try setParent(next.manifest, next.row)
      try setMembers(next)
    }
  }

  /// A collection whose parent and members are to be set.
  private struct Adopted {
    let row: Int64
    let manifest: CollectionManifest
    var isNew = false
  }

  /// Schedules an unreadable manifest to be rewritten if its row is known; otherwise reports it.
  private func refuse(_ file: String) throws(LibraryError) {
    let name = FileSystem.splitName(FileSystem.lastName(of: file)).stem
    if let uuid = UUID(uuidString: name), file == layout.collectionManifest(uuid),
      let (known, objectClass) = try known(uuid)
    {
      return try keep(file, of: .init(objectClass: objectClass, row: known.row))
    }
    outcome.findings.append(
      LibraryIssue(
        .danglingReference, file: file,
        "the manifest is unreadable or misplaced; its album or folder is omitted"))
  }

  private func known(_ uuid: UUID) throws(LibraryError) -> (ExistingRow, ObjectClass)? {
    let found = try database.first(
      "SELECT id, state, lastChange, class FROM collection WHERE uuid = ?",
      [.blob(LocalIdentifier(uuid, .assetCollection).bytes)]
    ) { row in
      ObjectClass(rawValue: Int(row.int(3))).map {
        (ExistingRow(row: row.int(0), state: row.int(1), lastChange: row.int(2)), $0)
      }
    }
    return found ?? nil
  }

  /// Adopts a later manifest; returns nil if the row remains unchanged.
  private func adopt(
    _ manifest: CollectionManifest, _ file: String
  ) throws(LibraryError) -> Adopted? {
    guard let (known, objectClass) = try known(manifest.uuid) else {
      return Adopted(row: try insert(manifest), manifest: manifest, isNew: true)
    }
    let object = ManifestWriter.Stale(objectClass: objectClass, row: known.row)
    let own = try CollectionManifest(known.row, in: database)
    if let own, own.matches(manifest) {
      matching.insert(object)
      return nil
    }
    let isLater =
      own.map { manifest.isLater(than: $0) }
      ?? (manifest.commit.map { $0.number > known.lastChange } ?? false)
    guard isLater, objectClass == manifest.objectClass else {
      try keep(file, of: object)
      return nil
    }
    try commit.touchCollection(objectClass, known.row)
    if known.state != 0 { try commit.touchCollection(objectClass, known.row, .inserted) }
    try database.run(
      """
      UPDATE collection SET subtype = ?, title = ?, position = ?, creationDate = ?,
        modificationDate = ?, state = 0 WHERE id = ?
      """, manifest.values + [.integer(known.row)])
    outcome.actions.append("\(file) is newer than the database and was adopted")
    return Adopted(row: known.row, manifest: manifest)
  }

  private func insert(_ manifest: CollectionManifest) throws(LibraryError) -> Int64 {
    let isTaken = try isTaken(manifest.row, in: "collection")
    try database.run(
      """
      INSERT INTO collection (subtype, title, position, creationDate, modificationDate, id, uuid,
        class, parent, state, lastChange) VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, 0, ?)
      """,
      manifest.values + [
        isTaken ? .null : .integer(manifest.row),
        .blob(LocalIdentifier(manifest.uuid, manifest.objectClass).bytes),
        .init(manifest.objectClass.rawValue), .integer(try commit.change()),
      ])
    let row = database.connection.lastInsertedRow
    try commit.touchCollection(manifest.objectClass, row, .inserted)
    return row
  }

  /// Moves a collection into its folder, unless that would create a cycle.
  private func setParent(_ manifest: CollectionManifest, _ row: Int64) throws(LibraryError) {
    var folder: Int64?
    if let parent = manifest.parent {
      folder = try database.row(of: LocalIdentifier(parent, .collectionList))
    }
    var seen: Set<Int64> = [row]
    var above = folder
    while let next = above {
      guard seen.insert(next).inserted else {
        folder = nil
        break
      }
      let parent = try database.first(
        "SELECT parent FROM collection WHERE id = ?", [.integer(next)]
      ) { $0.optionalInt(0) }
      above = parent ?? nil
    }
    try database.run(
      "UPDATE collection SET parent = ? WHERE id = ?", [.init(folder), .integer(row)])
  }

  // MARK: Members

  private static let gap: Int64 = 1 << 20

  private func setMembers(_ adopted: Adopted) throws(LibraryError) {
    let (row, manifest) = (adopted.row, adopted.manifest)
    guard manifest.objectClass == .assetCollection else { return }
    let before = try positions(in: row)
    for table in ["member", "trashedMember"] {
      try database.run("DELETE FROM \(table) WHERE album = ?", [.integer(row)])
    }
    var lost = 0
    for (i, member) in manifest.members.enumerated() {
      let isAdded = try insert(member, in: row, at: Int64(i + 1) * Self.gap, isTrashed: false)
      if !isAdded { lost += 1 }
    }
    for (i, member) in manifest.trashed.enumerated() {
      let index = Int64(min(member.index, manifest.members.count))
      let position = index * Self.gap + 1 + Int64(i) % (Self.gap - 1)
      _ = try insert(member.uuid, in: row, at: position, isTrashed: true)
    }
    if lost > 0 {
      let identifier = LocalIdentifier(manifest.uuid, .assetCollection).description
      outcome.findings.append(
        LibraryIssue(
          .danglingReference, identifier: identifier,
          "\(lost) of \(manifest.members.count) members are no longer in the library"))
    }
    // A new album has no earlier members to compare with.
    if adopted.isNew { return }
    let after = try positions(in: row)
    for asset in Set(before.keys).union(after.keys) where before[asset] != after[asset] {
      try commit.noteMember(
        album: row, asset: asset, before: before[asset], after: after[asset])
    }
  }

  private func positions(in album: Int64) throws(LibraryError) -> [Int64: Int64] {
    let pairs = try database.all(
      "SELECT asset, position FROM member WHERE album = ?", [.integer(album)]
    ) { ($0.int(0), $0.int(1)) }
    return Dictionary(pairs) { first, _ in first }
  }

  private func insert(
    _ member: UUID, in album: Int64, at position: Int64, isTrashed: Bool
  ) throws(LibraryError) -> Bool {
    try database.run(
      """
      INSERT OR IGNORE INTO \(isTrashed ? "trashedMember" : "member") (album, position, asset)
      SELECT ?, ?, id FROM asset WHERE uuid = ? AND state = ?
      """,
      [
        .integer(album), .integer(position), .blob(LocalIdentifier(member, .asset).bytes),
        .init(isTrashed),
      ]) > 0
  }

  /// Removes newly trashed assets from albums that still contain them, and adds restored ones.
  func resolveMembers() throws(LibraryError) {
    for (table, other, isTrashed) in [
      ("member", "trashedMember", true), ("trashedMember", "member", false),
    ] {
      let memberships = try database.all(
        """
        SELECT t.album, t.position, t.asset FROM \(table) t JOIN asset a ON a.id = t.asset
        WHERE (a.state <> 0) = ?
        """, [.init(isTrashed)]
      ) { (album: $0.int(0), position: $0.int(1), asset: $0.int(2)) }
      for membership in memberships {
        let values: [DatabaseValue] = [
          .integer(membership.album), .integer(membership.position), .integer(membership.asset),
        ]
        try commit.touchCollection(.assetCollection, membership.album)
        matching.remove(.init(objectClass: .assetCollection, row: membership.album))
        try database.run(
          "DELETE FROM \(table) WHERE album = ? AND position = ? AND asset = ?", values)
        try database.run(
          """
          INSERT OR IGNORE INTO \(other) (album, position, asset)
          SELECT ?1, ?2, id FROM asset WHERE id = ?3 AND state < 2
          """, values)
        let (before, after) = isTrashed ? (membership.position, nil) : (nil, membership.position)
        try commit.noteMember(
          album: membership.album, asset: membership.asset, before: before, after: after)
      }
    }
  }
}

extension CollectionManifest {
  /// The subtype, title, position and both dates, in the order of the statements.
  fileprivate var values: [DatabaseValue] {
    [
      .integer(subtype), .text(title), .integer(position), .real(creationDate),
      .real(modificationDate),
    ]
  }
}
