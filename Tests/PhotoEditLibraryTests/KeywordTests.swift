// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Keywords, ratings and labels of assets")
struct KeywordTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  private func change(
    _ asset: Asset, _ body: (AssetChangeRequest) throws -> Void
  ) throws -> Asset {
    try library.performChangesAndWait { changes in try body(changes.change(asset)) }
    return try #require(try folder.asset(asset.localIdentifier))
  }

  private func differences() throws -> [String] {
    try library.read { database throws(LibraryError) in
      try SearchTables(database: database).differences()
    }
  }

  @Test func `keywords are added, removed with those below them, and replaced`() throws {
    var asset = try folder.addAsset()
    asset = try change(asset) { request in
      try request.addKeywords(["boat", " Places/Portugal / Lisbon", "Places/Porto", "boat"])
    }
    #expect(asset.keywords == ["Places/Porto", "Places/Portugal/Lisbon", "boat"])
    asset = try change(asset) { request in
      try request.removeKeywords(["Places/Portugal", "unknown"])
    }
    #expect(asset.keywords == ["Places/Porto", "boat"], "Porto is not below Portugal")
    asset = try change(asset) { request in
      try request.setKeywords(["z", "a"])
      try request.addKeywords(["m"])
    }
    #expect(asset.keywords == ["a", "m", "z"])
    #expect(try differences() == [])
  }

  @Test func `rating and label are set and removed`() throws {
    var asset = try folder.addAsset()
    #expect(asset.rating == 0 && asset.label == nil)
    asset = try change(asset) { request in
      try request.setRating(-1)
      try request.setLabel(.green)
    }
    #expect(asset.rating == -1 && asset.label == .green)
    asset = try change(asset) { request in
      try request.setRating(0)
      try request.setLabel(nil)
    }
    #expect(asset.rating == 0 && asset.label == nil)
  }

  @Test func `values out of range are refused and change nothing`() throws {
    let asset = try folder.addAsset()
    let version = try folder.version()
    func expectRefusal(_ body: (AssetChangeRequest) throws -> Void) {
      let error = #expect(throws: LibraryError.self) { _ = try change(asset, body) }
      #expect(error?.code == .changeNotSupported && error?.hint != nil)
    }
    expectRefusal { try $0.setRating(6) }
    expectRefusal { try $0.addKeywords([" / "]) }
    expectRefusal { try $0.addKeywords([String(repeating: "ü", count: 129)]) }
    expectRefusal { try $0.setKeywords((0...200).map { "k\($0)" }) }
    #expect(try folder.version() == version)
  }

  @Test func `equal keywords and ratings change nothing`() throws {
    var asset = try folder.addAsset()
    asset = try change(asset) { request in
      try request.addKeywords(["b", "a"])
      try request.setRating(3)
    }
    let version = try folder.version()
    _ = try change(asset) { request in
      try request.setKeywords(["a", "b", "a"])
      try request.addKeywords(["b"])
      try request.removeKeywords(["c"])
      try request.setRating(3)
    }
    #expect(try folder.version() == version)
  }

  @Test func `change details, old results and the history show keywords as of their commits`()
    throws
  {
    let asset = try folder.addAsset()
    let result = try library.fetchAssets()
    let token = try library.currentChangeToken
    let from = try folder.version()
    _ = try change(asset) { request in
      try request.addKeywords(["boat"])
      try request.setRating(5)
      try request.setLabel(.red)
    }
    let update = LibraryChange(in: library, from: from, through: try folder.version())
    let object = try #require(try update.changeDetails(for: result[0]))
    #expect(object.objectBeforeChanges.keywords == [] && object.objectBeforeChanges.rating == 0)
    let after = try #require(object.objectAfterChanges)
    #expect(after.keywords == ["boat"] && after.rating == 5 && after.label == .red)
    #expect(!object.assetContentChanged)
    let details = try #require(try update.changeDetails(for: result))
    #expect(details.changedObjects == [asset])
    #expect(details.fetchResultBeforeChanges[0].keywords == [])
    let changes = Array(try library.fetchPersistentChanges(since: token))
    #expect(changes.count == 1)
    #expect(
      try changes[0].changeDetails(for: .asset).updatedLocalIdentifiers == [asset.localIdentifier])
    // The history has the previous values, from which the change can be undone.
    let before = try library.read { database throws(LibraryError) in
      try database.first("SELECT keywords IS NULL AND rating IS NULL FROM assetHistory") {
        $0.bool(0)
      }
    }
    #expect(before == true)
  }

  @Test func `purging removes keywords and text from every table`() throws {
    let asset = try folder.addAsset { $0.title = "secret" }
    _ = try change(asset) { request in try request.addKeywords(["private"]) }
    try library.performChangesAndWait { try $0.delete([asset]) }
    #expect(try differences() == [])
    try library.performChangesAndWait { try $0.purge([asset]) }
    let remains = try library.read { database throws(LibraryError) in
      try database.first(
        """
        SELECT (SELECT count(*) FROM keyword) + (SELECT count(*) FROM asset_keyword)
          + (SELECT count(*) FROM asset_text WHERE asset_text MATCH 'secret OR private')
          + (SELECT count(*) FROM asset WHERE keywords IS NOT NULL)
        """
      ) { $0.int(0) }
    }
    #expect(remains == 0)
    #expect(try differences() == [])
  }

  @Test(.seeded) func `search tables match the assets after random commits`() throws {
    var numbers = SeededNumbers(11)
    func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &numbers) }
    let words = ["boat", "São Tomé", "Straße", "東京タワー", "a/b", "a/b/c", "a"]
    for _ in 0..<60 {
      let assets = Array(try library.fetchAssets())
      let asset = assets.isEmpty ? nil : assets[number(assets.count)]
      let word = words[number(words.count)]
      let date = Date(timeIntervalSince1970: Double(number(400_000)) - 200_000)
      switch number(asset == nil ? 1 : 7) {
      case 0:
        _ = try folder.addAsset {
          $0.title = word
          $0.creationDate = date
          $0.utcOffset = [nil, 3600, -36_000][number(3)]
          $0.keywords = [word]
        }
      case 1: try library.performChangesAndWait { try $0.delete([asset!]) }
      case 2:
        if let trashed = try library.fetchTrashedAssets().first {
          try library.performChangesAndWait { try $0.restore([trashed]) }
        }
      case 3:
        if let trashed = try library.fetchTrashedAssets().first {
          try library.performChangesAndWait { try $0.purge([trashed]) }
        }
      default:
        try library.performChangesAndWait { changes in
          let request = try changes.change(asset!)
          try request.setCaption(number(3) == 0 ? nil : word)
          try request.setHidden(number(2) == 0)
          try request.setCreationDate(number(4) == 0 ? nil : date)
          if number(2) == 0 {
            try request.addKeywords([word])
          } else {
            try request.removeKeywords([word])
          }
        }
      }
      #expect(try differences() == [])
    }
  }
}

