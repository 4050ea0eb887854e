// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Import of an Apple Photos library")
struct PhotosLibraryTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  /// The names that differ between versions of Apple Photos.
  enum Schema: String, CaseIterable {
    case photos5
    case photos11

    var assets: String { self == .photos5 ? "ZGENERICASSET" : "ZASSET" }
    var edited: String { self == .photos5 ? "ZHASADJUSTMENTS" : "ZADJUSTMENTSSTATE" }
    /// The value of that column for an edited photo.
    var edit: Int { self == .photos5 ? 1 : 3 }
    var members: (table: String, album: String, asset: String) {
      self == .photos5
        ? ("Z_26ASSETS", "Z_26ALBUMS", "Z_34ASSETS") : ("Z_33ASSETS", "Z_33ALBUMS", "Z_3ASSETS")
    }
  }

  private static let root = "Photos Library.photoslibrary/"

  /// Writes a library with a plain photo, an edited Live Photo, a trashed, a hidden, and a missing
  /// photo, and with albums in folders.
  private func writeLibrary(_ schema: Schema) throws {
    let originals = Self.root + "originals/"
    var photo = ImageFile()
    photo.gps = [
      .text(1, "N"), .fractions(2, [(387, 10), (0, 1), (0, 1)]), .text(3, "W"),
      .fractions(4, [(91, 10), (0, 1), (0, 1)]), .byte(5, 0), .fractions(6, [(65, 2)]),
    ]
    photo.exif = [.text(0x9003, "2001:01:01 01:00:00"), .text(0x9011, "+01:00")]
    try write(try photo.jpeg(1), originals + "A/A1.jpeg")
    try write(try ImageFile.live("L-1"), originals + "B/B1.jpeg")
    try write(MovieFile.live("L-1"), originals + "B/B1_3.mov")
    try write(try ImageFile().jpeg(3), originals + "C/C1.jpeg")
    try write(try ImageFile().jpeg(4), originals + "D/D1.jpeg")
    try write(try ImageFile().jpeg(9), originals + "A/lost.jpeg")
    let resources = Self.root + "resources/"
    try write(try ImageFile.live("L-1", seed: 5), resources + "renders/B/B1_1_201_a.jpeg")
    try write(MovieFile.live("L-1", seed: 5), resources + "renders/B/B1_2_100_a.mov")
    try write(ImageFile.record("com.apple.photo"), resources + "renders/B/B1.plist")
    try write(try ImageFile().jpeg(8), resources + "derivatives/A/A1_1_105_c.jpeg")
    try write([1], Self.root + "database/placeholder")
    let member = schema.members
    let caption = schema == .photos5 ? "ZASSETATTRIBUTES INTEGER," : ""
    let reference = schema == .photos5 ? "" : "ZASSETDESCRIPTION INTEGER,"
    let folder = source.path(Self.root + "database")
    let connection = try Connection(folder + "/Photos.sqlite", .create)
    // The tables stay in the write-ahead log, as in a library that is open elsewhere.
    try connection.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
      CREATE TABLE \(schema.assets) (Z_PK INTEGER PRIMARY KEY, ZUUID TEXT, ZDIRECTORY TEXT,
        ZFILENAME TEXT, ZDATECREATED REAL, ZLATITUDE REAL, ZLONGITUDE REAL, ZFAVORITE INTEGER,
        ZHIDDEN INTEGER, ZTRASHEDSTATE INTEGER, \(schema.edited) INTEGER, ZKIND INTEGER,
        ZAVALANCHEUUID TEXT, ZAVALANCHEPICKTYPE INTEGER);
      CREATE TABLE ZADDITIONALASSETATTRIBUTES (Z_PK INTEGER PRIMARY KEY, ZASSET INTEGER,
        \(reference) ZORIGINALFILENAME TEXT, ZTITLE TEXT, ZTIMEZONEOFFSET INTEGER);
      CREATE TABLE ZASSETDESCRIPTION (Z_PK INTEGER PRIMARY KEY, \(caption) ZLONGDESCRIPTION TEXT);
      CREATE TABLE ZGENERICALBUM (Z_PK INTEGER PRIMARY KEY, ZKIND INTEGER, ZTITLE TEXT,
        ZPARENTFOLDER INTEGER, Z_FOK_PARENTFOLDER INTEGER, ZTRASHEDSTATE INTEGER,
        ZCUSTOMSORTKEY INTEGER, ZCUSTOMSORTASCENDING INTEGER);
      CREATE TABLE \(member.table) (\(member.album) INTEGER, \(member.asset) INTEGER,
        Z_FOK_\(member.asset.dropFirst(2)) INTEGER);
      INSERT INTO \(schema.assets) VALUES
        (1, 'A1', 'A', 'A1.jpeg', 50, 38.7, -9.1, 1, 0, 0, 0, 0, NULL, 0),
        (2, 'B1', 'B', 'B1.jpeg', 100.5, -180, -180, 0, 0, 0, \(schema.edit), 0, NULL, 0),
        (3, 'C1', 'C', 'C1.jpeg', 50, -180, -180, 0, 0, 1, 0, 0, NULL, 0),
        (4, 'D1', 'D', 'D1.jpeg', 60, -180, -180, 0, 1, 0, 0, 0, 'BURST', 28),
        (5, 'E1', 'E', 'E1.jpeg', 70, -180, -180, 0, 0, 0, 0, 0, NULL, 0);
      INSERT INTO ZGENERICALBUM VALUES (1, 3999, NULL, NULL, NULL, 0, 0, 1),
        (2, 4000, 'Travel', 1, 2, 0, 0, 1), (3, 2, 'Lisbon', 2, 1, 0, 0, 1),
        (4, 2, 'Empty', 1, 1, 0, 0, 1), (5, 2, 'Gone', 1, 3, 1, 0, 1),
        (6, 1506, 'Session', NULL, NULL, 0, 0, 1), (8, 1505, 'Shared', 1, 5, 0, 0, 1), (7, 2, 'By date', 1, 4, 0, 1, 0);
      INSERT INTO \(member.table) VALUES (3, 2, 1), (3, 1, 2), (3, 3, 3), (7, 1, 1), (7, 2, 2);
      """)
    let own =
      schema == .photos5
      ? "(Z_PK, ZASSETATTRIBUTES, ZLONGDESCRIPTION) VALUES (7, 11, "
      : "(Z_PK, ZLONGDESCRIPTION) VALUES (7, "
    let text = "'At the \u{2068}river\u{2069},' || char(10) || ' - in May'"
    try connection.execute("INSERT INTO ZASSETDESCRIPTION \(own)\(text))")
    let columns = schema == .photos5 ? "" : "ZASSETDESCRIPTION, "
    try connection.execute(
      """
      INSERT INTO ZADDITIONALASSETATTRIBUTES (Z_PK, ZASSET, \(columns)ZORIGINALFILENAME, ZTITLE)
      VALUES (11, 1, \(schema == .photos5 ? "" : "7, ")'IMG_1.JPG', 'River')
      """)
    try connection.execute(
      """
      INSERT INTO ZADDITIONALASSETATTRIBUTES (Z_PK, ZASSET, ZTIMEZONEOFFSET)
      VALUES (12, 2, -25200), (14, 4, 1)
      """)
    let (face, person) =
      schema == .photos5 ? ("ZASSET", "ZPERSON") : ("ZASSETFORFACE", "ZPERSONFORFACE")
    try connection.execute(
      """
      CREATE TABLE ZKEYWORD (Z_PK INTEGER PRIMARY KEY, ZTITLE TEXT);
      CREATE TABLE Z_1KEYWORDS (Z_1ASSETATTRIBUTES INTEGER, Z_37KEYWORDS INTEGER);
      INSERT INTO ZKEYWORD VALUES (1, 'travel'), (2, 'boat');
      INSERT INTO Z_1KEYWORDS VALUES (11, 1), (11, 2);
      CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, ZDISPLAYNAME TEXT, ZFULLNAME TEXT);
      CREATE TABLE ZDETECTEDFACE (Z_PK INTEGER PRIMARY KEY, \(face) INTEGER, \(person) INTEGER);
      INSERT INTO ZPERSON VALUES (1, 'Zoë', 'Zoë Smith'), (2, '', 'Ann Jones'), (3, '', '');
      INSERT INTO ZDETECTEDFACE VALUES (1, 1, 1), (2, 1, 2), (3, 1, 3), (4, 2, 1);
      """)
    // A copy of both files is what a library that is in use looks like.
    for name in ["Photos.sqlite", "Photos.sqlite-wal"] {
      try FileSystem.copy(folder + "/" + name, to: source.path("copy-" + name))
    }
    withExtendedLifetime(connection) {}
  }

  /// Replaces the database by the copy with its write-ahead log, after the connection was closed.
  private func restoreLog() throws {
    for name in ["Photos.sqlite", "Photos.sqlite-wal"] {
      try FileSystem.rename(
        source.path("copy-" + name), to: source.path(Self.root + "database/" + name))
    }
    try? FileSystem.remove(source.path(Self.root + "database/Photos.sqlite-shm"))
  }

  private func digests() throws -> [String: SHA256Digest] {
    var digests: [String: SHA256Digest] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: source.path) {
      let path = source.path(name)
      if try FileSystem.entry(at: path) == .file { digests[name] = try digest(path) }
    }
    return digests
  }

  @Test(arguments: Schema.allCases)
  func `originals, edits, properties and albums are imported, and nothing else`(
    _ schema: Schema
  ) throws {
    try writeLibrary(schema)
    try restoreLog()
    let before = try digests()
    let report = run()
    #expect(report.interruption == nil && report.count(.refused) == 0)
    #expect(report.assetCount == 3)
    let assets = Dictionary(
      try library.assets().map { ($0.creationDate?.timeIntervalSince1970, $0) }
    ) { first, _ in first }
    let plain = try #require(assets[978_307_250])
    #expect(plain.originalFilename == "IMG_1.JPG" && plain.title == "River")
    #expect(plain.caption == "At the river,\n- in May" && plain.isFavorite && !plain.isHidden)
    // What the database does not have is that of the file: the altitude and the offset from UTC.
    #expect(
      plain.location == LocationCoordinate(latitude: 38.7, longitude: -9.1, altitude: 32.5))
    #expect(plain.utcOffset == 3600)
    #expect(plain.keywords == ["boat", "travel"] && plain.people == ["Ann Jones", "Zoë"])
    let live = try #require(assets[978_307_300.5])
    #expect(live.people == ["Zoë"] && live.utcOffset == -25_200)
    #expect(live.hasAdjustments && live.playbackStyle == .livePhoto && live.location == nil)
    #expect(
      try types(live) == [
        .photo, .pairedVideo, .fullSizePhoto, .fullSizePairedVideo, .adjustmentData,
      ])
    let burst = try #require(assets[978_307_260])
    #expect(burst.utcOffset == nil)
    #expect(burst.isHidden && burst.burstIdentifier == "BURST" && burst.representsBurst)
    #expect(burst.burstSelectionTypes == [.autoPick, .userPick])
    let outcomes = outcomes(report)
    #expect(outcomes[Self.root + "originals/C/C1.jpeg"] == .skipped, "trashed")
    #expect(outcomes[Self.root + "originals/E/E1.jpeg"] == .skipped, "missing")
    #expect(outcomes[Self.root + "originals/A/lost.jpeg"] == .skipped, "not in the database")
    #expect(outcomes[Self.root + "database/Photos.sqlite"] == .read)
    let albums = try library.library.fetchAssetCollections(with: .album)
    let members = Dictionary(
      try albums.map { album in
        (
          album.localizedTitle ?? "",
          try library.library.fetchAssets(in: album).map(\.localIdentifier)
        )
      }
    ) { first, _ in first }
    #expect(
      members == [
        "Lisbon": [live.localIdentifier, plain.localIdentifier], "Empty": [],
        "By date": [live.localIdentifier, plain.localIdentifier],
      ])
    let top = try library.library.fetchTopLevelUserCollections().map(\.localizedTitle)
    #expect(top == ["Empty", "Travel", "By date"])
    let token = try library.library.currentChangeToken
    #expect(run().assetCount == 0)
    #expect(try library.library.currentChangeToken == token, "a second import changes nothing")
    #expect(try digests() == before, "the source is not changed")
    #expect(try library.check().findings.isEmpty)
  }

  @Test func `a library without originals on this computer yields no derived files`() throws {
    try write(try ImageFile().jpeg(2), Self.root + "resources/derivatives/A/A1.jpeg")
    try write(Array("no database".utf8), Self.root + "database/Photos.sqlite")
    let report = run()
    #expect(report.assetCount == 0)
    #expect(outcomes(report)[Self.root + "resources"] == .skipped)
  }

  @Test func `a library with an unknown schema is imported without albums`() throws {
    try write(try ImageFile().jpeg(1), Self.root + "originals/A/A1.jpeg")
    try write(try ImageFile().jpeg(2), Self.root + "resources/derivatives/A/A1.jpeg")
    try write(Array("no database".utf8), Self.root + "database/Photos.sqlite")
    let report = run()
    #expect(report.assetCount == 1)
    #expect(outcomes(report)[Self.root + "originals/A/A1.jpeg"] == .imported)
    let reason = lines(report)[Self.root + "database/Photos.sqlite"]?.reason
    #expect(reason?.contains("without albums") == true)
  }
}
