// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Purged assets")
struct PurgeTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws {
    folder = try TestLibrary()
    // Only the tests themselves run maintenance.
    folder.library.maintenanceSchedule.state.withLock { $0.isPlanned = true }
  }

  private static let words = [
    "qxtitle", "qxcaption", "qxkeyword", "qxperson", "qxname", "qxplace", "qxcamera",
  ]
  private static let latitude = 48.777777

  /// Adds a photo whose properties are recognizable, and changes it several times.
  private func addSecret() throws -> Asset {
    let asset = try folder.create([(.photo, try ImageFile().jpeg())])
    try library.performChangesAndWait { changes in
      let request = try changes.change(asset)
      try request.setTitle("Qxtitle")
      try request.setCaption("a long Qxcaption " + String(repeating: "and so on ", count: 90))
      try request.addKeywords(["Qxkeyword"])
      try request.addPeople(["Qxperson"])
      try request.setLocation(LocationCoordinate(latitude: Self.latitude, longitude: 9.123456))
      try changes.add(
        Rows([
          """
          UPDATE asset SET originalFilename = 'Qxname.jpg', place = 'Qxplace', camera = 'Qxcamera'
          WHERE id = \(asset.row)
          """, "UPDATE resource SET filename = 'Qxname.jpg' WHERE asset = \(asset.row)",
        ]))
    }
    try library.performChangesAndWait { try $0.change(asset).setFavorite(true) }
    try library.performChangesAndWait { try $0.change(asset).setTitle("Qxtitle again") }
    return asset
  }

  /// Returns the words of the asset in the files below a folder, by file.
  private func remains(in root: String) throws -> [String: [String]] {
    var found: [String: [String]] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: root) {
      let path = root + "/" + name
      guard try FileSystem.entry(at: path) == .file else { continue }
      let data = try Data(contentsOf: URL(filePath: path))
      let text = String(decoding: data, as: Unicode.ASCII.self).lowercased()
      var words = Self.words.filter { text.contains($0) || name.lowercased().contains($0) }
      let latitude = withUnsafeBytes(of: Self.latitude.bitPattern.bigEndian) { Data($0) }
      if data.firstRange(of: latitude) != nil { words.append("latitude") }
      if !words.isEmpty { found[name] = words }
    }
    return found
  }

  private func purge(_ asset: Asset) throws {
    try library.performChangesAndWait { try $0.delete([asset]) }
    try library.performChangesAndWait { try $0.purge([asset]) }
  }

  @Test func `no file of the library and of a later backup contains anything of it`() throws {
    // Rows around it cause pages to be split, which leaves old contents in their unused parts.
    for _ in 0..<40 { _ = try folder.addAsset { $0.caption = String(repeating: "x", count: 300) } }
    let asset = try addSecret()
    for number in 0..<40 {
      _ = try folder.addAsset { $0.title = String(repeating: "y\(number) ", count: 100) }
    }
    let others = try library.fetchAssets().count - 1
    try library.synchronize()
    #expect(try !remains(in: library.layout.root).isEmpty)
    try purge(asset)
    try library.synchronize()
    #expect(try remains(in: library.layout.root) == [:])
    let target = folder.folder.path("backup")
    #expect(try LibraryBackup().run(of: library, to: URL(filePath: target)).isSound)
    #expect(try remains(in: target) == [:])
    #expect(try folder.check().findings == [])
    #expect(try library.fetchAssets().count == others)
  }

  @Test func `a backup before the maintenance after a purge does not contain it either`() throws {
    let asset = try addSecret()
    try purge(asset)
    // As if the process had ended before the erasure.
    try library.performChangesAndWait {
      try $0.add(Rows(["INSERT OR REPLACE INTO property (key, value) VALUES ('erasure', 'due')"]))
    }
    let target = folder.folder.path("backup")
    #expect(try LibraryBackup().run(of: library, to: URL(filePath: target)).isSound)
    #expect(try remains(in: target) == [:])
  }

  @Test func `the history keeps the identifier for programs that read changes later`() throws {
    let token = try library.currentChangeToken
    let asset = try addSecret()
    let result = try library.fetchAssets()
    try purge(asset)
    try library.synchronize()
    let changes = Array(try library.fetchPersistentChanges(since: token))
    let deleted = try changes.flatMap { try $0.changeDetails(for: .asset).deletedLocalIdentifiers }
    #expect(deleted == [asset.localIdentifier])
    // An earlier result still has the asset at its place, without its properties.
    #expect(result.map(\.localIdentifier) == [asset.localIdentifier])
    #expect(result.first?.title == nil && result.first?.location == nil)
  }

  @Test func `the log is emptied when other processes no longer read it`() throws {
    let asset = try addSecret()
    let path = library.layout.database
    do {
      let reader = try Connection(path, .readOnly)
      try reader.execute("BEGIN")
      #expect(try reader.first("SELECT count(*) FROM asset", [], { $0.int(0) }) == 1)
      try purge(asset)
      let writer = LibraryDatabase(
        connection: try Connection(path, .readWrite, busyTimeout: 0))
      let maintenance = LibraryMaintenance(layout: library.layout, database: writer)
      try maintenance.finish()
      #expect(try maintenance.isErasureDue())
      try reader.execute("COMMIT")
    }
    try library.synchronize()
    #expect(try remains(in: library.layout.root) == [:])
    #expect(
      try folder.number("SELECT count(*) FROM property WHERE key = 'erasure' AND value = 'done'")
        == 1)
  }

  private func maintenance() throws -> (LibraryMaintenance, Connection) {
    let connection = try Connection(library.layout.database, .readWrite)
    let maintenance = LibraryMaintenance(
      layout: library.layout, database: LibraryDatabase(connection: connection),
      aside: SetAside(library.layout, at: Date()))
    return (maintenance, connection)
  }

  @Test func `a purge by another process during an erasure is erased as well`() throws {
    let (maintenance, connection) = try maintenance()
    func progress() throws -> String? {
      try connection.first("SELECT value FROM property WHERE key = 'erasure'") { $0.text(0) }
    }
    try purge(addSecret())
    let seen = try #require(try progress())
    try purge(addSecret())
    let due = try #require(try progress())
    #expect(due != seen)
    // The other process purges after the database was rewritten, or the log was emptied.
    try maintenance.rewriteDatabase(seeing: seen)
    #expect(try progress() == due)
    #expect(try maintenance.emptyLog())
    #expect(try progress() == due)
    try maintenance.erase()
    #expect(try progress() == "done")
    #expect(try remains(in: library.layout.root) == [:])
  }

  /// Attaches so many databases that `VACUUM` finds no place for its own.
  private func preventErasure(_ connection: Connection) throws(DatabaseError) {
    for number in 0..<10 { try connection.execute("ATTACH ':memory:' AS other\(number)") }
  }

  @Test func `a failed erasure ends neither a repair nor other maintenance`() throws {
    try purge(addSecret())
    let (maintenance, connection) = try maintenance()
    try preventErasure(connection)
    #expect(throws: LibraryError.self) { try maintenance.erase() }
    var report = LibraryReport()
    try LibraryRepair().finish(maintenance, &report)
    let note = "what is left of purged assets is not erased yet: "
    #expect(report.actions.count == 1 && report.actions.allSatisfy { $0.hasPrefix(note) })
    #expect(try maintenance.isErasureDue())

    try library.openWriter().sync { connection throws(LibraryError) in
      try translating({ LibraryError($0, path: "") }) { () throws(DatabaseError) in
        try preventErasure(connection)
      }
    }
    #expect(throws: LibraryError.self) { try library.synchronize() }
    #expect(try maintenance.isErasureDue() && !maintenance.isDue())
    #expect(try LibraryRepair().run(at: library.url).isSound)
    #expect(try remains(in: library.layout.root) == [:])
  }

  @Test func `properties of purged assets that earlier versions kept are erased`() throws {
    let asset = try addSecret()
    let other = try folder.create([(.photo, try ImageFile().jpeg(2))])
    try library.synchronize()
    try library.performChangesAndWait {
      try $0.add(Rows(["DELETE FROM property WHERE key = 'erasure'"]))
    }
    // Another purge begins no erasure that would leave the earlier ones out.
    try purge(other)
    // Earlier versions cleared only some columns of the row, and nothing of the history.
    try library.performChangesAndWait {
      try $0.add(
        Rows([
          "UPDATE asset SET state = 2, title = NULL WHERE id = \(asset.row)",
          "DELETE FROM resource WHERE asset = \(asset.row)",
          "DELETE FROM asset_keyword WHERE asset = \(asset.row)", "DELETE FROM keyword",
          "INSERT INTO asset_text (asset_text) VALUES ('delete-all')",
        ]))
    }
    let uuid = try #require(LocalIdentifier(asset.localIdentifier)).uuid
    try FileManager.default.removeItem(
      atPath: library.layout.path(library.layout.assetFolder(uuid)))
    #expect(try !remains(in: library.layout.root).isEmpty)
    try PhotoLibrary(at: library.url).synchronize()
    #expect(try remains(in: library.layout.root) == [:])
  }
}
