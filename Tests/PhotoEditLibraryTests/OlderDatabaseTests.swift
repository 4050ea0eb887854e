// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Repair with a database older than the files")
struct OlderDatabaseTests {
  /// A library that was changed after its database was copied.
  private struct Later {
    let library: ClosedLibrary
    let database: [UInt8]
    let facts: [String]
  }

  /// Changes every kind of data: a further and a first edit, properties, albums and the trash.
  private func later() async throws -> Later {
    let library = try await ClosedLibrary()
    let database = try library.bytes("library.db")
    try await library.open { open in
      let photos = try (0..<3).map { try library.asset($0, in: open) }
      try await EditorB.edit(open, photos[0], "two")
      try await EditorB.edit(open, photos[1], "one")
      try await PhotoEditor(open.editingStore(for: photos[1])).apply([Sepia(amount: 0.5)])
      let album = try #require(try open.fetchAssetCollections(with: .album).first)
      try open.performChangesAndWait { changes in
        try changes.change(photos[1]).setTitle("hours of work")
        try changes.change(photos[0]).setFavorite(true)
        let new = try changes.createAlbum(title: "new")
        try new.addAssets([photos[1], photos[0]])
        try changes.change(album).setTitle("renamed")
      }
      try open.performChangesAndWait { try $0.delete([photos[2]]) }
    }
    let facts = try await library.facts()
    #expect(try library.check().findings == [])
    return Later(library: library, database: database, facts: facts)
  }

  private func putBack(_ later: Later) throws {
    // A check leaves an empty log, like every reader.
    for suffix in ["-wal", "-shm"] {
      try FileSystem.remove(later.library.layout.database + suffix)
    }
    try later.library.write(later.database, to: "library.db")
  }

  /// Removes the commits from all manifests, as written by an earlier version.
  private func removeCommits(_ layout: LibraryLayout) throws {
    let assets = try layout.assetFolders().map { $0 + "/" + AssetManifest.name }
    for file in assets + (try layout.collectionManifests()) {
      let url = URL(filePath: layout.path(file))
      let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
      let old = text.replacing(/"commit": \{[^}]*\},?/, with: "").replacing(/,(\s*\})/) { $0.1 }
      #expect(old != text && (try? JSONValue(parsing: Array(old.utf8))) != nil)
      try Data(old.utf8).write(to: url)
    }
  }

  @Test(arguments: [true, false])
  func `repair adopts newer state from the files and removes nothing`(hasCommits: Bool)
    async throws
  {
    let later = try await later()
    let library = later.library
    if !hasCommits { try removeCommits(library.layout) }
    try putBack(later)
    let files = try library.files()
    let differing = try library.check().findings.filter { $0.kind == .differingManifest }
    // Two photos, a trashed photo, an album, and an album without a row.
    #expect(differing.count == 5 && differing.allSatisfy { $0.detail.contains("adopts") })
    let report = try LibraryRepair().run(at: library.url)
    #expect(report.isSound, "\(report)")
    #expect(try await library.facts() == later.facts)
    #expect(try library.check().findings == [])
    let now = Set(try library.tree().values)
    let lost = files.filter { !now.contains($0.value) && !$0.key.hasSuffix(".json") }
    #expect(lost.isEmpty, "\(lost)")
    try await library.open { open in
      let photo = try library.asset(1, in: open)
      let store = try open.editingStore(for: photo)
      #expect(try store.state().undoable.count == 2)
      _ = try await store.undo()
      #expect(try open.fetchTrashedAssets().count == 1)
    }
  }

  @Test func `commits after a repair have higher numbers than those of the manifests`() async throws
  {
    let later = try await later()
    let latest = try later.library.layout.latestCommitOfManifests()
    for isLost in [false, true] {
      try putBack(later)
      if isLost { try FileSystem.remove(later.library.layout.database) }
      _ = try LibraryRepair().run(at: later.library.url)
      try await later.library.open { open in
        let photo = try later.library.asset(0, in: open)
        try open.performChangesAndWait { try $0.change(photo).setTitle("after") }
        let version = try open.read { database throws(LibraryError) in try database.version() }
        #expect(version > latest)
        // The remaining history can be read and pruned.
        #expect(try Array(open.fetchPersistentChanges()).isEmpty == false)
        let mark = try open.read { database throws(LibraryError) in
          try LibraryHistory(database: database).newest()
        }
        #expect(mark.number == version)
      }
    }
  }

  @Test func `a manifest older than its row is rewritten, and the old one is set aside`()
    async throws
  {
    let library = try await ClosedLibrary()
    let uuid = try #require(LocalIdentifier(library.photos[0])).uuid
    let file = library.layout.assetFolder(uuid) + "/" + AssetManifest.name
    let old = try library.bytes(file)
    try await library.open { open in
      let photo = try library.asset(0, in: open)
      try open.performChangesAndWait { try $0.change(photo).setTitle("later") }
    }
    let facts = try await library.facts()
    try library.write(old, to: file)
    let findings = try library.check().findings
    #expect(findings.map(\.kind) == [.differingManifest])
    #expect(findings.first?.detail.contains("out of date") == true)
    #expect(try LibraryRepair().run(at: library.url).isSound)
    #expect(try await library.facts() == facts)
    #expect(try library.aside() == [file])
    #expect(try library.check().findings == [])
  }

  @Test func `repairing a valid library changes nothing`() async throws {
    let library = try await ClosedLibrary()
    let (before, facts) = (try library.files(), try await library.facts())
    let version = try await library.open { open in
      try open.read { database throws(LibraryError) in try database.version() }
    }
    let report = try LibraryRepair().run(at: library.url)
    #expect(report.actions == [] && report.findings == [])
    #expect(try await library.facts() == facts)
    #expect(
      try await library.open { open in
        try open.read { database throws(LibraryError) in try database.version() }
      } == version)
    #expect(try library.files() == before)
  }

  @Test(
    arguments: [
      ((7, 1.0), (6, 9.0), true), ((6, 9.0), (7, 1.0), false), ((7, 2.0), (7, 1.0), true),
      ((7, 1.0), (7, 2.0), false), ((7, 1.0), (7, 1.0), nil), ((7, nil), (7, 1.0), nil),
    ] as [((Int64, Double?), (Int64, Double?), Bool?)])
  func `commits are compared by number, then by date`(
    one: (Int64, Double?), other: (Int64, Double?), expected: Bool?
  ) {
    let commits = [one, other].map { ManifestCommit(number: $0.0, date: $0.1) }
    #expect(commits[0].isLater(than: commits[1]) == expected)
    #expect(ManifestCommit(commits[0].json) == commits[0])
  }
}
