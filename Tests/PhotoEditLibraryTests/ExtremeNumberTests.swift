// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

/// Numbers that another program, or a stranger, has written into a library or an export.
///
/// A trap would end the process of the tests, so it is a success that they end.
@Suite("Extreme numbers in libraries and exports", .seeded)
struct ExtremeNumberTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  /// Literals of SQL; 9e999 is infinity.
  private static let integers = [
    "-9223372036854775808", "9223372036854775807", "-1", "0", "9007199254740993", "4294967296",
    "-2147483649",
  ]
  private static let reals = [
    "1e308", "-1e308", "9e999", "-9e999", "9007199254740993.0", "-0.0", "9.3e18", "-1e12",
  ]

  private struct Column {
    let table: String
    let name: String
    let isReal: Bool
    let hasRows: Bool

    var values: [String] { isReal ? reals : integers }

    /// Gives the rows values from a position in the list on, each another one where rows have
    /// numbers.
    func statement(_ position: Int) -> String {
      let list = (0..<3).map { values[(position + $0) % values.count] }
      let value =
        hasRows
        ? "CASE abs(rowid) % 3 WHEN 0 THEN \(list[0]) WHEN 1 THEN \(list[1]) ELSE \(list[2]) END"
        : list[0]
      return "UPDATE OR IGNORE \(table) SET \(name) = \(value)"
    }
  }

  /// The numeric columns of all tables, from the schema itself.
  private static func columns(_ path: String) throws -> [Column] {
    let connection = try Connection(path, .readOnly)
    let tables = try connection.all(
      "SELECT name, sql LIKE '%WITHOUT ROWID%' FROM sqlite_schema WHERE sql LIKE '%STRICT%'", []
    ) { (name: $0.text(0), hasRows: !$0.bool(1)) }
    return try tables.flatMap { table in
      try connection.all("SELECT name, type FROM pragma_table_info(?)", [.text(table.name)]) {
        Column(
          table: table.name, name: $0.text(0), isReal: $0.text(1) == "REAL", hasRows: table.hasRows)
      }.filter { column in
        try connection.first(
          "SELECT 1 FROM pragma_table_info(?) WHERE name = ? AND type IN ('INTEGER', 'REAL')",
          [.text(table.name), .text(column.name)]
        ) { $0.int(0) } != nil
      }
    }
  }

  /// Reads, exports, searches, checks and changes a library; errors are results.
  private static func use(_ url: URL, _ scratch: TemporaryFolder) throws {
    guard let library = try? PhotoLibrary(at: url) else { return }
    for key in ["creationDate", "duration", "pixelWidth", "modificationDate"] {
      let sort = [try FetchSort<Asset>(key: key, ascending: false)]
      let assets = try? library.fetchAssets(FetchOptions(sortDescriptors: sort))
      for asset in assets.map(Array.init) ?? [] {
        _ = (asset.day, asset.location, asset.duration, Clock.text(asset.addedDate))
        if let date = asset.creationDate { _ = Clock.text(date, utcOffset: asset.utcOffset) }
      }
      _ = assets?.timelineEntries { $0.creationDate }
      _ = assets?.valuesOfAllRows { $0.pixelWidth }
    }
    for unit in [Timeline.Unit.day, .month, .year] { _ = try? library.fetchTimeline(by: unit) }
    for kind in [AssetCollection.Kind.album, .smartAlbum, .moment] {
      for album in (try? library.fetchAssetCollections(with: kind)).map(Array.init) ?? [] {
        _ = (album.startDate, album.endDate, album.estimatedAssetCount)
        _ = (try? library.fetchAssets(in: album))?.count
      }
    }
    _ = try? library.statistics()
    for method in [DuplicateSearch.Method.digest, .pixels] {
      _ = try? DuplicateSearch(library).groups(by: method)
    }
    for change in (try? library.fetchPersistentChanges()).map(Array.init) ?? [] {
      _ = try? library.reader.objects(of: change.changeToken.mark)
    }
    let target = scratch.path("out")
    try FileSystem.createFolder(target)
    var options = FolderExport.Options()
    options.template = try ExportTemplate("{created.year}/{created.month}-{seq:4}-{name}")
    (options.writesSidecars, options.setsFileDates) = (true, true)
    if let assets = try? Array(library.fetchAssets(.complete)) {
      _ = try? FolderExport(library, to: URL(filePath: target), options: options).run(assets) { _ in
      }
      try? library.performChangesAndWait { changes in
        for asset in assets { try changes.change(asset).setTitle("new") }
      }
    }
    try FileManager.default.removeItem(atPath: target)
    try? library.synchronize()
  }

  @Test func `a library with any number in any column can be used or is refused`() async throws {
    let closed = try await ClosedLibrary()
    let scratch = try TemporaryFolder()
    try closed.execute("UPDATE asset SET latitude = 1, longitude = 2, creationDate = 86400 * id")
    try closed.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let original = try closed.bytes("library.db")
    let columns = try Self.columns(closed.layout.database)
    #expect(columns.count > 60 && columns.contains { $0.name == "creationDate" && $0.isReal })
    var changed = 0
    for (number, column) in columns.enumerated() {
      for position in stride(from: 0, to: column.values.count, by: 3).map({ $0 }).some(number) {
        for suffix in ["-wal", "-shm"] {
          try? FileSystem.remove(closed.layout.database + suffix)
        }
        try closed.write(original, to: "library.db")
        if (try? closed.execute(column.statement(position))) != nil { changed += 1 }
        try Self.use(closed.url, scratch)
      }
    }
    #expect(changed > columns.count / 2)
    // The check and the text that the history keeps its end in.
    for text in ["9223372036854775807 0", "-9223372036854775808 9223372036854775807", "1e308 x"] {
      try closed.write(original, to: "library.db")
      try closed.execute("UPDATE property SET value = '\(text)'")
      try Self.use(closed.url, scratch)
      _ = try? closed.check()
    }
  }

  @Test func `a date outside the years 1 to 9999 is not exported, and that is reported`() throws {
    let photo = try library.create([(.photo, try ImageFile().jpeg(1))])
    let movie = try library.create([(.video, MovieFile.live(nil))])
    let connection = try Connection(library.library.layout.database, .readWrite)
    for (value, isWritable) in [
      ("1e308", false), ("-9e999", false), ("253402300800", false), ("253402300799", true),
      ("-62135596801", false), ("86400", true),
    ] {
      try connection.execute("UPDATE asset SET creationDate = \(value)")
      for asset in [photo, movie] {
        let target = try TemporaryFolder()
        let fetched = try #require(try library.asset(asset.localIdentifier))
        let file = try #require(try library.export([fetched], to: target).first)
        #expect((file.note?.contains("1 to 9999") == true) == !isWritable, "\(value): \(file)")
      }
    }
  }

  @Test func `any time in a Takeout file gives a date or none, and the photo is imported`() throws {
    let times: [(text: String, hasDate: Bool)] = [
      ("\"-9223372036854775808\"", false), ("\"9223372036854775807\"", false), ("1e308", false),
      ("-1e308", false), ("9223372036854775807", false), ("\"-9223372036854775809\"", false),
      ("\"253402300800\"", false), ("\"-62135596800\"", true), ("\"253402300799\"", true),
      ("1.5", false), ("9007199254740993", false), ("\"0\"", false), ("86400", true),
    ]
    let numbers = ["1e308", "-1e308", "9007199254740992", "0.1", "-180", "null"]
    for (index, time) in times.enumerated() {
      let name = "Takeout/Google Photos/Photos from 2001/\(index).jpg"
      let place = (0..<3).map { numbers[(index + $0) % numbers.count] }
      let json = """
        {"title": "\(index).jpg", "photoTakenTime": {"timestamp": \(time.text)}, "geoData":
         {"latitude": \(place[0]), "longitude": \(place[1]), "altitude": \(place[2])}}
        """
      try write(try ImageFile().jpeg(index + 1), name)
      try write(Array(json.utf8), name + ".json")
      let date = TakeoutFile(Array(json.utf8))?.metadata.date
      #expect((date != nil) == time.hasDate, "\(time.text)")
    }
    #expect(run().assetCount == times.count)
    #expect(try library.assets().count == times.count)
  }

  @Test func `any number in a library of Apple Photos is imported or left out`() throws {
    let root = "Photos Library.photoslibrary/"
    let names = [
      "ZDATECREATED", "ZLATITUDE", "ZLONGITUDE", "ZFAVORITE", "ZHIDDEN", "ZTRASHEDSTATE",
      "ZADJUSTMENTSSTATE", "ZKIND", "ZAVALANCHEPICKTYPE",
    ]
    try write([1], root + "database/placeholder")
    let connection = try Connection(source.path(root + "database/Photos.sqlite"), .create)
    try connection.execute(
      """
      CREATE TABLE ZASSET (Z_PK INTEGER PRIMARY KEY, ZUUID TEXT, ZDIRECTORY TEXT, ZFILENAME TEXT,
        ZAVALANCHEUUID TEXT, \(names.joined(separator: ", ")));
      CREATE TABLE ZADDITIONALASSETATTRIBUTES (Z_PK INTEGER PRIMARY KEY, ZASSET, ZTIMEZONEOFFSET);
      CREATE TABLE ZGENERICALBUM (Z_PK INTEGER PRIMARY KEY, ZKIND, ZTITLE TEXT, ZPARENTFOLDER,
        Z_FOK_PARENTFOLDER, ZTRASHEDSTATE, ZCUSTOMSORTKEY, ZCUSTOMSORTASCENDING);
      CREATE TABLE Z_33ASSETS (Z_33ALBUMS, Z_3ASSETS, Z_FOK_3ASSETS);
      """)
    let values = Self.integers + Self.reals
    var row = 0
    for (column, name) in (names + ["ZTIMEZONEOFFSET"]).enumerated() {
      for value in values.some(column) {
        row += 1
        try write(try ImageFile().jpeg(row), root + "originals/A/\(row).jpeg")
        try connection.execute(
          "INSERT INTO ZASSET (Z_PK, ZUUID, ZDIRECTORY, ZFILENAME, ZAVALANCHEUUID, ZDATECREATED, "
            + "ZKIND) VALUES (\(row), '\(row)', 'A', '\(row).jpeg', 'B', 0, 0)")
        try connection.execute(
          name == "ZTIMEZONEOFFSET"
            ? "INSERT INTO ZADDITIONALASSETATTRIBUTES VALUES (\(row), \(row), \(value))"
            : "UPDATE ZASSET SET \(name) = \(value) WHERE Z_PK = \(row)")
      }
    }
    for (index, value) in values.enumerated() {
      try connection.execute(
        """
        INSERT INTO ZGENERICALBUM VALUES (\(index + 1), 2, 'A\(index)', \(value), \(value), 0,
          \(value), \(value));
        INSERT INTO Z_33ASSETS VALUES (\(index + 1), 1, \(value)), (\(index + 1), \(value), 1);
        """)
    }
    let report = run()
    #expect(report.assetCount > row / 2, "\(report)")
    let range = -62_135_596_800.0..<253_402_300_800
    for asset in try library.assets() {
      #expect(asset.creationDate.map { range.contains($0.timeIntervalSince1970) } != false)
    }
  }
}
