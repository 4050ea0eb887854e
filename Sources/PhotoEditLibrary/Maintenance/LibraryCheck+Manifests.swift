// SPDX-License-Identifier: Apache-2.0
import Database
import FoundationEssentials
import Storage

/// The manifests beside the files, from which a lost database is made again.
extension LibraryCheck {
  /// Looks for the manifests of albums and folders.
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
  }

  /// Looks for the manifest of an object, and reads it when the check is deep.
  func checkManifest(
    of identifier: LocalIdentifier, _ row: Int64, _ database: LibraryDatabase,
    _ layout: LibraryLayout, _ report: inout LibraryReport
  ) throws(LibraryError) {
    let file = layout.manifest(of: identifier)
    guard !isWhole(file, of: identifier, layout),
      try !isBehind(identifier, row, database),
      // Between the two looks it may have been written.
      !isWhole(file, of: identifier, layout)
    else { return }
    report.findings.append(
      LibraryFinding(
        .missingManifest, file: file, identifier: "\(identifier)",
        FileSystem.isThere(layout.path(file))
          ? "the manifest cannot be read; `photoedit library repair` writes it again"
          : "the manifest is gone; `photoedit library repair` writes it again"))
  }

  private func isWhole(
    _ file: String, of identifier: LocalIdentifier, _ layout: LibraryLayout
  ) -> Bool {
    let path = layout.path(file)
    do throws(FileError) {
      guard try FileSystem.entry(at: path) == .file else { return false }
    } catch {
      return false
    }
    guard isDeep else { return true }
    let json = LibraryLayout.json(at: path)
    let uuid =
      identifier.objectClass == .asset
      ? json.flatMap { AssetManifest($0) }?.uuid : json.flatMap { CollectionManifest($0) }?.uuid
    return uuid == identifier.uuid
  }

  /// Whether the manifest is still to be written, or not needed any more.
  private func isBehind(
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

extension LibraryLayout {
  /// The manifest of an object, relative to the library.
  func manifest(of identifier: LocalIdentifier) -> String {
    switch identifier.objectClass {
    case .asset: assetFolder(identifier.uuid) + "/" + AssetManifest.name
    case .assetCollection, .collectionList: collectionManifest(identifier.uuid)
    }
  }
}
