// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Albums and originals of an Apple Photos library")
struct PhotosCollectionTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  /// An album, or a folder if it has no members.
  private struct Album {
    var row: Int
    var title: String
    var uuid: String?
    var parent: Int?
    var members: [Int]?
  }

  /// Writes a library with one photo in each place, numbered from 1.
  private func writeLibrary(
    in name: String = "A", folders: [String] = ["originals", "originals", "originals"],
    _ albums: [Album], more: String = ""
  ) throws {
    let root = name + ".photoslibrary/"
    for (index, place) in folders.enumerated() {
      try write(try ImageFile().jpeg(index + 1), root + place + "/0/P\(index + 1).jpeg")
    }
    try write([1], root + "database/placeholder")
    let path = source.path(root + "database/Photos.sqlite")
    try? FileSystem.remove(path)
    let connection = try Connection(path, .create)
    try connection.execute(
      """
      CREATE TABLE ZASSET (Z_PK INTEGER PRIMARY KEY, ZUUID, ZDIRECTORY, ZFILENAME,
        ZDATECREATED REAL, ZTRASHEDSTATE INTEGER, ZKIND INTEGER, ZADJUSTMENTSSTATE INTEGER,
        ZLATITUDE REAL, ZLONGITUDE REAL);
      CREATE TABLE ZGENERICALBUM (Z_PK INTEGER PRIMARY KEY, ZKIND, ZTITLE, ZPARENTFOLDER,
        Z_FOK_PARENTFOLDER, ZTRASHEDSTATE, ZUUID);
      CREATE TABLE Z_30ASSETS (Z_30ALBUMS, Z_3ASSETS, Z_FOK_3ASSETS);
      """)
    for index in folders.indices.map({ $0 + 1 }) {
      try connection.execute(
        "INSERT INTO ZASSET VALUES (\(index), 'P\(index)', '0', 'P\(index).jpeg', 86400, 0, 0, 0, 0, 0)"
      )
    }
    for album in albums {
      let parent = album.parent.map { "\($0)" } ?? "NULL"
      let uuid = album.uuid.map { "'\($0)'" } ?? "NULL"
      try connection.execute(
        """
        INSERT INTO ZGENERICALBUM VALUES (\(album.row), \(album.members == nil ? 4000 : 2),
          '\(album.title)', \(parent), \(album.row), 0, \(uuid))
        """)
      for (position, member) in (album.members ?? []).enumerated() {
        try connection.execute(
          "INSERT INTO Z_30ASSETS VALUES (\(album.row), \(member), \(position))")
      }
    }
    if !more.isEmpty { try connection.execute(more) }
  }

  /// The numbers of members of the albums, with the titles of their folders.
  private func albums() throws -> [String] {
    try library.library.read { database throws(LibraryError) in
      try database.all(
        """
        SELECT coalesce(p.title || '/', '') || c.title || ' ' ||
          (SELECT count(*) FROM member WHERE album = c.id)
        FROM collection c LEFT JOIN collection p ON p.id = c.parent
        WHERE c.class = 2 AND c.state = 0 ORDER BY 1
        """
      ) { $0.text(0) }
    }
  }

  private static let birthdays = [
    Album(row: 1, title: "Birthday", uuid: "U-1", members: [1, 2]),
    Album(row: 2, title: "Birthday", uuid: "U-2", members: [3]),
  ]

  @Test(arguments: [true, false])
  func `two albums of one title stay two, also in a repeated import`(hasIdentifiers: Bool) throws {
    var birthdays = Self.birthdays
    if !hasIdentifiers { for index in birthdays.indices { birthdays[index].uuid = nil } }
    try writeLibrary(birthdays)
    for _ in 1...2 {
      _ = run()
      #expect(try albums() == ["Birthday 1", "Birthday 2"])
    }
    #expect(try library.check().findings.isEmpty)
  }

  @Test func `two folders of one title stay two`() throws {
    try writeLibrary([
      Album(row: 1, title: "2019", uuid: "F-1"), Album(row: 2, title: "2019", uuid: "F-2"),
      Album(row: 3, title: "Sea", uuid: "U-3", parent: 1, members: [1]),
      Album(row: 4, title: "Sea", uuid: "U-4", parent: 2, members: [2, 3]),
    ])
    for _ in 1...2 {
      _ = run()
      #expect(try albums() == ["2019/Sea 1", "2019/Sea 2"])
    }
    let folders = try library.library.fetchTopLevelUserCollections().map(\.localizedTitle)
    #expect(folders == ["2019", "2019"])
  }

  @Test func `albums of two libraries are two, and an album is found under a new title`() throws {
    try writeLibrary([Self.birthdays[0]])
    _ = run()
    try writeLibrary(in: "B", [Album(row: 1, title: "Birthday", uuid: "U-9", members: [3])])
    _ = run()
    #expect(try albums() == ["Birthday 1", "Birthday 2"])
    try writeLibrary([Album(row: 1, title: "Party", uuid: "U-1", members: [1, 2, 3])])
    _ = run()
    #expect(try albums() == ["Birthday 1", "Birthday 3"], "the title is the user's")
  }

  @Test func `an album of the user is completed, by one album only`() throws {
    _ = try library.addAlbum("Birthday")
    try writeLibrary(Self.birthdays)
    for _ in 1...2 {
      _ = run()
      #expect(try albums() == ["Birthday 1", "Birthday 2"])
    }
  }

  @Test func `an album that was deleted is created again`() throws {
    try writeLibrary(Self.birthdays)
    _ = run()
    for count in 1...2 {
      let found = try library.library.fetchAssetCollections(with: .album)
      try library.library.performChangesAndWait { try $0.delete(found.map { $0 }) }
      #expect(try albums() == [])
      _ = run()
      #expect(try albums() == ["Birthday 1", "Birthday 2"], "\(count)")
    }
    #expect(try library.check().findings.isEmpty)
  }

  @Test func `the albums are found again after a repair without a database`() throws {
    try writeLibrary(Self.birthdays)
    _ = run()
    let identifiers = try library.library.fetchAssetCollections(with: .album).map(\.localIdentifier)
    #expect(
      Set(identifiers)
        == Set(["U-1", "U-2"].map { LocalIdentifier(source: $0, 0, .assetCollection).description }))
    #expect(identifiers.allSatisfy { LocalIdentifier($0)?.isFromSource == true })
    #expect(!LocalIdentifier(new: .assetCollection).isFromSource)
  }

  @Test func `originals of all scopes are found, with their edits`() throws {
    let scope = "scopes/momentshared/"
    try writeLibrary(
      folders: [
        "originals", scope + "originals", "scopes/cloudsharing/data",
        "scopes/syndication/originals", "resources/cloudsharing/data", "scopes/other/elsewhere",
      ], [], more: "UPDATE ZASSET SET ZADJUSTMENTSSTATE = 1 WHERE Z_PK = 2")
    let root = "A.photoslibrary/"
    try write(try ImageFile().jpeg(20), root + scope + "resources/renders/0/P2_1_201_a.jpeg")
    try write(try ImageFile().jpeg(21), root + scope + "originals/0/unknown.jpeg")
    let report = run()
    #expect(report.assetCount == 5)
    #expect(try library.assets().map(\.hasAdjustments) == [false, true, false, false, false])
    let lines = lines(report)
    let missing = try #require(lines[root + "originals/0/P6.jpeg"])
    #expect(missing.outcome == .skipped && missing.isLoss)
    #expect(lines[root + scope + "originals/0/unknown.jpeg"]?.isLoss == true)
    #expect(lines[root + "scopes"] == nil)
    #expect(try library.assets().allSatisfy { $0.location == nil }, "zero degrees are no location")
  }

  @Test func `a date that no calendar has is dropped with a note`() throws {
    try writeLibrary([], more: "UPDATE ZASSET SET ZDATECREATED = 82665413681585 WHERE Z_PK = 1")
    try writeLibrary(in: "B", [], more: "UPDATE ZASSET SET ZDATECREATED = 9e999 WHERE Z_PK = 2")
    let report = run { $0.skipsDuplicates = false }
    let noted = report.files.filter { $0.reason?.contains("1 to 9999") == true }
    #expect(Set(noted.map { FileSystem.lastName(of: $0.path) }) == ["P1.jpeg", "P2.jpeg"])
    #expect(try library.assets().count { $0.creationDate == nil } == 2)
  }

  @Test func `a date of the library is a moment in any time zone`() throws {
    try writeLibrary(folders: ["originals"], [])
    let zone = try ClockZone("+02:00")
    _ = run { $0.clocks = .zone(zone) }
    #expect(try library.assets().map(\.localDate) == ["2001-01-02T02:00:00+02:00"])
  }

  @Test func `the zero of the library's clock is no date`() throws {
    try writeLibrary(folders: ["originals"], [], more: "UPDATE ZASSET SET ZDATECREATED = 0")
    let report = run()
    #expect(try library.assets().map(\.creationDate) == [nil])
    #expect(report.files.allSatisfy { $0.reason?.contains("date") != true })
  }

  @Test func `keywords of the library and of XMP keep their slashes in exports`() throws {
    try writeLibrary(
      [],
      more: """
        CREATE TABLE ZADDITIONALASSETATTRIBUTES (Z_PK INTEGER PRIMARY KEY, ZASSET);
        INSERT INTO ZADDITIONALASSETATTRIBUTES VALUES (7, 1);
        CREATE TABLE ZKEYWORD (Z_PK INTEGER PRIMARY KEY, ZTITLE TEXT);
        CREATE TABLE Z_1KEYWORDS (Z_1ASSETATTRIBUTES INTEGER, Z_37KEYWORDS INTEGER);
        INSERT INTO ZKEYWORD VALUES (1, 'AC/DC');
        INSERT INTO Z_1KEYWORDS VALUES (7, 1);
        """)
    _ = run()
    let asset = try #require(try library.assets().first { !$0.keywords.isEmpty })
    #expect(asset.report["keywords"] == ["AC/DC"])
    // What a person sees may be set, and stays the same keyword.
    try library.library.performChangesAndWait {
      try $0.change(asset).setKeywords(["AC/DC", "Music/Rock"])
    }
    let changed = try #require(try library.asset(asset.localIdentifier))
    #expect(changed.keywords == ["AC\u{2215}DC", "Music/Rock"])
    try library.library.performChangesAndWait { try $0.change(changed).removeKeywords(["AC/DC"]) }
    #expect(try #require(try library.asset(asset.localIdentifier)).keywords == ["Music/Rock"])
  }
}
