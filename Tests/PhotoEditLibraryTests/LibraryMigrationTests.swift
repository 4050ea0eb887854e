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
  /// Undoes the last migration.
  private func makeOlder(_ library: ClosedLibrary) throws {
    try library.execute(
      """
      DROP TABLE memberHistory; DROP TABLE collectionHistory; DROP TABLE assetHistory;
      DROP TABLE changedObject; DROP TABLE change; DELETE FROM migration WHERE id = 3;
      PRAGMA user_version = 2
      """)
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
    #expect(try state(library.layout.database) == .older(applied: 2))
  }

  @Test func `a migration keeps a verified backup that can undo it`() async throws {
    let library = try await ClosedLibrary()
    let facts = try await library.facts()
    try makeOlder(library)
    var backup = ""
    for round in 1...2 {
      try await library.open { open in
        let migration = try #require(open.migration)
        #expect(migration.oldVersion == 2 && migration.newVersion == 3)
        backup = migration.backup
      }
      #expect(try state(library.layout.database) == .current)
      #expect(try state(backup) == .older(applied: 2))
      #expect(try library.tree("backups").count == round)
      #expect(try await library.facts() == facts)
      #expect(try await library.open { $0.migration } == nil)
      for suffix in ["", "-wal", "-shm"] {
        try FileSystem.remove(library.layout.database + suffix)
      }
      try FileSystem.copy(backup, to: library.layout.database)
      #expect(try state(library.layout.database) == .older(applied: 2))
    }
    let report = try LibraryRepair().run(at: library.url)
    #expect(report.isSound && report.actions.contains { $0.contains("version 2 to version 3") })
    #expect(try await library.facts() == facts)
  }

  @Test func `a migration is rejected if its backup cannot be written`() async throws {
    let library = try await ClosedLibrary()
    try makeOlder(library)
    #expect(symlink(library.outside("elsewhere"), library.layout.path("backups")) == 0)
    let (before, database) = (try library.files(), try library.bytes("library.db"))
    let error = try await libraryError { _ = try PhotoLibrary(at: library.url) }
    #expect(error?.code == .invalidResource)
    #expect(try library.files() == before && library.bytes("library.db") == database)
    #expect(try state(library.layout.database) == .older(applied: 2))
  }
}
