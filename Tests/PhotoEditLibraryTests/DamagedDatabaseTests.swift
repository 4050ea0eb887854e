// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Damaged databases")
struct DamagedDatabaseTests {
  enum Damage: String, CaseIterable {
    case empty, noise, truncated, negativeVersion, wrongVersion, otherMigrations, missingTable
    case view, trigger, index, otherColumns, rollbackMode, oldFormat

    /// The SQL that causes the damage; nil for damage to the bytes.
    var sql: String? {
      switch self {
      case .empty, .noise, .truncated, .oldFormat: nil
      case .negativeVersion: "PRAGMA user_version = -2147483645"
      case .wrongVersion: "PRAGMA user_version = 2000000000"
      case .otherMigrations: "UPDATE migration SET name = 'other' WHERE id = 2"
      case .missingTable: "DROP TABLE member"
      case .view: "DROP TABLE member; CREATE VIEW member AS SELECT 1 AS album"
      case .trigger:
        "CREATE TRIGGER extra AFTER INSERT ON property BEGIN DELETE FROM asset; END"
      case .index: "CREATE INDEX extra ON asset (title)"
      case .otherColumns: "ALTER TABLE property ADD COLUMN extra TEXT"
      case .rollbackMode: "PRAGMA journal_mode = DELETE"
      }
    }
  }

  private func inflict(_ damage: Damage, on library: ClosedLibrary) throws {
    if let sql = damage.sql { return try library.execute(sql) }
    var bytes = try library.bytes("library.db")
    switch damage {
    case .empty: bytes = []
    case .noise: bytes = bytes.indices.map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 7) }
    case .truncated: bytes.removeLast(bytes.count / 2)
    // The schema format number, which SQLite reports as an error and not as corruption.
    default: bytes[47] = 77
    }
    try library.write(bytes, to: "library.db")
  }

  @Test(arguments: Damage.allCases)
  func `damage is found, rejected without writing, and repaired from the files`(
    damage: Damage
  ) async throws {
    let library = try await ClosedLibrary()
    let before = try await library.facts()
    try inflict(damage, on: library)
    let bytes = try library.tree()
    let error = try await libraryError { _ = try PhotoLibrary(at: library.url) }
    #expect(error?.code == .invalidResource && error?.hint?.contains("library repair") == true)
    let report = try library.check()
    #expect(report.findings.map(\.kind) == [.damagedDatabase], "\(report)")
    #expect(try library.tree() == bytes)
    let repaired = try LibraryRepair().run(at: library.url)
    #expect(repaired.isSound, "\(repaired)")
    #expect(try await library.facts() == before)
    #expect(try library.check().findings == [])
    // The damaged database is kept byte for byte.
    #expect(try library.aside() == ["library.db"])
    let kept = bytes.filter { !$0.key.hasSuffix(".json") }.values
    #expect(Set(kept).isSubset(of: try library.tree().values))
  }

  @Test(arguments: ["-wal", "-shm", "", "-journal"], [true, false])
  func `a link in place of the database or its log is neither read nor written`(
    suffix: String, isHard: Bool
  ) async throws {
    // On some file systems, the database has a second hard link while it is published.
    if suffix.isEmpty, isHard { return }
    let library = try await ClosedLibrary()
    let before = try await library.facts()
    let (victim, text) = (library.outside("thesis"), Array("my only copy".utf8))
    try Data(text).write(to: URL(filePath: victim))
    let destination = library.layout.database + suffix
    if suffix.isEmpty { try FileSystem.remove(destination) }
    #expect(isHard ? link(victim, destination) == 0 : symlink(victim, destination) == 0)
    let error = try await libraryError { _ = try PhotoLibrary(at: library.url) }
    #expect(error?.code == .invalidResource)
    #expect(try library.check().findings.map(\.kind) == [.damagedDatabase])
    #expect(try LibraryRepair().run(at: library.url).isSound)
    #expect(try await library.facts() == before)
    #expect([UInt8](try Data(contentsOf: URL(filePath: victim))) == text)
  }

  @Test func `a rollback journal is rejected, set aside and never played back`() async throws {
    let library = try await ClosedLibrary()
    let before = try await library.facts()
    let victim = library.outside("thesis")
    try Data([1]).write(to: URL(filePath: victim))
    try library.write(HotJournal.bytes(naming: victim), to: "library.db-journal")
    for attempt in [
      { _ = try PhotoLibrary(at: library.url) },
      { try library.execute("INSERT INTO property (key, value) VALUES ('a', 'b')") },
    ] as [() throws -> Void] {
      _ = try? attempt()
      #expect(FileSystem.itemExists(victim))
    }
    #expect(try library.check().findings.map(\.kind) == [.damagedDatabase])
    #expect(try LibraryRepair().run(at: library.url).isSound)
    #expect(FileSystem.itemExists(victim))
    #expect(try library.aside().contains("library.db-journal"))
    #expect(try await library.facts() == before)
  }

  @Test func `a lack of memory is neither damage nor an internal error`() {
    let error = LibraryError(DatabaseError(.noMemory, "out of memory"), path: "Photos.library")
    #expect(error.code == .operationInterrupted && !error.isDamage)
    #expect(error.message.contains("memory"))
  }

  @Test func `repairing a folder that is not a library is rejected`() async throws {
    let library = try await ClosedLibrary()
    for folder in ["collections", "staging"] {
      try FileManager.default.removeItem(atPath: library.layout.path(folder))
    }
    try library.write([], to: "library.db")
    let before = try library.tree()
    let error = try await libraryError { _ = try LibraryRepair().run(at: library.url) }
    #expect(error?.code == .invalidResource)
    #expect(try library.tree() == before)
  }
}

/// A rollback journal that makes SQLite delete a file when it is played back.
enum HotJournal {
  static func bytes(naming file: String) -> [UInt8] {
    let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    func word(_ value: Int) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    // No pages to restore, a database of eight pages, sectors of 512 bytes, pages of 8192.
    let header = magic + [0, 0, 8, 512, 8192].flatMap(word)
    let name = Array(file.utf8)
    let sum = name.reduce(0) { $0 + Int($1) }
    return header + [UInt8](repeating: 0, count: 512 - header.count)
      + word((1 << 30) / 8192 + 1) + name + word(name.count) + word(sum) + magic
  }
}
