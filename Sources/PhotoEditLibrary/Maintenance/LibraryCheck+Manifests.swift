// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite
import PhotoEditStorage

/// Checks of the manifests, from which a lost database can be rebuilt.
extension LibraryCheck {
  /// Checks the manifests of albums and folders.
  func checkCollections(
    _ database: LibraryDatabase, _ layout: LibraryLayout, _ report: inout LibraryReport
  ) throws(LibraryError) {
    let collections = try database.all(
      "SELECT id, uuid, class FROM collection WHERE state = 0 ORDER BY id"
    ) { row -> (Int64, LocalIdentifier)? in
      ObjectClass(rawValue: Int(row.int(2)))
        .flatMap { LocalIdentifier(bytes: row.blob(1), $0) }
        .map { (row.int(0), $0) }
    }
    for case (let row, let identifier)? in collections {
      try checkManifest(of: identifier, row, database, layout, &report)
    }
    for file in try layout.collectionManifests() {
      let name = FileSystem.splitName(FileSystem.lastName(of: file)).stem
      let known = try UUID(uuidString: name).map { uuid throws(LibraryError) in
        try database.hasRow("collection", uuid)
      }
      if known != true { report.findings.append(.unknownManifest(file)) }
    }
  }

  /// Checks that the manifest of an object exists, and in a deep check that it matches the rows.
  func checkManifest(
    of identifier: LocalIdentifier, _ row: Int64, _ database: LibraryDatabase,
    _ layout: LibraryLayout, _ report: inout LibraryReport
  ) throws(LibraryError) {
    let file = layout.manifest(of: identifier)
    var finding: LibraryIssue?
    // The manifest may be written between two attempts.
    for _ in 0..<3 {
      finding = try difference(file, of: identifier, row, database, layout)
      guard finding != nil, try !isPending(identifier, row, database) else { return }
    }
    if let finding { report.findings.append(finding) }
  }

  /// Returns the defect of a manifest, if any.
  private func difference(
    _ file: String, of identifier: LocalIdentifier, _ row: Int64, _ database: LibraryDatabase,
    _ layout: LibraryLayout
  ) throws(LibraryError) -> LibraryIssue? {
    func finding(_ kind: LibraryIssue.Kind, _ detail: String) -> LibraryIssue {
      LibraryIssue(kind, file: file, identifier: "\(identifier)", detail)
    }
    if let link = link(at: file, layout, of: identifier) { return link }
    guard layout.isFile(file) else {
      return finding(
        .missingManifest, "the manifest is missing; 'photoedit library repair' rewrites it")
    }
    guard isDeep else { return nil }
    let json = layout.json(file)
    let isSame: Bool?
    let isLater: Bool
    if identifier.objectClass == .asset {
      let written = json.flatMap { AssetManifest($0) }
      let own = try AssetManifest(row, in: database)
      (isSame, isLater) = Self.compare(written, own, { $0.matches($1) }, { $0.isLater(than: $1) })
    } else {
      let written = json.flatMap { CollectionManifest($0) }
      let own = try CollectionManifest(row, in: database)
      (isSame, isLater) = Self.compare(written, own, { $0.matches($1) }, { $0.isLater(than: $1) })
    }
    switch isSame {
    case true?: return nil
    case nil:
      return finding(
        .missingManifest, "the manifest is unreadable; 'photoedit library repair' rewrites it")
    case false?:
      return finding(
        .differingManifest,
        isLater
          ? "the manifest is newer than the database; 'photoedit library repair' adopts it"
          : "the manifest is out of date; 'photoedit library repair' rewrites it")
    }
  }

  /// Returns whether a manifest matches the rows, nil if it is unreadable, and whether it is later.
  private static func compare<Manifest>(
    _ written: Manifest?, _ own: Manifest?, _ matches: (Manifest, Manifest) -> Bool,
    _ isLater: (Manifest, Manifest) -> Bool
  ) -> (Bool?, Bool) {
    guard let written else { return (nil, false) }
    // A removed object has no manifest to compare with; the next attempt detects that.
    guard let own else { return (true, false) }
    return (matches(written, own), isLater(written, own))
  }

  /// Returns whether the manifest is still to be written or no longer needed.
  private func isPending(
    _ identifier: LocalIdentifier, _ row: Int64, _ database: LibraryDatabase
  ) throws(LibraryError) -> Bool {
    let present =
      identifier.objectClass == .asset
      ? "SELECT 1 FROM asset WHERE id = ? AND state < 2"
      : "SELECT 1 FROM collection WHERE id = ? AND state = 0"
    guard try database.first(present, [.integer(row)], { _ in true }) != nil else { return true }
    return try database.first(
      "SELECT 1 FROM staleManifest WHERE class = ? AND object = ?",
      [.init(identifier.objectClass.rawValue), .integer(row)]
    ) { _ in true } != nil
  }
}

extension LibraryIssue {
  /// Returns the finding for a manifest whose object has no row, or whose row was lost.
  static func unknownManifest(_ file: String) -> LibraryIssue {
    LibraryIssue(
      .differingManifest, file: file,
      "the manifest is not in the database; 'photoedit library repair' adopts it")
  }
}

extension LibraryDatabase {
  /// Returns whether an asset or a collection has a row, in any state.
  func hasRow(_ table: String, _ uuid: UUID) throws(LibraryError) -> Bool {
    try first(
      "SELECT 1 FROM \(table) WHERE uuid = ?", [.blob(LocalIdentifier(uuid, .asset).bytes)]
    ) { _ in true } ?? false
  }
}

extension LibraryLayout {
  /// Returns the path of an object's manifest, relative to the library.
  func manifest(of identifier: LocalIdentifier) -> String {
    switch identifier.objectClass {
    case .asset: assetFolder(identifier.uuid) + "/" + AssetManifest.name
    case .assetCollection, .collectionList: collectionManifest(identifier.uuid)
    }
  }
}
