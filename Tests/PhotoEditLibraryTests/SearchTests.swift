// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Search", .seeded)
struct SearchTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  private func names(_ predicate: FetchPredicate<Asset>) throws -> [String] {
    let found = try library.fetchAssets(FetchOptions(predicate: predicate))
    // Memory agrees with the database.
    let all = try library.fetchAssets().filter { predicate.evaluate(with: $0) }
    #expect(Set(all) == Set(found), "\(predicate)")
    return found.map(\.originalFilename).sorted()
  }

  private func names(where format: String) throws -> [String] {
    try names(FetchPredicate(format: format))
  }

  @Test func `words agree with LIKE on 10,000 random rows`() throws {
    var numbers = SeededNumbers(31)
    let words = ["harbor", "boat", "sea", "harborside", "night", "a", "IMG", "2242", "lisbon"]
    func text() -> String {
      (0..<Int.random(in: 0..<5, using: &numbers)).map { _ in
        words.randomElement(using: &numbers) ?? ""
      }.joined(separator: " ")
    }
    let records = (0..<10_000).map { i in
      var record = PhotoProperties(
        originalFilename: "\(i)", addedAt: Date(timeIntervalSince1970: Double(i)))
      (record.title, record.caption) = (text(), text())
      return record
    }
    try library.insertRows(records)
    for (query, patterns) in [
      ("harbor", ["% harbor %"]), ("HARBOR", ["% harbor %"]), ("harbor*", ["% harbor%"]),
      ("boat sea", ["% boat %", "% sea %"]), ("img 22*", ["% IMG %", "% 22%"]),
      ("sea-night", ["% sea night %"]), ("nothing", ["% nothing %"]),
    ] {
      let found = try library.fetchAssets(FetchOptions(predicate: .words(query))).map(\.row)
      let tests = patterns.map {
        "(' ' || title || ' ' LIKE '\($0)' OR ' ' || caption || ' ' LIKE '\($0)' "
          + "OR ' ' || originalFilename || ' ' LIKE '\($0)')"
      }
      let expected = try library.read { database throws(LibraryError) in
        try database.integers(
          "SELECT id FROM asset WHERE \(tests.joined(separator: " AND ")) ORDER BY addedDate, id")
      }
      #expect(found == expected, "\(query)")
      #expect(found.isEmpty == (query == "nothing"))
    }
  }

  @Test(arguments: [
    ("São Tomé", "sao"), ("Ålesund", "ale*"), ("Straße", "strasse"), ("STRASSE", "straße"),
    ("Ærø", "aero"), ("Łódź", "lodz"), ("Œuvre", "oeuvre"), ("e\u{301}te\u{301}", "été"),
    ("ÉTÉ", "ete"), ("東京タワー", "東京"), ("東京タワー", "京タ"), ("harbor_boat-3", "boat 3"),
    ("Привет", "ПРИВЕТ"), ("Ελλάδα", "ΕΛΛΆΔΑ"), ("don't", "don't"),
    ("Αθήνα", "αθηνα"), ("ΑΘΗΝΑ", "αθήνα"), ("Ελλάδα", "ΕΛΛΑΔΑ"), ("Ὀδυσσεύς", "οδυσσευσ"),
    ("Προϋπολογισμός", "προυπ*"), ("ᾠδή", "ωδη"), ("Α\u{301}γιος", "άγιος"),
    ("서울여행", "서울"), ("서울여행", "여행"), ("제주도에서", "제주도"), ("서울여행", "울여"),
    // Names of files from macOS have separate letters.
    ("\u{1109}\u{1165}\u{110B}\u{116E}\u{11AF}\u{110B}\u{1167}", "서울"),
    ("서울", "\u{1109}\u{1165}\u{110B}\u{116E}\u{11AF}"),
    ("กรุงเทพมหานคร", "กรุงเทพ"), ("กรุงเทพมหานคร", "นคร"), ("วัดพระแก้ว", "พระ"),
    ("ນະຄອນຫຼວງວຽງຈັນ", "ວຽງຈັນ"), ("រាជធានីភ្នំពេញ", "ភ្នំពេញ"), ("ရန်ကုန်မြို့", "မြို့"),
    ("ལྷ་ས", "ས"), ("ㄅㄆㄇ", "ㄆ"),
    ("Ёлка", "елка"), ("елка", "ЁЛКА"), ("Чайка", "чаи\u{306}ка"), ("Чаи\u{306}ка", "чайка"),
    ("Київ", "ки\u{456}\u{308}в"), ("أحمد", "احمد"), ("إسلام", "اسلام"),
    ("آمال", "امال"), ("ا\u{654}حمد", "أحمد"), ("مصطفى", "مصطفي"), ("مكة", "مكه"), ("رؤى", "روي"),
    ("مُحَمَّد", "محمد"), ("محمـــد", "محمد"), ("کتاب", "كتاب"), ("ﻛﺘﺎﺏ", "كتاب"), ("ﻻ", "لا"),
    ("١٢٣", "123"), ("۱۲۳", "123"), ("שָׁלוֹם", "שלום"),
    ("Ｔｏｋｙｏ", "tokyo"), ("TOKYO2024", "ｔｏｋｙｏ２０２４"), ("ﾄｳｷｮｳ", "トウキョウ"),
    ("カメラ", "ｶﾒﾗ"), ("ガーデン", "ｶﾞｰﾃﾞﾝ"), ("ﾊﾟﾘ", "パリ"), ("ハ\u{309A}リ", "パリ"), ("がっこう", "か\u{3099}っこう"),
  ])
  func `words ignore case and diacritics`(title: String, query: String) throws {
    _ = try folder.addAsset { ($0.title, $0.originalFilename) = (title, "x.jpg") }
    _ = try folder.addAsset { ($0.title, $0.originalFilename) = ("other", "y.jpg") }
    #expect(try names(.words(query)) == ["x.jpg"])
    #expect(try names(.words("zzz")) == [])
  }

  @Test func `parts of words are found only in their order`() throws {
    _ = try folder.addAsset { ($0.title, $0.originalFilename) = ("서울여행", "x.jpg") }
    _ = try folder.addAsset { ($0.title, $0.originalFilename) = ("여행 서울", "y.jpg") }
    #expect(try names(.words("서울여행")) == ["x.jpg"])
    #expect(try names(.words("행여")) == [])
    #expect(try names(.words("서울 여행")) == ["x.jpg", "y.jpg"])
  }

  @Test func `a keyword with a slash is found by its name and as one name`() throws {
    for (name, keywords) in [("band", ["AC\u{2215}DC"]), ("levels", ["AC/DC"]), ("other", ["DC"])] {
      _ = try folder.addAsset { ($0.originalFilename, $0.keywords) = (name, keywords) }
    }
    #expect(try names(where: "keyword == 'AC/DC'") == ["band", "levels"])
    #expect(try names(where: "keyword == 'DC'") == ["levels", "other"])
    #expect(try names(.words("ac/dc")) == ["band", "levels"])
  }

  @Test(arguments: [
    "\"", "\"\"", "' OR 1=1 --", "a\" OR \"b", "NOT a", "a NEAR b", "title : a", "^a", "a + b",
    "(a",
    "a*b", "*", "-", "{title} : a", "\u{0}a", "a AND", "'; DROP TABLE asset; --", "a OR b",
  ])
  func `operators and quotes in a search are text`(query: String) throws {
    _ = try folder.addAsset { ($0.title, $0.originalFilename) = ("unrelated", "x.jpg") }
    #expect(try names(.words(query)) == [])
    let format = FetchPredicate<Asset>.words(query).description
    #expect(try FetchPredicate<Asset>(format: format) == .words(query))
    _ = try? FetchPredicate<Asset>(search: [query])
    #expect(try library.fetchAssets().count == 1)
  }

  @Test func `a keyword is found by its parents, its levels and its beginning`() throws {
    for (name, keywords) in [
      ("lisbon", ["Places/Portugal/Lisbon", "boat"]), ("porto", ["Places/Portugal/Porto"]),
      ("port", ["Port"]), ("none", []),
    ] {
      _ = try folder.addAsset { ($0.originalFilename, $0.keywords) = (name, keywords) }
    }
    #expect(try names(where: "ANY keyword == 'Lisbon'") == ["lisbon"])
    #expect(try names(where: "keyword == 'Places'") == ["lisbon", "porto"])
    #expect(try names(where: "keyword == 'Places/Portugal'") == ["lisbon", "porto"])
    #expect(try names(where: "keyword == 'Portugal/Porto'") == ["porto"])
    #expect(try names(where: "keyword == 'portugal'") == [])
    #expect(try names(where: "keyword ==[c] 'portugal'") == ["lisbon", "porto"])
    #expect(try names(where: "keyword CONTAINS[cd] 'lis'") == ["lisbon"])
    #expect(try names(where: "keyword BEGINSWITH 'Port'") == ["lisbon", "port", "porto"])
    #expect(try names(where: "keyword ENDSWITH 'ortugal'") == ["lisbon", "porto"])
    #expect(try names(where: "keyword != 'Portugal'") == ["none", "port"])
    #expect(try names(where: "keyword IN {'boat', 'Port'}") == ["lisbon", "port"])
    #expect(try names(where: "keyword == NULL") == ["none"])
    #expect(try names(where: "keywords.@count >= 2") == ["lisbon"])
    #expect(try names(AssetKey.keyword == "boat" && AssetKey.keywordCount == 2) == ["lisbon"])
    for format in ["ANY keyword != 'x'", "keyword LIKE 'x'", "keyword > 'x'", "ANY title == 'x'"] {
      #expect(throws: LibraryError.self) { _ = try FetchPredicate<Asset>(format: format) }
    }
  }

  @Test func `a box may cross the antimeridian`() throws {
    for (name, longitude) in [("fiji", 178.0), ("samoa", -172), ("paris", 2), ("pole", 180)] {
      _ = try folder.addAsset {
        $0.originalFilename = name
        $0.location = LocationCoordinate(latitude: -15, longitude: longitude)
      }
    }
    _ = try folder.addAsset { $0.originalFilename = "nowhere" }
    #expect(try names(where: "location IN BOX(-20, 170, -10, -170)") == ["fiji", "pole", "samoa"])
    #expect(try names(where: "location IN BOX(-20, -180, -10, 180)").count == 4)
    #expect(try names(where: "location IN BOX(-20, 0, -10, 10)") == ["paris"])
    #expect(try names(where: "location IN BOX(10, 0, 20, 10)") == [])
    #expect(try names(where: "location == NULL") == ["nowhere"])
    #expect(
      try names(where: "NOT location IN BOX(-20, 0, -10, 10)") == ["fiji", "pole", "samoa"])
    for box in ["(20, 0, 10, 1)", "(0, 0, 91, 1)", "(0, 0, 1)", "(0, 'a', 1, 1)"] {
      #expect(throws: LibraryError.self) {
        _ = try FetchPredicate<Asset>(format: "location IN BOX\(box)")
      }
    }
  }

  @Test func `camera, kind, album, digest and trash are keys`() throws {
    let photo = try folder.addPhoto()
    let camera = try folder.addAsset {
      ($0.originalFilename, $0.camera, $0.iso) = ("c", "FUJIFILM X100V", 400)
      ($0.fNumber, $0.focalLength, $0.fileSize) = (2.8, 23, 1_000)
      ($0.mediaSubtypes, $0.burstIdentifier) = (.photoLive, "b")
      ($0.representsBurst, $0.hasAdjustments, $0.people) = (true, true, ["Zoë"])
    }
    let album = try folder.addAlbum([camera], title: "Übersicht")
    for format in [
      "camera CONTAINS[cd] 'x100' AND iso BETWEEN {100, 400} AND fNumber <= 2.8",
      "focalLength == 23 AND fileSize < 2000", "live == YES AND burst == YES AND edited == YES",
      "hasAdjustments == YES", "person ==[cd] 'zoe'", "identifier == '\(camera.localIdentifier)'",
      "originalFilename == 'c' AND filename == 'c'", "importDate > '1970-01-01'  AND iso != NULL",
    ] {
      #expect(try names(where: format) == ["c"], "\(format)")
    }
    // Only the database knows albums, digests and the trash.
    func found(_ format: String) throws -> [Asset] {
      Array(try library.fetchAssets(FetchOptions(predicate: FetchPredicate(format: format))))
    }
    #expect(try found("ANY album == 'Übersicht'") == [camera])
    #expect(try found("album ==[cd] 'ubersicht'") == [camera])
    #expect(try found("album == NULL") == [photo])
    let digest = try #require(
      try folder.files(of: photo)[.photo].map { try FileBytes.digest(of: $0) })
    #expect(try found("digest == '\(digest)'") == [photo])
    #expect(try found("digest == 'zz'") == [])
    try library.performChangesAndWait { try $0.delete([camera]) }
    #expect(try found("trashed == YES") == [camera] && found("trashed == NO") == [photo])
    #expect(try found("camera != NULL") == [])
    try library.performChangesAndWait { try $0.restore([camera]) }
    _ = album
  }

  @Test func `an old result shows the search as of its commit, and details follow it`() throws {
    let asset = try folder.addAsset { $0.title = "harbor" }
    let other = try folder.addAsset { ($0.title, $0.keywords) = ("sea", ["boat"]) }
    let words = try library.fetchAssets(FetchOptions(predicate: .words("harbor")))
    let boats = try library.fetchAssets(FetchOptions(predicate: AssetKey.keyword == "boat"))
    #expect(Array(words) == [asset] && Array(boats) == [other])
    let from = try folder.version()
    try library.performChangesAndWait { changes in
      try changes.change(asset).setTitle("sea")
      try changes.change(other).setTitle("the Harbor")
      try changes.change(other).removeKeywords(["boat"])
    }
    let middle = try folder.version()
    try library.performChangesAndWait { try $0.change(asset).setTitle("harbor again") }
    let change = LibraryChange(in: library, from: from, through: middle)
    let details = try #require(try change.changeDetails(for: words))
    #expect(Array(details.fetchResultAfterChanges) == [other])
    #expect(details.removedObjects == [asset] && details.insertedObjects == [other])
    #expect(try change.changeDetails(for: boats).map { Array($0.fetchResultAfterChanges) } == [])
    #expect(
      Set(try library.fetchAssets(FetchOptions(predicate: .words("harbor")))) == [asset, other])
  }

  @Test(arguments: [
    (["harbour", "boat*"], "text MATCHES-WORDS \"harbour boat*\""),
    (["rating:4.."], "rating >= 4"), (["rating:..2"], "rating <= 2"), (["rating:3"], "rating == 3"),
    (["rating:>=3"], "rating >= 3"), (["iso:<800"], "iso < 800"), (["f:=2.8"], "fNumber == 2.8"),
    (["date:>2019"], "day > \"2019-12-31\""), (["date:>=2019-05"], "day >= \"2019-05-01\""),
    (["date:<2019"], "day < \"2019-01-01\""),
    (
      ["date:=2020-02"],
      "day BETWEEN {\"2020-02-01\", \"2020-02-29\"}"
    ),
    (["iso:100..400"], "iso BETWEEN {100, 400}"), (["f:2.8"], "fNumber == 2.8"),
    (["camera:X100"], "camera CONTAINS[cd] \"X100\""),
    (["2019-05"], "day BETWEEN {\"2019-05-01\", \"2019-05-31\"}"),
    (["2020"], "day BETWEEN {\"2020-01-01\", \"2020-12-31\"}"),
    (["date:2020-02..2020-03-05"], "day BETWEEN {\"2020-02-01\", \"2020-03-05\"}"),
    (["2019.."], "day >= \"2019-01-01\""),
    (["-keyword:draft"], "NOT (ANY keyword ==[cd] \"draft\")"),
    (["-draft", "sea"], "text MATCHES-WORDS \"sea\" AND NOT (text MATCHES-WORDS \"draft\")"),
    (["is:favorite", "type:video"], "favorite == YES AND mediaType == 2"),
    (
      ["place:Lisbon", "album:Trip"], "place CONTAINS[cd] \"Lisbon\" AND ANY album ==[cd] \"Trip\""
    ),
    (
      ["added:2024-01"],
      "importDate >= CAST(725760000.0, \"NSDate\") AND importDate < CAST(728438400.0, \"NSDate\")"
    ),
    (["added:2024-01.."], "importDate >= CAST(725760000.0, \"NSDate\")"),
    // A mark after a separator is a word of its own for the index.
    (["a\u{FFFD}\u{1AEB}"], "text MATCHES-WORDS \"a\u{FFFD}\u{1AEB}\""),
    (
      ["2\u{E37}\u{E2D}", "\u{0}2\u{E37}"],
      "text MATCHES-WORDS \"2\u{E37}\u{E2D} \u{0}2\u{E37}\""
    ),
    (
      ["a-\u{1AEB}b*", "keyword:/\u{301}"],
      "text MATCHES-WORDS \"a-\u{1AEB}b*\" AND ANY keyword ==[cd] \"/\u{301}\""
    ),
    (
      ["harbor", "added:2024-01"],
      "text MATCHES-WORDS \"harbor\" AND importDate >= CAST(725760000.0, \"NSDate\")"
        + " AND importDate < CAST(728438400.0, \"NSDate\")"
    ),
  ])
  func `the short form is translated to a predicate`(terms: [String], format: String) throws {
    let predicate = try FetchPredicate<Asset>(search: terms)
    #expect(predicate.description == format)
    #expect(try FetchPredicate<Asset>(format: format) == predicate)
    _ = try library.fetchAssets(FetchOptions(predicate: predicate)).count
  }

  @Test(arguments: [
    ("ratting:4", "rating"), ("rating:x", "not a number"), ("rating:>", "not a number"),
    ("date:>x", "not a date"),
    ("rating:..", "requires a start or an end"),
    ("is:purple", "allowed"), ("date:2019-13", "not a date"), ("camera:", "no value"),
    ("!!!", "no letters"), ("2020..2019", "ends before"), ("added:x", "not a date"),
  ])
  func `an invalid term is refused with its reason`(term: String, words: String) throws {
    let error = #expect(throws: LibraryError.self) { _ = try FetchPredicate<Asset>(search: [term]) }
    #expect(error?.message.contains(words) == true, "\(error as Any)")
  }
}
