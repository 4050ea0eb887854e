// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers
import PhotoEditPlatform
import PhotoEditSQLite
import PhotoEditStorage

/// The database of an Apple Photos library, read from a copy.
///
/// Tables and columns are found by their names, since the numbers in the names of the join tables
/// differ between versions, and columns come and go. A missing column counts as empty.
///
/// - Source: RhetTbull/osxphotos:osxphotos/_constants.py and photosdb/photosdb.py; libraries of
///   Photos 5 (model version 13703).
struct PhotosDatabase {
  struct Item {
    var row: Int64
    var uuid = ""
    var folder = ""
    var file = ""
    var originalName: String?
    /// The capture date in seconds since 2001 in UTC.
    var date: Double?
    /// Seconds by which the clock at the place of capture was ahead of UTC.
    var utcOffset: Int?
    var title: String?
    var caption: String?
    var keywords: [String] = []
    var people: [String] = []
    var latitude: Double?
    var longitude: Double?
    var isFavorite = false
    var isHidden = false
    var isTrashed = false
    var isEdited = false
    var isVideo = false
    var burst: String?
    /// 2 not selected, 4 selected by the camera, 8 selected by the user, 16 representative.
    var burstPick = 0
  }

  /// An album or folder of the user.
  struct Collection {
    var row: Int64
    var isFolder: Bool
    /// Indicates whether other people can add photos, which only they have as originals.
    var isShared: Bool
    var title: String
    var parent: Int64?
    var members: [Int64] = []
  }

  private(set) var items: [Item] = []
  private(set) var collections: [Collection] = []
  /// The version of the schema; nil if unknown.
  private(set) var modelVersion: Int?

  private let connection: Connection

  /// Reads the database of a library.
  ///
  /// The database and its write-ahead log are copied first: SQLite would write to the folder of the
  /// original.
  ///
  /// - Throws: `LibraryError` with `invalidResource` if the schema is not recognized.
  init(library: String) throws(LibraryError) {
    let path = library + "/database/Photos.sqlite"
    let staging = try inFiles(StagingFolder(in: Self.temporaryFolder))
    defer { staging.discard() }
    let copy = staging.file("Photos.sqlite")
    try translating(LibraryError.init) { () throws(FileError) in
      try FileSystem.copy(path, to: copy, followsLinks: false)
      if try FileSystem.entry(at: path + "-wal") == .file {
        try FileSystem.copy(path + "-wal", to: copy + "-wal", followsLinks: false)
      }
    }
    let damage = { (error: DatabaseError) in
      LibraryError(.invalidResource, path: path, "cannot be read: \(error.message)")
    }
    connection = try translating(damage, Connection(copy, .readWrite))
    try translating(damage, read())
    guard !isUnknown else {
      throw LibraryError(
        .invalidResource, path: path, "unknown schema: no table of assets was found")
    }
  }

  private static var temporaryFolder: String {
    getenv("TMPDIR").map { String(cString: $0) }.flatMap { FileSystem.isFolder($0) ? $0 : nil }
      ?? "/tmp"
  }

  private var isUnknown = false

  // MARK: Tables

  private func columns(_ table: String) throws(DatabaseError) -> Set<String> {
    Set(
      try connection.all("SELECT name FROM pragma_table_info(?)", [.text(table)]) { $0.text(0) })
  }

  /// Returns the first of several tables that exists.
  private func table(_ names: String...) throws(DatabaseError) -> String? {
    for name in names {
      let found = try columns(name)
      if !found.isEmpty { return name }
    }
    return nil
  }

  /// Returns a join table and its columns by the patterns of their names; "#" is a number.
  private func join(
    _ pattern: String, _ columnPatterns: String...
  ) throws(DatabaseError) -> (table: String, columns: [String])? {
    let tables = try connection.all(
      "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name", []
    ) { $0.text(0) }
    for table in tables where Self.matches(table, pattern) {
      let names = try columns(table).sorted()
      let found = columnPatterns.compactMap { pattern in
        names.first { Self.matches($0, pattern) }
      }
      if found.count == columnPatterns.count { return (table, found) }
    }
    return nil
  }

  private static func matches(_ name: String, _ pattern: String) -> Bool {
    let parts = pattern.split(separator: "#", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return name == pattern }
    let digits = name.dropFirst(parts[0].count).dropLast(parts[1].count)
    return name.hasPrefix(parts[0]) && name.hasSuffix(parts[1]) && !digits.isEmpty
      && digits.allSatisfy { $0.isASCII && $0.isNumber }
  }

  // MARK: Reading

