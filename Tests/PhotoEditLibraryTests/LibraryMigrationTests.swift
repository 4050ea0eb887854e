// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Library migrations")
struct LibraryMigrationTests {
  /// The version that every older library gets.
  private let newest = LibrarySchema.migrations.steps.count

  /// Undoes all migrations but the first three.
  private func makeOlder(_ library: ClosedLibrary) throws {
    // Older manifests do not have the size.
    for folder in try library.layout.assetFolders() {
      let file = folder + "/" + AssetManifest.name
      let text = String(decoding: try library.bytes(file), as: UTF8.self)
      try library.write(Array(withoutSizes(text).utf8), to: file)
    }
    try library.execute(
      """
      DROP TABLE asset_text; DROP TABLE asset_day; DROP TABLE asset_keyword; DROP TABLE keyword;
      ALTER TABLE asset DROP COLUMN day;
      \(["asset", "assetHistory"].flatMap { table in
        (LibrarySchema.searchColumns + LibrarySchema.regionColumns + addedColumns).map {
          "ALTER TABLE \(table) DROP COLUMN \($0.prefix { $0 != " " });"
        }
      }.joined(separator: "\n"))
      DELETE FROM migration WHERE id > 3; PRAGMA user_version = 3
      """)
  }

  private var addedColumns: [String] { PhotoProperties.added.flatMap(\.columns) }

  private func withoutSizes(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.contains("\"fileSize\"") }.joined(separator: "\n")
      .replacing(#/,\s*"userFields": ?\d+/#, with: "")
  }

  private func facts(_ library: ClosedLibrary) async throws -> [String] {
    try await library.facts().map(withoutSizes)
  }

  private func state(_ path: String) throws -> SchemaState {
    try LibrarySchema.migrations.state(of: Connection(path, .immutable))
  }

  @Test func `a check reports an older database and leaves it unchanged`() async throws {
    let library = try await ClosedLibrary()
    try makeOlder(library)
    let before = try library.files()
    let report = try library.check()
    #expect(report.findings.map(\.kind) == [.olderDatabase] && report.isSound)
    #expect(try library.files() == before)
    #expect(try state(library.layout.database) == .older(applied: 3))
  }

  @Test func `a migration keeps a verified backup that can undo it`() async throws {
    let library = try await ClosedLibrary()
    let facts = try await self.facts(library)
    try makeOlder(library)
    var backup = ""
    for round in 1...2 {
      try await library.open { open in
        let migration = try #require(open.migration)
        #expect(migration.oldVersion == 3 && migration.newVersion == newest)
        backup = migration.backup
      }
      #expect(try state(library.layout.database) == .current)
      #expect(try state(backup) == .older(applied: 3))
      #expect(try library.tree("backups").count == round)
      #expect(try await self.facts(library) == facts)
      #expect(try await library.open { $0.migration } == nil)
      for suffix in ["", "-wal", "-shm"] {
        try FileSystem.remove(library.layout.database + suffix)
      }
      try FileSystem.copy(backup, to: library.layout.database)
      #expect(try state(library.layout.database) == .older(applied: 3))
    }
    let report = try LibraryRepair().run(at: library.url)
    #expect(
      report.isSound && report.actions.contains { $0.contains("version 3 to version \(newest)") })
    #expect(try await self.facts(library) == facts)
  }

  @Test func `a migrated library can be searched and has no keywords`() async throws {
    let library = try await ClosedLibrary()
    try await library.open { open in
      let photo = try library.asset(0, in: open)
      try open.performChangesAndWait { try $0.change(photo).setTitle("Straße am Hafen") }
    }
    try makeOlder(library)
    try await library.open { open in
      #expect(open.migration?.newVersion == newest)
      let photo = try library.asset(0, in: open)
      #expect(photo.title == "Straße am Hafen" && photo.keywords == [] && photo.rating == 0)
      let rows = try open.read { database throws(LibraryError) in
        try database.integers("SELECT rowid FROM asset_text WHERE asset_text MATCH 'strasse'")
      }
      #expect(rows == [photo.row])
      try open.performChangesAndWait { try $0.change(photo).addKeywords(["boat"]) }
    }
    #expect(try library.check().findings == [])
  }

  /// Greek accents in the words of the first form, no parts of Korean words in the second, and other
  /// marks in the third.
  @Test(
    arguments: [
      ("Αθήνα", "ΑΘΗΝΑ", "DELETE FROM property WHERE key = 'searchForm'"),
      ("서울여행", "서울", "UPDATE property SET value = '2' WHERE key = 'searchForm'"),
      ("Ёлка", "елка", "UPDATE property SET value = '3' WHERE key = 'searchForm'"),
    ])
  func `an index of an older form is updated when the library is opened`(
    title: String, words: String, form: String
  ) async throws {
    let library = try await ClosedLibrary()
    try await library.open { open in
      let photo = try library.asset(0, in: open)
      try open.performChangesAndWait { try $0.change(photo).setTitle(title) }
    }
    // As an older version stored it.
    try library.execute(
      """
      INSERT INTO asset_text (asset_text, rowid, title, filename)
        SELECT 'delete', id, searchable(title), searchable(originalFilename) FROM asset
        WHERE title IS NOT NULL;
      INSERT INTO asset_text (rowid, title, filename)
        SELECT id, title, originalFilename FROM asset WHERE title IS NOT NULL;
      \(form)
      """)
    #expect(try library.check().findings == [])
    try await library.open { open in
      var options = FetchOptions<Asset>()
      options.predicate = .words(words)
      let found = try open.fetchAssets(options).map(\.localIdentifier)
      #expect(try found == [library.asset(0, in: open).localIdentifier])
    }
    #expect(try library.check().findings == [])
  }

  @Test func `a migration is rejected if its backup cannot be written`() async throws {
    let library = try await ClosedLibrary()
    try makeOlder(library)
    #expect(symlink(library.outside("elsewhere"), library.layout.path("backups")) == 0)
    let (before, database) = (try library.files(), try library.bytes("library.db"))
    let error = try await libraryError { _ = try PhotoLibrary(at: library.url) }
    #expect(error?.code == .invalidResource)
    #expect(try library.files() == before && library.bytes("library.db") == database)
    #expect(try state(library.layout.database) == .older(applied: 3))
  }
}