@Suite("Keywords in manifests, checks and repairs")
struct KeywordRepairTests {
  private func tagged() async throws -> (ClosedLibrary, [String]) {
    let library = try await ClosedLibrary()
    try await library.open { open in
      let photo = try library.asset(0, in: open)
      try open.performChangesAndWait { changes in
        let request = try changes.change(photo)
        try request.addKeywords(["Places/Portugal/Lisbon", "boat"])
        try request.setRating(4)
        try request.setLabel(.blue)
      }
    }
    return (library, try await library.facts())
  }

  @Test func `a repair without a database restores keywords, rating and label`() async throws {
    let (library, facts) = try await tagged()
    #expect(facts.joined().contains("Places/Portugal/Lisbon"))
    for suffix in ["", "-wal", "-shm"] {
      try FileSystem.remove(library.layout.database + suffix)
    }
    #expect(try LibraryRepair().run(at: library.url).isSound)
    #expect(try await library.facts() == facts)
    try await library.open { open in
      let photo = try library.asset(0, in: open)
      #expect(photo.keywords == ["Places/Portugal/Lisbon", "boat"])
      #expect(photo.rating == 4 && photo.label == .blue)
    }
    #expect(try library.check().findings == [])
  }

  @Test(arguments: [
    "INSERT INTO asset_text (rowid, title) VALUES (1, 'other')",
    "INSERT INTO asset_text (asset_text) VALUES ('delete-all')",
    "INSERT INTO asset_text (rowid, title) VALUES (99, 'ghost')", "DELETE FROM asset_keyword",
    "UPDATE keyword SET name = 'other' WHERE name = 'boat'", "DELETE FROM asset_day",
    "UPDATE asset_day SET count = count + 1", "UPDATE asset SET title = 'tampered'",
  ])
  func `a check finds search tables that differ, and a repair fills them`(
    statement: String
  ) async throws {
    let (library, _) = try await tagged()
    try library.execute(statement)
    let found = try LibraryCheck().run(at: library.url).findings
      .filter { $0.kind == .differingSearch }
    #expect(found.count == 1 && found.first?.isError == true, "\(found)")
    let report = try LibraryRepair().run(at: library.url)
    #expect(report.actions.contains { $0.contains("search tables") })
    #expect(try library.check().findings.filter { $0.kind == .differingSearch } == [])
  }

