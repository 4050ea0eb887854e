// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEdit
import PhotoEditCodecs
import PhotoEditSQLite
import PhotoEditStorage

/// Compares the database, the files and the adjustment data of a library without changing anything.
///
/// Other processes may continue to use the library: a defect caused by a concurrent change is
/// checked again before it is reported.
public struct LibraryCheck: Sendable {
  /// Indicates whether all files are read, hashed and decoded.
  ///
  /// Otherwise their sizes and modification times are checked, and only a file that was written
  /// after it was added to the library is hashed.
  public var isDeep = false
  /// Receives the number of checked files; returns false to cancel.
  public var progress: (@Sendable (Int) -> Bool)?

  /// Creates a check that does not read unchanged files.
  public init() {}

  /// Checks the library in a folder, even if it cannot be opened.
  ///
  /// - Throws: `LibraryError` if there is no library or if it belongs to a newer version or to
  ///   another program; `userCancelled` after a cancellation.
  public func run(at url: URL) throws(LibraryError) -> LibraryReport {
    try run(LibraryLayout(at: url))
  }

  func run(_ layout: LibraryLayout) throws(LibraryError) -> LibraryReport {
    var report = LibraryReport()
    var examinesIndex = false
    guard FileSystem.itemExists(layout.database) else { throw .noDatabase(layout) }
    do throws(LibraryError) {
      let state = try LibraryFolder.inspect(layout)
      let connection = try LibraryFolder.reader(layout, busyTimeout: 5)
      let database = LibraryDatabase(connection: connection)
      // Without free descriptors intact files would be reported as damaged.
      guard ThreadGroup.hasDescriptors(4) else {
        throw LibraryError(
          FileError(.busy, path: layout.root, reason: "too many open files to check the library"))
      }
      try checkDatabase(database, &report)
      if case .older(let version) = state {
        // The queries below do not apply to the tables of an older version.
        report.findings.append(
          LibraryIssue(
            .olderDatabase, file: "library.db",
            "the database has the old version \(version) and was not compared with the "
              + "files; the next command that opens the library migrates it"))
      } else if !report.findings.contains(where: { $0.kind == .damagedDatabase }) {
        try checkAssets(database, layout, &report)
        try checkCollections(database, layout, &report)
        try checkFolders(database, layout, &report)
        try checkStaleness(database, &report)
        examinesIndex = try checkSearch(database, &report) && isDeep
      }
    } catch {
      guard error.isDamage else { throw error }
      report.findings.append(
        LibraryIssue(.damagedDatabase, file: "library.db", error.message))
    }
    // The reader is closed: on a full disk, only the one connection can examine the index.
    if examinesIndex, LibraryAccess.permits(layout, writing: true) {
      do throws(LibraryError) {
        report.findings += try damageOfSearch(layout).map(Self.searchIssue)
      } catch {
        guard error.isDamage else { throw error }
        report.findings.append(
          LibraryIssue(.damagedDatabase, file: "library.db", error.message))
      }
    }
    checkStaging(layout, &report)
    return report
  }

  // MARK: The database

  private func checkDatabase(
    _ database: LibraryDatabase, _ report: inout LibraryReport
  ) throws(LibraryError) {
    for line in try database.damages(limit: 20) {
      report.findings.append(LibraryIssue(.damagedDatabase, file: "library.db", line))
    }
    let dangling = try database.all("PRAGMA foreign_key_check") { row in
      "row \(row.int(1)) of \(row.text(0)) refers to a missing row of \(row.text(2))"
    }
    for line in dangling.prefix(100) {
      report.findings.append(LibraryIssue(.danglingReference, file: "library.db", line))
    }
    for file in try database.externalFiles().prefix(100) {
      report.findings.append(
        LibraryIssue(
          .danglingReference, file: file, "a row refers to this path outside the asset folders"))
    }
  }

  private func checkStaleness(
    _ database: LibraryDatabase, _ report: inout LibraryReport
  ) throws(LibraryError) {
    let count = try database.first("SELECT count(*) FROM staleManifest") { $0.int(0) } ?? 0
    if count > 0 {
      report.findings.append(
        LibraryIssue(
          .staleManifest,
          count == 1 ? "1 manifest is out of date" : "\(count) manifests are out of date"))
    }
  }

  /// Compares the search tables with the assets; returns whether they agree.
  private func checkSearch(
    _ database: LibraryDatabase, _ report: inout LibraryReport
  ) throws(LibraryError) -> Bool {
    let found = try SearchTables(database: database).differences()
    report.findings += found.map(Self.searchIssue)
    return found.isEmpty
  }

  private static func searchIssue(_ detail: String) -> LibraryIssue {
    LibraryIssue(
      .differingSearch, file: "library.db",
      detail + "; 'photoedit library repair' fills it again")
  }

  /// Examines the full-text index; SQLite requires a connection that may write, but nothing changes.
  private func damageOfSearch(_ layout: LibraryLayout) throws(LibraryError) -> [String] {
    func damage(locking mode: String) throws(LibraryError) -> [String] {
      let writer = try LibraryDatabase(layout.database, .readWrite)
      _ = try writer.all("PRAGMA locking_mode = \(mode)") { $0.text(0) }
      return [try SearchTables(database: writer).damage()].compactMap(\.self)
    }
    do throws(LibraryError) { return try damage(locking: "NORMAL") } catch {
      // On a full disk there is no room for shared memory, which the only connection does not need.
      guard error.code == .notEnoughSpace else { throw error }
      return try damage(locking: "EXCLUSIVE")
    }
  }

