// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite
import PhotoEditStorage

extension LibraryCheck {
  /// Finds files of assets that no row refers to.
  func checkFolders(
    _ database: LibraryDatabase, _ layout: LibraryLayout, _ report: inout LibraryReport
  ) throws(LibraryError) {
    for folder in LibraryLayout.folders + names(layout.collections).map({ "collections/" + $0 }) {
      checkLink(folder, layout, &report)
    }
    report.findings += LibraryLayout.auxiliaryFiles.compactMap { link(at: $0, layout) }
    for prefix in names(layout.assets) {
      checkLink("assets/" + prefix, layout, &report)
      for folder in names(layout.assets + "/" + prefix) {
        let relative = "assets/\(prefix)/\(folder)"
        checkLink(relative, layout, &report)
        for name in names(layout.path(relative)) {
          if let finding = try classify(relative + "/" + name, database, layout) {
            report.findings.append(finding)
          }
        }
      }
    }
  }

  /// Returns a finding if a symbolic link is at the path of a file.
  func link(
    at file: String, _ layout: LibraryLayout, of identifier: LocalIdentifier? = nil
  ) -> LibraryIssue? {
    let path = layout.path(file)
    guard (try? FileSystem.entry(at: path)) == .other else { return nil }
    return LibraryIssue(
      .linkedFile, file: file, identifier: identifier?.description,
      FileError.noFileOfLibrary(path).reason)
  }

  /// Reports a symbolic link at the path of a folder.
  private func checkLink(
    _ folder: String, _ layout: LibraryLayout, _ report: inout LibraryReport
  ) {
    let path = layout.path(folder)
    guard (try? FileSystem.entry(at: path)) == .other else { return }
    report.findings.append(
      LibraryIssue(.linkedFolder, file: folder, FileError.noFolderOfLibrary(path).reason))
  }

  private func classify(
    _ file: String, _ database: LibraryDatabase, _ layout: LibraryLayout
  ) throws(LibraryError) -> LibraryIssue? {
    let name = FileSystem.lastName(of: file)
    if name == AssetManifest.name {
      guard let uuid = LibraryLayout.asset(of: file) else { return nil }
      return try database.hasRow("asset", uuid) ? nil : .unknownManifest(file)
    }
    if name == AssetManifest.name + ManifestWriter.partial {
      return LibraryIssue(.litter, file: file, "incomplete manifest")
    }
    guard LibraryLayout.isFileOfAsset(file) else {
      return LibraryIssue(.orphanedFile, file: file, "not in an asset folder")
    }
    if try database.refers(to: file) { return nil }
    let isLeftover = try database.has("SELECT 1 FROM leftover WHERE file = ?", [.text(file)])
    // The file may have been removed since the folder was listed.
    guard FileSystem.itemExists(layout.path(file)) else { return nil }
    if let finding = link(at: file, layout) { return finding }
    return LibraryIssue(
      isLeftover ? .litter : .orphanedFile, file: file,
      isLeftover ? "superseded version" : "not needed by any version")
  }

  /// Finds unfinished files of terminated processes.
  func checkStaging(_ layout: LibraryLayout, _ report: inout LibraryReport) {
    for name in names(layout.staging) where isAbandoned(layout.staging + "/" + name) {
      report.findings.append(
        LibraryIssue(.litter, file: "staging/" + name, "left over from a process that has ended"))
    }
  }

  private func isAbandoned(_ path: String) -> Bool {
    switch try? FileSystem.entry(at: path) {
    case .folder: (try? OpenFile(folder: path, followsLink: false).lock()) == .acquired
    case .file: (try? OpenFile(reading: path).lock()) == .acquired
    case .other: true
    case nil: false
    }
  }

  /// Returns the names in a folder; a link to a folder counts as empty.
  private func names(_ folder: String) -> [String] {
    guard FileSystem.isFolderAndNoLink(folder) else { return [] }
    return (try? FileSystem.names(in: folder)) ?? []
  }

  // MARK: Checks of the manifests, from which a lost database can be rebuilt

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
    guard try database.has(present, [.integer(row)]) else { return true }
    return try database.has(
      "SELECT 1 FROM staleManifest WHERE class = ? AND object = ?",
      [.init(identifier.objectClass.rawValue), .integer(row)])
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

extension LibraryLayout {
  /// Returns the path of an object's manifest, relative to the library.
  func manifest(of identifier: LocalIdentifier) -> String {
    switch identifier.objectClass {
    case .asset: assetFolder(identifier.uuid) + "/" + AssetManifest.name
    case .assetCollection, .collectionList: collectionManifest(identifier.uuid)
    }
  }
}