  private mutating func read() throws(DatabaseError) {
    guard let assets = try table("ZASSET", "ZGENERICASSET") else {
      isUnknown = true
      return
    }
    modelVersion = try readVersion()
    try readItems(assets)
    let rows = Dictionary(items.enumerated().map { ($1.row, $0) }) { first, _ in first }
    try readDescriptions(rows)
    try readKeywords(rows)
    try readPeople(rows)
    try readCollections()
  }

  private func readVersion() throws(DatabaseError) -> Int? {
    guard try table("Z_METADATA") != nil else { return nil }
    let bytes = try connection.first("SELECT Z_PLIST FROM Z_METADATA LIMIT 1", []) { $0.blob(0) }
    return bytes.flatMap { try? PropertyList(bytes: $0) }?.integer("PLModelVersion")
  }

  private mutating func readItems(_ table: String) throws(DatabaseError) {
    let known = try columns(table)
    guard known.isSuperset(of: ["Z_PK", "ZUUID", "ZFILENAME"]) else {
      isUnknown = true
      return
    }
    func column(_ name: String) -> String { known.contains(name) ? name : "NULL" }
    // Photos 10 renamed the column and distinguishes several types of edits.
    let edited = known.contains("ZADJUSTMENTSSTATE") ? "ZADJUSTMENTSSTATE" : "ZHASADJUSTMENTS"
    let names = [
      "ZUUID", "ZDIRECTORY", "ZFILENAME", "ZDATECREATED", "ZLATITUDE", "ZLONGITUDE", "ZFAVORITE",
      "ZHIDDEN", "ZTRASHEDSTATE", edited, "ZKIND", "ZAVALANCHEUUID", "ZAVALANCHEPICKTYPE",
    ]
    items = try connection.all(
      "SELECT Z_PK, \(names.map(column).joined(separator: ", ")) FROM \(table) ORDER BY Z_PK", []
    ) { row in
      var item = Item(row: row.int(0))
      item.uuid = row.text(1)
      item.folder = row.optionalText(2) ?? ""
      item.file = row.optionalText(3) ?? ""
      item.date = row.optionalReal(4)
      // -180 for both means no location.
      if let latitude = row.optionalReal(5), let longitude = row.optionalReal(6),
        abs(latitude) <= 90, abs(longitude) <= 180
      {
        (item.latitude, item.longitude) = (latitude, longitude)
      }
      (item.isFavorite, item.isHidden) = (row.bool(7), row.bool(8))
      (item.isTrashed, item.isEdited) = (row.bool(9), row.bool(10))
      item.isVideo = row.int(11) == 1
      (item.burst, item.burstPick) = (row.optionalText(12), Int(row.int(13)))
      return item
    }
  }

  private mutating func readDescriptions(_ rows: [Int64: Int]) throws(DatabaseError) {
    let table = "ZADDITIONALASSETATTRIBUTES"
    let known = try columns(table)
    guard known.isSuperset(of: ["Z_PK", "ZASSET"]) else { return }
    let name = known.contains("ZORIGINALFILENAME") ? "ZORIGINALFILENAME" : "NULL"
    let title = known.contains("ZTITLE") ? "ZTITLE" : "NULL"
    let offset = known.contains("ZTIMEZONEOFFSET") ? "ZTIMEZONEOFFSET" : "NULL"
    try connection.each("SELECT ZASSET, \(name), \(title), \(offset) FROM \(table)", []) { row in
      guard let index = rows[row.int(0)] else { return }
      // Some clocks before 1972 differed by seconds.
      items[index].utcOffset = row.optionalInt(3).flatMap {
        abs($0) < 16 * 3600 && $0 % 60 == 0 ? Int($0) : nil
      }
      (items[index].originalName, items[index].title) = (row.optionalText(1), row.optionalText(2))
    }
    let captions = try columns("ZASSETDESCRIPTION")
    guard captions.contains("ZLONGDESCRIPTION") else { return }
    // The reference between the two tables was reversed in Photos 11.
    let condition: String
    if captions.contains("ZASSETATTRIBUTES") {
      condition = "caption.ZASSETATTRIBUTES = other.Z_PK"
    } else if known.contains("ZASSETDESCRIPTION") {
      condition = "caption.Z_PK = other.ZASSETDESCRIPTION"
    } else {
      return
    }
    try connection.each(
      """
      SELECT other.ZASSET, caption.ZLONGDESCRIPTION FROM \(table) AS other
      JOIN ZASSETDESCRIPTION AS caption ON \(condition)
      """, []
    ) { row in
      if let index = rows[row.int(0)] { items[index].caption = row.optionalText(1) }
    }
  }

