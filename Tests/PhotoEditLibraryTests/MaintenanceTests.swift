// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Library check, repair and backup")
struct MaintenanceTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  /// Adds three photos: unedited, edited by two programs, edited and reverted.
  private func populate() async throws -> [Asset] {
    let assets = try (0..<3).map { _ in try folder.addPhoto() }
    for asset in assets[1...] {
      try await PhotoEditor(folder.store(asset)).apply([Sepia(amount: 0.5)])
      try await EditorB.edit(library, asset, "one")
    }
    try await folder.store(assets[2]).revert()
    try await library.performChanges {
      try $0.change(assets[0]).setTitle("\u{1F600} \"quoted\" \\ \u{202E}")
      try $0.change(assets[1]).setFavorite(true)
      try $0.change(assets[2]).setLocation(LocationCoordinate(latitude: -1.25, longitude: 2.5))
    }
    return assets
  }

  /// Opens the same library again, like another process.
  private func reopened() throws -> PhotoLibrary { try PhotoLibrary(at: library.url) }

  private func check(isDeep: Bool = true) throws -> LibraryReport {
    var check = LibraryCheck()
    check.isDeep = isDeep
    return try check.run(at: library.url)
  }

  private func file(_ type: AssetResourceType, of asset: Asset) throws -> String {
    library.layout.path(try #require(try folder.resources(asset)[type]).file)
  }

  // MARK: Check

  @Test func `a valid library has no findings`() async throws {
    let assets = try await populate()
    try library.synchronize()
    let report = try check()
    #expect(report.findings == [] && report.isSound && report.assetCount == 3)
    #expect(report.fileCount >= 3 + 3 + 2)
    for asset in assets { try folder.checkFiles(asset) }
    let manifests = try folder.inventory().keys.filter { $0.hasSuffix("asset.json") }
    #expect(manifests.count == 3)
  }

  @Test func `maintenance ends if an entry of a damaged table cannot be removed`() async throws {
    let assets = try await populate()
    try library.synchronize()
    try Connection(library.layout.database, .readWrite).execute(
      "INSERT INTO staleManifest (class, object) VALUES (99, 1)")
    let reopened = try reopened()
    try await reopened.performChanges { try $0.change(assets[0]).setTitle("A") }
    reopened.finishChanges()
    try reopened.synchronize()
    let manifests = try folder.inventory().keys.filter { $0.hasSuffix("asset.json") }.map {
      String(decoding: try FileBytes.reading(library.layout.path($0)).array, as: UTF8.self)
    }
    #expect(manifests.contains { $0.contains("\"A\"") })
  }

  @Test func `a deep check finds a flipped bit, and edits of the file are rejected`() async throws {
    let assets = try await populate()
    for (type, asset) in [(AssetResourceType.photo, assets[0]), (.fullSizePhoto, assets[1])] {
      let path = try file(type, of: asset)
      var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
      bytes[bytes.count / 2] ^= 1
      try FileSystem.remove(path)
      try Data(bytes).write(to: URL(filePath: path))
      // A damaged disk does not change times; one before the commit is not read by a plain check.
      FileSystem.setModificationTime(of: path, to: 1_000_000)
      #expect(try check(isDeep: false).findings.filter(\.isError) == [])
      let found = try check().findings.filter(\.isError)
      #expect(found.contains { $0.kind == .changedFile && path.hasSuffix($0.file ?? "?") })
      let error = try await libraryError {
        try await PhotoEditor(folder.store(asset)).apply([Invert(amount: 1)])
      }
      #expect(error?.code == .invalidResource)
      #expect([UInt8](try Data(contentsOf: URL(filePath: path))) == bytes)
    }
  }

  @Test func `a check classifies missing, truncated, orphaned and mismatched files`() async throws {
    let assets = try await populate()
    let original = try file(.photo, of: assets[0])
    try FileSystem.remove(original)
    truncate(try file(.adjustmentBasePhoto, of: assets[1]), 10)
    let uuid = try #require(LocalIdentifier(assets[2].localIdentifier)).uuid
    let orphan = library.layout.path(library.layout.assetFolder(uuid)) + "/notes.txt"
    try Data("mine".utf8).write(to: URL(filePath: orphan))
    let kinds = Set(try check().findings.map(\.kind))
    #expect(kinds.isSuperset(of: [.missingFile, .changedFile, .orphanedFile]))
    try library.performChangesAndWait {
      try $0.add(
        Rows([
          "UPDATE resource SET digest = zeroblob(32) WHERE type = 5 AND asset = \(assets[1].row)"
        ]))
    }
    let found = try check(isDeep: false).findings.filter { $0.kind == .changedFile }
    #expect(found.count == 1)
  }

  // MARK: Repair

  /// The values that a repair must restore, by asset.
  private func facts(_ library: PhotoLibrary) throws -> [String: [String]] {
    try library.read { database throws(LibraryError) in
      var facts: [String: [String]] = [:]
      let columns = (["state"] + PhotoProperties.columns).joined(separator: ", ")
      let rows = try database.all("SELECT id, uuid, \(columns) FROM asset") { row in
        (
          row.int(0), "\(row.blob(1))",
          (2..<row.count).map { "\(row.value($0))" }
        )
      }
      for (id, uuid, values) in rows {
        facts[uuid] =
          values + (try database.resources(of: id).map { "\($0)" })
          + (try database.journalFiles(of: id).map { "\($0)" })
      }
      return facts
    }
  }

  private func removeDatabase() throws {
    for suffix in ["", "-wal", "-shm"] {
      try FileSystem.remove(library.layout.database + suffix)
    }
  }

  @Test func `repair restores everything from the files after the loss of the database`()
    async throws
  {
    let assets = try await populate()
    try addAlbums(assets)
    try library.synchronize()
    let before = try facts(library)
    let albums = try albums(library)
    let files = try folder.inventory()
    try removeDatabase()
    let report = try LibraryRepair().run(at: library.url)
    #expect(report.isSound, "\(report.findings)")
    let again = try reopened()
    #expect(try facts(again) == before)
    #expect(try self.albums(again) == albums && albums.count == 2)
    #expect(
      try folder.inventory().filter { !$0.key.hasSuffix(".json") }
        == files.filter { !$0.key.hasSuffix(".json") })
    #expect(try check().findings == [])
    // Edits can be continued and undone.
    let store = try again.editingStore(for: assets[1])
    #expect(try store.state().undoable.count == 2)
    _ = try await store.undo()
    _ = try await store.undo()
    #expect(try store.state().isEdited == false)
    #expect(again.identifier != library.identifier)
  }

  private func addAlbums(_ assets: [Asset]) throws {
    let album = LocalIdentifier(new: .assetCollection)
    let parent = LocalIdentifier(new: .collectionList)
    try library.performChangesAndWait {
      try $0.add(AlbumInsertion(album, in: parent, members: assets.map(\.row)))
    }
  }

  private func albums(_ library: PhotoLibrary) throws -> [String] {
    try library.read { database throws(LibraryError) in
      try database.all(
        """
        SELECT c.uuid, c.class, c.subtype, c.title, p.uuid, c.creationDate,
          (SELECT group_concat(hex(a.uuid), ' ') FROM (SELECT asset FROM member
            WHERE album = c.id ORDER BY position) m JOIN asset a ON a.id = m.asset)
        FROM collection c LEFT JOIN collection p ON p.id = c.parent WHERE c.state = 0
        ORDER BY c.uuid
        """
      ) { row in (0..<row.count).map { "\(row.value($0))" }.joined(separator: "|") }
    }
  }

  @Test func `repair restores assets without manifests from their files`() async throws {
    let assets = try await populate()
    try library.synchronize()
    let states = try assets.map { try Array(folder.digests($0)) }
    for name in try folder.inventory().keys where name.hasSuffix("asset.json") {
      try FileSystem.remove(library.layout.path(name))
    }
    try removeDatabase()
    let report = try LibraryRepair().run(at: library.url)
    #expect(report.isSound && report.actions.count == 3, "\(report.findings)")
    let again = try reopened()
    for (asset, state) in zip(assets, states) {
      let store = try again.editingStore(for: asset)
      let now = try store.state()
      #expect(now.original.digest == state[0])
      #expect(now.isEdited == (state[2] != nil) && now.record?.current == state[2])
    }
    #expect(try again.editingStore(for: assets[2]).state().undoable.count == 3)
  }

  @Test func `files newer than the manifest take precedence in a repair`() async throws {
    let asset = try folder.addPhoto()
    try library.synchronize()
    let uuid = try #require(LocalIdentifier(asset.localIdentifier)).uuid
    let manifest = library.layout.path(library.layout.assetFolder(uuid)) + "/asset.json"
    let old = try Data(contentsOf: URL(filePath: manifest))
    try await EditorB.edit(library, asset, "one")
    try library.synchronize()
    try old.write(to: URL(filePath: manifest))
    let state = try folder.digests(asset)
    try removeDatabase()
    #expect(try LibraryRepair().run(at: library.url).isSound)
    let now = try reopened().editingStore(for: asset).state()
    #expect(now.record?.current == state[2])
    #expect(now.record?.adjustment == (try EditorB.data("one")))
  }

  @Test func `a damaged database is set aside, not deleted`() async throws {
    let assets = try await populate()
    try library.synchronize()
    // The log of an open library would repair the damage, so a copy that is not open is used.
    let copy = try TemporaryFolder()
    let url = copy.url("copy")
    var backup = LibraryBackup()
    backup.sharesFiles = false
    #expect(try backup.run(of: library, to: url).isSound)
    let database = url.path + "/library.db"
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: database)))
    for i in stride(from: 8192, to: bytes.count, by: 97) { bytes[i] ^= 0x5A }
    try Data(bytes).write(to: URL(filePath: database))
    #expect(try LibraryCheck().run(at: url).findings.contains { $0.kind == .damagedDatabase })
    let report = try LibraryRepair().run(at: url)
    #expect(report.isSound, "\(report.findings)")
    let aside = url.appending(path: "set-aside")
    let dated = try #require(try FileSystem.names(in: aside.path).first)
    #expect([UInt8](try Data(contentsOf: aside.appending(path: dated + "/library.db"))) == bytes)
    let again = try PhotoLibrary(at: url)
    for asset in assets {
      let now = try again.editingStore(for: asset).state()
      #expect(now.record?.current == (try folder.store(asset).state().record?.current))
    }
  }

  @Test func `repair sets aside leftovers and orphaned renderings but no originals`() async throws {
    let asset = try folder.addPhoto()
    // Write the manifests now; a later write would replace an unfinished one.
    _ = try LibraryRepair().run(at: library.url)
    let uuid = try #require(LocalIdentifier(asset.localIdentifier)).uuid
    let destination = library.layout.path(library.layout.assetFolder(uuid))
    let orphans = [
      "fullSizePhoto-0123456789abcdef.jpg", "photo-0123456789abcdef.jpg", "notes.txt",
      "asset.json.new",
    ]
    for (i, name) in orphans.enumerated() {
      try Data([UInt8(i)]).write(to: URL(filePath: destination + "/" + name))
    }
    try Data().write(to: URL(filePath: library.layout.staging + "/intent-dead"))
    let before = Set(try folder.inventory().filter { !$0.key.hasPrefix("staging/") }.values)
    _ = try LibraryRepair().run(at: library.url)
    #expect(before.isSubset(of: try folder.inventory().values))
    let aside = try folder.inventory().keys.filter { $0.hasPrefix("set-aside/") }
    #expect(Set(aside.map { FileSystem.lastName(of: $0) }) == [orphans[0], orphans[3]])
    let left = try FileSystem.names(in: destination)
    #expect(!left.contains(orphans[0]) && !left.contains(orphans[3]))
    #expect(left.contains(orphans[1]) && left.contains(orphans[2]))
    #expect(try FileSystem.names(in: library.layout.staging) == [])
    #expect(try folder.refetched(asset).hasAdjustments == false)
  }

  // MARK: Cleanup after a crash

  @Test func `files of an unfinished commit are removed when the library is opened`() throws {
    let asset = try folder.addPhoto()
    let uuid = try #require(LocalIdentifier(asset.localIdentifier)).uuid
    let own = try #require(try folder.resources(asset)[.photo]).file
    let lost = library.layout.assetFolder(uuid) + "/fullSizePhoto-0123456789abcdef.jpg"
    let other = library.layout.assetFolder(UUID()) + "/photo-0123456789abcdef.jpg"
    try FileSystem.createFolder(
      FileSystem.folder(of: FileSystem.folder(of: library.layout.path(other))))
    try FileSystem.createFolder(FileSystem.folder(of: library.layout.path(other)))
    for file in [lost, other] { try Data([1]).write(to: URL(filePath: library.layout.path(file))) }
    let lines = [lost, own, other, "assets/../../evil", "library.db", ""].joined(separator: "\n")
    try Data(lines.utf8).write(to: URL(filePath: library.layout.staging + "/intent-dead"))
    try FileSystem.createFolder(library.layout.staging + "/.photoedit-staging-dead01")
    let again = try reopened()
    try again.synchronize()
    #expect(!FileSystem.itemExists(library.layout.path(lost)))
    #expect(!FileSystem.itemExists(library.layout.path(other)))
    #expect(!FileSystem.itemExists(FileSystem.folder(of: library.layout.path(other))))
    #expect(FileSystem.itemExists(library.layout.path(own)))
    #expect(FileSystem.itemExists(library.layout.database))
    #expect(try FileSystem.names(in: library.layout.staging) == [])
  }

  // MARK: Backup

  @Test(arguments: [true, false])
  func `a backup is an independent library that passes all checks`(isShared: Bool)
    async throws
  {
    let assets = try await populate()
    try addAlbums(assets)
    let destination = try TemporaryFolder()
    var backup = LibraryBackup()
    backup.sharesFiles = isShared
    backup.isVerifiedDeeply = true
    let report = try backup.run(of: library, to: destination.url("copy"))
    #expect(report.findings == [] && report.assetCount == 3)
    let copy = try PhotoLibrary(at: destination.url("copy"))
    #expect(try facts(copy) == facts(library))
    #expect(try albums(copy) == albums(library))
    // Changes in one library do not affect the other.
    try await EditorB.edit(library, assets[0], "later")
    #expect(try copy.editingStore(for: assets[0]).state().isEdited == false)
    _ = try await copy.editingStore(for: assets[1]).revert()
    #expect(try folder.store(assets[1]).state().isEdited)
    let error = try await libraryError {
      _ = try backup.run(of: library, to: destination.url("copy"))
    }
    #expect(error?.code == .invalidResource)
  }

  @Test(arguments: [true, false])
  func `a backup that was killed is continued`(isShared: Bool) async throws {
    let assets = try await populate()
    let destination = try TemporaryFolder()
    let target = LibraryLayout(at: destination.url("copy"))
    try LibraryFolder.makeFolders(target)
    // Part of a file, a file that was removed since, and a database with the log of another.
    let original = try folder.store(assets[0]).state().original.path
    let file = String(original.dropFirst(library.layout.root.utf8.count + 1))
    try target.createFolder(FileSystem.folder(of: file))
    try StagedFile.write([1, 2, 3], to: target.path(file))
    try target.createFolder("assets/00/old")
    try StagedFile.write([1], to: target.path("assets/00/old/original.jpg"))
    for ending in ["", "-wal"] {
      try StagedFile.write([1, 2, 3], to: target.unfinishedDatabase + ending)
    }
    var backup = LibraryBackup()
    backup.sharesFiles = isShared
    backup.isVerifiedDeeply = true
    let report = try backup.run(of: library, to: destination.url("copy"))
    #expect(report.findings == [] && report.assetCount == 3)
    #expect(try facts(PhotoLibrary(at: destination.url("copy"))) == facts(library))
    #expect(!FileSystem.itemExists(target.path("assets/00/old/original.jpg")))
  }

  @Test func `a folder with other files is not that of a backup`() throws {
    let destination = try TemporaryFolder()
    try StagedFile.write([1], to: destination.path("library.db.new"))
    try StagedFile.write([1], to: destination.path("notes.txt"))
    #expect(throws: LibraryError.self) {
      try LibraryBackup().run(of: library, to: URL(filePath: destination.path))
    }
    #expect(try FileSystem.names(in: destination.path).sorted() == ["library.db.new", "notes.txt"])
  }

  @Test func `backups made during concurrent edits are sound`() async throws {
    let assets = try (0..<4).map { _ in try folder.addPhoto() }
    let destination = try TemporaryFolder()
    let library = library
    try await withThrowingTaskGroup(of: Void.self) { group in
      for asset in assets {
        group.addTask {
          for i in 0..<6 { try await EditorB.edit(library, asset, "edit \(i)") }
        }
      }
      group.addTask {
        for i in 0..<3 {
          let report = try LibraryBackup().run(of: library, to: destination.url("copy \(i)"))
          #expect(report.findings == [])
        }
      }
      try await group.waitForAll()
    }
    try library.synchronize()
    #expect(try check().findings == [])
  }

  // MARK: Two writers

  @Test func `of two concurrent edits of an asset, one succeeds and one fails`() async throws {
    let asset = try folder.addPhoto()
    let other = try reopened()
    for round in 0..<5 {
      let mine = try await EditorB.output(library, asset, "mine \(round)")
      let theirs = try await EditorB.output(other, asset, "theirs \(round)")
      let results = await withTaskGroup(of: LibraryError.Code?.self) { group in
        for (library, output) in [(library, mine), (other, theirs)] {
          group.addTask {
            do {
              try await library.performChanges {
                try $0.change(asset).setContentEditingOutput(output)
              }
              return nil
            } catch {
              return (error as? LibraryError)?.code ?? .internalError
            }
          }
        }
        return await group.reduce(into: [LibraryError.Code?]()) { $0.append($1) }
      }
      #expect(results.filter { $0 == nil }.count == 1)
      #expect(results.filter { $0 == .operationInterrupted }.count == 1)
      let state = try folder.store(asset).state()
      let text = try #require(
        state.record.map { String(decoding: $0.adjustment.data, as: UTF8.self) })
      #expect(state.record?.current == SHA256Digest(of: try EditorB.rendering(text)))
    }
    try library.synchronize()
    #expect(try check().findings == [])
  }
}