  @Test func `a repair reads the metadata of photos that an older version imported`() async throws {
    let library = try await ClosedLibrary()
    var file = ImageFile()
    file.xmp = "xmp:Rating=\"3\" xmp:Label=\"Red\""
    file.main = [.text(0x0110, "X100V")]
    let path = library.outside("new.jpg")
    try Data(try file.jpeg(5)).write(to: URL(filePath: path))
    try await library.open { open in #expect(Importer(open).run([path]).assetCount == 1) }
    let facts = try await library.facts()
    try library.execute(
      """
      UPDATE asset SET fileSize = NULL, rating = NULL, camera = NULL, label = 'blue'
      WHERE originalFilename = 'new.jpg'
      """)
    #expect(
      try LibraryRepair().run(at: library.url).actions.contains { $0.contains("1 original") })
    let repaired = try await library.facts()
    #expect(repaired == facts.map { $0.replacing("\"red\"", with: "\"blue\"") })
    #expect(facts.joined().contains("\"rating\": 3") && facts.joined().contains("X100V"))
    #expect(try library.check().findings == [])
  }

  @Test func `a repair completes the metadata of an original once it can be read`() async throws {
    let library = try await ClosedLibrary()
    var file = ImageFile()
    file.main = [.text(0x0110, "X100V")]
    let path = library.outside("new.jpg")
    try Data(try file.jpeg(5)).write(to: URL(filePath: path))
    try await library.open { open in #expect(Importer(open).run([path]).assetCount == 1) }
    try library.execute(
      """
      UPDATE asset SET fileSize = NULL, camera = NULL WHERE originalFilename = 'new.jpg'
      """)
    let stored = try Connection(library.layout.database, .readOnly).first(
      """
      SELECT file FROM resource JOIN asset ON asset.id = asset
      WHERE originalFilename = 'new.jpg'
      """
    ) { library.layout.path($0.text(0)) }
    let original = try #require(stored)
    let kept = library.outside("kept.jpg")
    try FileManager.default.moveItem(atPath: original, toPath: kept)
    let first = try LibraryRepair().run(at: library.url)
    #expect(!first.actions.contains { $0.contains("metadata") })
    #expect(try await !library.facts().joined().contains("X100V"))
    try FileManager.default.moveItem(atPath: kept, toPath: original)
    let second = try LibraryRepair().run(at: library.url)
    #expect(second.actions.contains { $0.contains("metadata was read from 1 original") })
    #expect(try await library.facts().joined().contains("X100V"))
  }

  @Test(arguments: [("'.jpg'", "'.jqg'"), ("'assets/'", "'assetz/'")])
  func `a repair takes the names of files from a manifest if those of the rows are wrong`(
    part: String, other: String
  ) async throws {
    let (library, facts) = try await tagged()
    #expect(try library.check().findings == [])
    try library.execute("UPDATE resource SET file = replace(file, \(part), \(other))")
    #expect(try library.check().findings.contains(where: \.isError))
    let report = try LibraryRepair().run(at: library.url)
    #expect(report.isSound && report.actions.contains { $0.contains("files that are not there") })
    #expect(try await library.facts() == facts)
    #expect(try library.check().findings == [])
  }

  private static let python = Program.find("python3")

  @Test(
    .enabled(if: python != nil, "Python writes to the tables of the index"),
    arguments: ["_data WHERE id > 10", "_config"])
  func `a check finds a damaged full-text index, and a repair builds it again`(
    rows: String
  ) async throws {
    let (library, _) = try await tagged()
    let script =
      """
      from sqlite3 import connect
      from sys import argv
      database = connect(argv[1])
      database.execute("DELETE FROM asset_text\(rows)")
      database.commit()
      """
    let python = try #require(Self.python)
    #expect(
      Program.run(
        python, ["-c", script, library.layout.database], output: library.outside("output")) == 0)
    #expect(try LibraryCheck().run(at: library.url).findings.map(\.kind) == [.differingSearch])
    #expect(try library.check().findings.map(\.kind) == [.differingSearch])
    try await library.open { open in
      let error = try await libraryError {
        _ = try open.fetchAssets(FetchOptions(predicate: .words("boat"))).count
      }
      #expect(error?.code ?? .invalidResource == .invalidResource)
    }
    #expect(try LibraryRepair().run(at: library.url).isSound)
    #expect(try library.check().findings == [])
  }
}