  private mutating func readKeywords(_ rows: [Int64: Int]) throws(DatabaseError) {
    guard let pairs = try join("Z_#KEYWORDS", "Z_#ASSETATTRIBUTES", "Z_#KEYWORDS"),
      try columns("ZKEYWORD").contains("ZTITLE")
    else { return }
    try connection.each(
      """
      SELECT other.ZASSET, keyword.ZTITLE FROM \(pairs.table) AS pair
      JOIN ZADDITIONALASSETATTRIBUTES AS other ON other.Z_PK = pair.\(pairs.columns[0])
      JOIN ZKEYWORD AS keyword ON keyword.Z_PK = pair.\(pairs.columns[1])
      ORDER BY keyword.ZTITLE
      """, []
    ) { row in
      if let index = rows[row.int(0)], let keyword = row.optionalText(1) {
        items[index].keywords.append(keyword)
      }
    }
  }

  private mutating func readPeople(_ rows: [Int64: Int]) throws(DatabaseError) {
    let faces = try columns("ZDETECTEDFACE")
    let people = try columns("ZPERSON")
    // Photos 9 renamed both references.
    guard let asset = ["ZASSETFORFACE", "ZASSET"].first(where: faces.contains),
      let person = ["ZPERSONFORFACE", "ZPERSON"].first(where: faces.contains)
    else { return }
    let names = ["ZDISPLAYNAME", "ZFULLNAME"].filter(people.contains).map { "nullif(\($0), '')" }
    guard !names.isEmpty else { return }
    try connection.each(
      """
      SELECT face.\(asset), coalesce(\((names + ["NULL"]).joined(separator: ", ")))
      FROM ZDETECTEDFACE AS face JOIN ZPERSON ON ZPERSON.Z_PK = face.\(person)
      """, []
    ) { row in
      if let index = rows[row.int(0)], let name = row.optionalText(1) {
        items[index].people.append(name)
      }
    }
  }

  private enum Kind {
    static let album = 2
    static let folder = 4000
    static let shared = 1505
  }

  private mutating func readCollections() throws(DatabaseError) {
    let known = try columns("ZGENERICALBUM")
    guard known.isSuperset(of: ["Z_PK", "ZKIND", "ZTITLE"]) else { return }
    func column(_ name: String) -> String { known.contains(name) ? name : "NULL" }
    let order = known.contains("Z_FOK_PARENTFOLDER") ? "Z_FOK_PARENTFOLDER, Z_PK" : "Z_PK"
    let found = try connection.all(
      """
      SELECT Z_PK, ZKIND, ZTITLE, \(column("ZPARENTFOLDER")), \(column("ZCUSTOMSORTKEY")),
        \(column("ZCUSTOMSORTASCENDING"))
      FROM ZGENERICALBUM
      WHERE ZKIND IN (\(Kind.album), \(Kind.folder), \(Kind.shared))
        AND coalesce(\(column("ZTRASHEDSTATE")), 0) = 0
      ORDER BY \(order)
      """, []
    ) { row in
      (
        Collection(
          row: row.int(0), isFolder: row.int(1) == Kind.folder,
          isShared: row.int(1) == Kind.shared, title: row.optionalText(2) ?? "",
          parent: row.optionalInt(3)),
        sortKey: row.int(4), isAscending: row.isNull(5) || row.bool(5)
      )
    }
    let members = try readMembers()
    let byRow = Dictionary(items.map { ($0.row, $0) }) { first, _ in first }
    collections = found.map { collection, key, isAscending in
      var collection = collection
      collection.members = members[collection.row] ?? []
      // An album is in its own order, by date or by title.
      func sorted(_ isLess: (Item, Item) -> Bool) {
        collection.members = collection.members.compactMap { byRow[$0] }.sorted(by: isLess)
          .map(\.row)
        if !isAscending { collection.members.reverse() }
      }
      switch key {
      case 1: sorted { ($0.date ?? 0, $0.row) < ($1.date ?? 0, $1.row) }
      case 5: sorted { ($0.title ?? "", $0.row) < ($1.title ?? "", $1.row) }
      default: break
      }
      return collection
    }
  }

  private func readMembers() throws(DatabaseError) -> [Int64: [Int64]] {
    guard let pairs = try join("Z_#ASSETS", "Z_#ALBUMS", "Z_#ASSETS") else { return [:] }
    let order = try columns(pairs.table).first { Self.matches($0, "Z_FOK_#ASSETS") }
    var members: [Int64: [Int64]] = [:]
    try connection.each(
      """
      SELECT \(pairs.columns[0]), \(pairs.columns[1]) FROM \(pairs.table)
      ORDER BY \(order ?? pairs.columns[1])
      """, []
    ) { members[$0.int(0), default: []].append($0.int(1)) }
    return members
  }
}