/// Runs SQL statements in one commit.
final class Rows: ChangeOperation {
  private let statements: [String]

  init(_ statements: [String]) { self.statements = statements }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    for statement in statements { try commit.database.run(statement) }
  }
}

/// Inserts an album in a folder, with its members.
private final class AlbumInsertion: ChangeOperation {
  private let album: LocalIdentifier
  private let parent: LocalIdentifier
  private let members: [Int64]

  init(_ album: LocalIdentifier, in parent: LocalIdentifier, members: [Int64]) {
    (self.album, self.parent, self.members) = (album, parent, members)
  }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    var last: Int64?
    for (identifier, subtype) in [(parent, 100), (album, 2)] {
      let values: [DatabaseValue] = [
        .blob(identifier.bytes), .init(identifier.objectClass.rawValue), .init(subtype),
        .init(last), .integer(try commit.change()),
      ]
      try commit.database.run(
        """
        INSERT INTO collection (uuid, class, subtype, title, parent, position, creationDate,
          modificationDate, state, lastChange) VALUES (?, ?, ?, 'Été "1"', ?, 1, 2.5, 3.5, 0, ?)
        """, values)
      last = commit.database.connection.lastInsertedRow
      if let last { try commit.touchCollection(identifier.objectClass, last, .inserted) }
    }
    for (i, member) in members.reversed().enumerated() {
      try commit.database.run(
        "INSERT INTO member (album, position, asset) VALUES (?, ?, ?)",
        [.init(last), .init((i + 1) << 20), .integer(member)])
    }
  }
}