  // MARK: Rows and their files

  private func checkAssets(
    _ database: LibraryDatabase, _ layout: LibraryLayout, _ report: inout LibraryReport
  ) throws(LibraryError) {
    var last: Int64 = 0
    while true {
      let rows = try database.all(
        "SELECT id, uuid, traits FROM asset WHERE id > ? AND state < 2 ORDER BY id LIMIT 1000",
        [.integer(last)]
      ) { row in
        (
          row.int(0), LocalIdentifier(bytes: row.blob(1), .asset),
          AssetTraits(rawValue: Int(row.int(2)))
        )
      }
      guard let newest = rows.last?.0 else { return }
      last = newest
      for case (let row, let identifier?, let traits) in rows {
        report.assetCount += 1
        try checkAsset(row, identifier, traits, database, layout, &report)
      }
    }
  }

  private func checkAsset(
    _ row: Int64, _ identifier: LocalIdentifier, _ traits: AssetTraits,
    _ database: LibraryDatabase, _ layout: LibraryLayout, _ report: inout LibraryReport
  ) throws(LibraryError) {
    let resources = try database.resources(of: row)
    var findings: [LibraryIssue] = []
    for file in try database.storedFiles(of: row) {
      report.fileCount += 1
      if progress?(report.fileCount) == false { throw LibraryError(EditingError.cancelled) }
      if let finding = inspect(file, traits, identifier, layout) { findings.append(finding) }
    }
    if findings.isEmpty {
      findings += try checkRecord(identifier, database, layout)
    }
    if !resources.isEmpty {
      try checkManifest(of: identifier, row, database, layout, &report)
    }
    guard !findings.isEmpty else { return }
    // Another process may have replaced the files since the rows were read.
    let now =
      try database.resources(of: row).map(\.file) + database.journalFiles(of: row).map(\.file)
    report.findings += findings.filter { $0.file.map { now.contains($0) } ?? true }
  }

  private func inspect(
    _ stored: StoredFile, _ traits: AssetTraits, _ identifier: LocalIdentifier,
    _ layout: LibraryLayout
  ) -> LibraryIssue? {
    let (file, digest) = (stored.file, stored.digest)
    let (path, name) = (layout.path(file), "\(identifier)")
    if let finding = link(at: file, layout, of: identifier) { return finding }
    guard let version = FileVersion(path) else {
      return LibraryIssue(.missingFile, file: file, identifier: name, "file is missing")
    }
    guard version.size == stored.size else {
      return LibraryIssue(
        .changedFile, file: file, identifier: name,
        "file has \(version.size) bytes; expected \(stored.size); \(Self.restoring)")
    }
    guard isDeep || stored.isWritten(version) else { return nil }
    do throws(FileError) {
      guard isDeep, stored.type?.isDecodedByChecks == true else {
        let found = try layout.digest(of: file)
        return found.bytes == digest ? nil : changed(file, found, digest, name)
      }
      let bytes = try layout.read(file)
      guard bytes.digest().bytes == digest else {
        return changed(file, bytes.digest(), digest, name)
      }
      do throws(CodecError) {
        try ImageDecoders.verify(bytes)
      } catch {
        // The bytes are those of the import, so this is not a defect of the library.
        let isKnown = if case .damaged = error { traits.contains(.knownDamage) } else { false }
        return LibraryIssue(
          isKnown ? .knownDamage : .undecodableFile, file: file, identifier: name, "\(error)")
      }
      return nil
    } catch {
      return LibraryIssue(.changedFile, file: file, identifier: name, error.reason)
    }
  }

  private func changed(
    _ file: String, _ found: SHA256Digest, _ digest: [UInt8], _ identifier: String
  ) -> LibraryIssue {
    LibraryIssue(
      .changedFile, file: file, identifier: identifier,
      "digest is \(found); expected \(SHA256Digest(bytes: digest)?.description ?? "none"); "
        + Self.restoring)
  }

  private static let restoring = "restore the file from a backup"

  /// Checks that adjustment data matches the versions in the rows.
  private func checkRecord(
    _ identifier: LocalIdentifier, _ database: LibraryDatabase, _ layout: LibraryLayout
  ) throws(LibraryError) -> [LibraryIssue] {
    guard var versions = try AssetVersions(identifier, in: database) else { return [] }
    func finding(_ detail: String) -> LibraryIssue {
      LibraryIssue(
        .mismatchedRecord, file: versions.recordFile?.file, identifier: "\(identifier)", detail)
    }
    guard versions.readRecord(layout) else { return [finding("the adjustment data is missing")] }
    if let problem = versions.problem { return [finding(problem.message)] }
    var findings = versions.notices.map { finding($0) }
    if versions.hasAdjustments != (versions.current != nil) {
      findings.append(
        finding(
          versions.hasAdjustments
            ? "the asset is marked as edited but has no rendering"
            : "the asset has a rendering but is not marked as edited"))
    }
    return findings
  }
}
